import { graphql, type ResultOf } from '../../../graphql/graphql.ts';

const requestFragment = graphql(`
  fragment RequestFacts on Request {
    id
    occurredAt
    method
    operation
    status
    problem
    serial
    certificateId
    durationMs
    title
    reason
    advice
  }
`);

/**
 * All that the Requests page shows, in one request: a page of the log, and the facts about the client that stand above it. While the log is
 * live, the same query asks for what is not known yet, without the facts.
 */
export const requestsQuery = graphql(
  `
    query Requests(
      $slug: String!
      $clientId: ID!
      $filter: RequestFilterInput!
      $first: Int!
      $after: String
      $known: [ID!]
      $within: Int
      $facts: Boolean!
    ) {
      requests(clientId: $clientId, filter: $filter, first: $first, after: $after, known: $known, within: $within) {
        pageInfo {
          hasNextPage
          endCursor
        }
        edges {
          node {
            ...RequestFacts
          }
        }
      }
      integration(slug: $slug) @include(if: $facts) {
        id
        clients {
          id
          errorGroups(first: 20) {
            id
            problem
            status
            operation
            serial
            certificateId
            count
            more
            share
            firstAt
            lastAt
            answeredAt
            open
            title
            reason
            advice
          }
        }
      }
      usage(clientId: $clientId, period: day) @include(if: $facts) {
        from
        hours
        lastRequestAt
        counts {
          hour
          operation
          status
          count
        }
        quotas {
          name
          limit
          left
          resetsAt
          overridden
          overrideExpiresAt
        }
      }
    }
  `,
  [requestFragment],
);

/** One request of a client, wherever it stands in the log. */
export const requestQuery = graphql(
  `
    query Request($clientId: ID!, $requestId: String!) {
      requests(clientId: $clientId, filter: { requestId: $requestId }, first: 1) {
        edges {
          node {
            ...RequestFacts
          }
        }
      }
    }
  `,
  [requestFragment],
);

/** A client’s requests by hour, operation and status. */
export const usageQuery = graphql(`
  query Usage($clientId: ID!, $period: UsagePeriod!) {
    usage(clientId: $clientId, period: $period) {
      from
      hours
      syncs
      unchangedSyncs
      lastRequestAt
      lastSyncAt
      counts {
        hour
        operation
        status
        count
      }
    }
  }
`);

export type ReadRequests = ResultOf<typeof requestsQuery>;
export type LoggedRequest = ResultOf<typeof requestFragment>;
/** What stands above the log. */
export type ClientFacts = { readonly groups: readonly ErrorGroup[]; readonly usage: NonNullable<ReadRequests['usage']> };
export type ErrorGroup = NonNullable<ReadRequests['integration']>['clients'][number]['errorGroups'][number];
export type Usage = ResultOf<typeof usageQuery>['usage'];
export type UsageCount = Usage['counts'][number];
export type Quota = NonNullable<ReadRequests['usage']>['quotas'][number];

/** The facts in an answer, if it was asked for them. */
export function factsIn({ integration, usage }: ReadRequests, clientId: string): ClientFacts | null {
  if (!integration || !usage) return null;
  return { usage, groups: integration.clients.find(({ id }) => id === clientId)?.errorGroups ?? [] };
}
