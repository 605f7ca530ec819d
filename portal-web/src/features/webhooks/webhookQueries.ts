import { graphql, type ResultOf } from '../../graphql/graphql.ts';

/** Everything that the pages show of an endpoint itself. */
const endpointFragment = graphql(`
  fragment EndpointFacts on WebhookEndpoint {
    id
    environment
    url
    payloadMode
    eventTypes
    description
    status
    createdAt
    provenAt
    statusChangedAt
    pausedBy
    pauseReason
    removedAt
    health {
      lastSuccessAt
      failingSince
      failuresInRow
      waiting
      held
      dead
      nextAttemptAt
      lastFailure {
        title
        what
      }
      deadLetterCause {
        title
        what
      }
    }
  }
`);

/** What happened, or is happening, when the service tries to prove an endpoint. */
const challengeFragment = graphql(`
  fragment ChallengeFacts on WebhookChallenge {
    id
    status
    requestedAt
    finishedAt
    failure
    steps {
      name
      outcome
      at
      tookMs
      detail
    }
  }
`);

/** The attempts of a period in buckets of equal length, as the charts show them. */
const historyFragment = graphql(`
  fragment AttemptBuckets on AttemptBucket {
    from
    delivered
    retried
    dead
    p50Ms
    p95Ms
  }
`);

/** An integration’s endpoints, each with its health and its last day. */
export const endpointsQuery = graphql(
  `
    query WebhookEndpoints($slug: String!) {
      integration(slug: $slug) {
        id
        webhookEndpoints {
          ...EndpointFacts
          challenge {
            ...ChallengeFacts
          }
          attemptHistory(period: day) {
            ...AttemptBuckets
          }
        }
      }
    }
  `,
  [endpointFragment, challengeFragment, historyFragment],
);

export const endpointPart = graphql(
  `
    fragment WebhookEndpointPart on Query {
      webhookEndpoint(id: $endpointId) {
        ...EndpointFacts
        challenge {
          ...ChallengeFacts
        }
        failureGroups {
          cause {
            title
            what
            next
          }
          count
          firstAt
          lastAt
        }
        lastReplay {
          count
          replayed
          finishedAt
        }
      }
    }
  `,
  [endpointFragment, challengeFragment],
);

/** One endpoint, why its deliveries failed for good, and how far the last order to replay some has come. */
export const endpointQuery = graphql(
  `
    query WebhookEndpoint($endpointId: ID!) {
      ...WebhookEndpointPart
    }
  `,
  [endpointPart],
);

export const historyPart = graphql(
  `
    fragment WebhookAttemptHistoryPart on Query {
      webhookEndpoint(id: $endpointId) {
        id
        attemptHistory(period: $period) {
          ...AttemptBuckets
        }
      }
    }
  `,
  [historyFragment],
);

/** An endpoint’s attempts over a day or a week. */
export const historyQuery = graphql(
  `
    query WebhookAttemptHistory($endpointId: ID!, $period: ChartPeriod!) {
      ...WebhookAttemptHistoryPart
    }
  `,
  [historyPart],
);

export type Endpoint = ResultOf<typeof endpointFragment>;
/** With everything that its own page shows. */
export type EndpointInFull = ResultOf<typeof endpointQuery>['webhookEndpoint'];
export type FailureGroup = EndpointInFull['failureGroups'][number];
export type EventType = Exclude<Endpoint['eventTypes'][number], 'unknown'>;
export type Challenge = ResultOf<typeof challengeFragment>;
export type ListedEndpoint = ResultOf<typeof endpointsQuery>['integration']['webhookEndpoints'][number];
export type AttemptBucket = ResultOf<typeof historyFragment>;
