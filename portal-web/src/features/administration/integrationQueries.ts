import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { businessModelFragment } from '../business-model/businessModelQuery.ts';
import { profileFragment } from '../integration/profileFragment.ts';

export const allIntegrationsPart = graphql(`
  fragment AllIntegrationsPart on Query {
    allIntegrations(filter: $filter, order: $order, first: 20, after: $after) {
      pageInfo {
        hasNextPage
        endCursor
      }
      edges {
        node {
          health
          integration {
            id
            slug
            status
            createdAt
            profile {
              publicName
            }
            clients {
              id
              lastRequestAt
            }
          }
          owner {
            id
            email
          }
        }
      }
    }
  }
`);

/** A page of everybody’s, with how many there are of each health. */
export const allIntegrationsQuery = graphql(
  `
    query AllIntegrations($filter: IntegrationFilterInput!, $order: IntegrationOrder!, $after: String) {
      ...AllIntegrationsPart
      healthTotals {
        judgedAt
        counts {
          level
          count
        }
      }
    }
  `,
  [allIntegrationsPart],
);

/** Those of one operator. */
export const ownedIntegrationsQuery = graphql(
  `
    query OwnedIntegrations($filter: IntegrationFilterInput!, $order: IntegrationOrder!, $after: String) {
      ...AllIntegrationsPart
    }
  `,
  [allIntegrationsPart],
);

export const anyIntegrationQuery = graphql(
  `
    query AnyIntegration($slug: String!) {
      anyIntegration(slug: $slug) {
        own
        deletions {
          outstanding
          overdue
        }
        owner {
          id
          email
        }
        decisions(first: 3) {
          id
          occurredAt
          actorType
          actorId
          actorName
          action
        }
        integration {
          id
          slug
          status
          phases {
            sandbox
            production
          }
          statusReason
          statusChangedAt
          createdAt
          reviewedProfileVersion
          availableActions
          productionDataEnabled
          latestSteps {
            step
          }
          productionGate {
            open
            reason
            changedAt
          }
          profile {
            ...ProfileFacts
          }
          ...BusinessModelFacts
          clients {
            id
            environment
            commonName
            scopes
            createdAt
            lastRequestAt
            lastSyncAt
            quotaOverrides {
              quota
              value
              reason
              createdAt
              expiresAt
            }
          }
        }
      }
    }
  `,
  [profileFragment, businessModelFragment],
);

export type OutstandingDeletions = ResultOf<typeof anyIntegrationQuery>['anyIntegration']['deletions'];
export type AdministeredIntegration = ResultOf<typeof anyIntegrationQuery>['anyIntegration']['integration'];
export type Decision = ResultOf<typeof anyIntegrationQuery>['anyIntegration']['decisions'][number];
export type AdministeredClient = AdministeredIntegration['clients'][number];
export type ListedIntegration = ResultOf<typeof allIntegrationsQuery>['allIntegrations']['edges'][number]['node'];
