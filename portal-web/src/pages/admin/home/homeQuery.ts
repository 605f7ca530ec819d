import { graphql, type ResultOf } from '../../../graphql/graphql.ts';
import { attentionFragment } from '../../../features/attention/attentionFragment.ts';

/** Everything that the administrators’ home shows. */
export const adminHomeQuery = graphql(
  `
    query AdminHome {
      administratorsHome {
        attention {
          checkedAt
          items {
            ...AttentionFacts
          }
        }
        traffic {
          hour
          total
          failed
          broken
        }
        refusals(first: 5) {
          problem
          requests
          more
          integrations
        }
        staffActs(first: 5) {
          id
          occurredAt
          actorType
          actorId
          actorName
          action
          subjectType
          subjectId
          subjectName
        }
      }
      allIntegrations(filter: {}, order: newest, first: 5) {
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
            }
          }
        }
      }
    }
  `,
  [attentionFragment],
);

export type AdminHome = ResultOf<typeof adminHomeQuery>['administratorsHome'];
export type StaffAct = NonNullable<AdminHome['staffActs']>[number];
export type NewIntegration = ResultOf<typeof adminHomeQuery>['allIntegrations']['edges'][number]['node'];
