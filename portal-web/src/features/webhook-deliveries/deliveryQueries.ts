import { graphql, type ResultOf } from '../../graphql/graphql.ts';

const deliveryFragment = graphql(`
  fragment DeliveryFacts on WebhookDelivery {
    id
    state
    reason
    attemptsCount
    nextAttemptAt
    waitAsked
    windowEndsAt
    createdAt
    finishedAt
    replayOf
    replayedAt
    lastAttempt {
      status
      failure
      totalMs
    }
    event {
      id
      type
      occurredAt
      connectionId
      resourceId
      test
      environment
    }
  }
`);

export const deliveriesPart = graphql(
  `
    fragment WebhookDeliveriesPart on Query {
      webhookEndpoint(id: $endpointId) {
        id
        deliveries(
          states: $states
          types: $types
          from: $from
          to: $to
          eventId: $eventId
          resourceId: $resourceId
          undelivered: $undelivered
          first: $first
          after: $after
        ) {
          pageInfo {
            hasNextPage
            endCursor
          }
          edges {
            node {
              ...DeliveryFacts
            }
          }
        }
      }
    }
  `,
  [deliveryFragment],
);

/** A page of an endpoint’s deliveries, the newest first. */
export const deliveriesQuery = graphql(
  `
    query WebhookDeliveries(
      $endpointId: ID!
      $states: [DeliveryState!]
      $types: [WebhookEventType!]
      $from: DateTimeISO
      $to: DateTimeISO
      $eventId: ID
      $resourceId: ID
      $undelivered: Boolean
      $first: Int!
      $after: String
    ) {
      ...WebhookDeliveriesPart
    }
  `,
  [deliveriesPart],
);

/** How far one delivery has come. */
export const deliveryStateQuery = graphql(
  `
    query WebhookDeliveryState($id: ID!) {
      webhookDelivery(id: $id) {
        ...DeliveryFacts
      }
    }
  `,
  [deliveryFragment],
);

/** One delivery with its attempts. */
export const deliveryQuery = graphql(
  `
    query WebhookDelivery($id: ID!) {
      webhookDelivery(id: $id) {
        ...DeliveryFacts
        endpoint {
          id
          url
          status
          payloadMode
          environment
        }
        replays {
          id
          state
        }
        attempts {
          number
          startedAt
          dnsMs
          connectMs
          tlsMs
          firstByteMs
          totalMs
          address
          status
          cause {
            title
            what
            next
          }
          responseText
          keyId
          url
          payloadMode
          revision
          bodySha256
        }
        bodies {
          notification {
            text
            sha256
          }
          now {
            text
            sha256
            revision
          }
        }
      }
    }
  `,
  [deliveryFragment],
);

export type Delivery = ResultOf<typeof deliveryFragment>;
export type DeliveryState = Delivery['state'];
export type DeliveryInFull = ResultOf<typeof deliveryQuery>['webhookDelivery'];
export type Attempt = DeliveryInFull['attempts'][number];
