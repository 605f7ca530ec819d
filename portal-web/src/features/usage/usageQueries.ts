import { graphql, type ResultOf } from '../../graphql/graphql.ts';

/** A client's requests by hour, and what is left of its quotas. */
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
`);

/** A page of a client's request log. */
export const requestsQuery = graphql(`
  query Requests($clientId: ID!, $filter: RequestFilterInput!, $first: Int!, $after: String) {
    requests(clientId: $clientId, filter: $filter, first: $first, after: $after) {
      pageInfo {
        hasNextPage
        endCursor
      }
      edges {
        node {
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
      }
    }
  }
`);

export type Usage = ResultOf<typeof usageQuery>['usage'];
export type UsageCount = Usage['counts'][number];
export type Quota = Usage['quotas'][number];
export type LoggedRequest = ResultOf<typeof requestsQuery>['requests']['edges'][number]['node'];
