import { graphql, type ResultOf } from '../../graphql/graphql.ts';

/** One page of the viewer's integrations. */
export const integrationsQuery = graphql(`
  query Integrations($first: Int!, $after: String) {
    integrations(first: $first, after: $after) {
      totalCount
      pageInfo {
        hasNextPage
        endCursor
      }
      edges {
        node {
          id
          slug
          status
          createdAt
          productionDataEnabled
          reviewWaitsFor
          suspendedFor
          outstandingDeletions {
            outstanding
            overdue
          }
          profile {
            publicName
            publicDescription
          }
          clients {
            id
            environment
            lastRequestAt
            corpus {
              state
            }
            certificatesInUse {
              id
              status
            }
          }
        }
      }
    }
  }
`);

/** The names of the viewer's integrations, for choosing one. It reads as many as one page can hold. */
export const integrationNamesQuery = graphql(`
  query IntegrationNames {
    integrations(first: 100) {
      edges {
        node {
          id
          profile {
            publicName
          }
        }
      }
    }
  }
`);

export type IntegrationSummary = ResultOf<typeof integrationsQuery>['integrations']['edges'][number]['node'];
