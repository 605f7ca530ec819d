import { graphql, type ResultOf } from '../../../graphql/graphql.ts';
import { attentionFragment } from '../../../features/attention/attentionFragment.ts';
import { healthFragment } from '../../../features/attention/healthFragment.ts';

const clientFragment = graphql(`
  fragment OverviewClient on Client {
    id
    environment
    commonName
    scopes
    lastRequestAt
    lastSyncAt
    corpus {
      state
    }
    traffic {
      hour
      total
      failed
      broken
    }
    errorGroups(first: 3) {
      id
      problem
      status
      operation
      serial
      count
      lastAt
      open
      title
      advice
    }
  }
`);

/** Everything that the overview of an integration shows, besides what its tabs share. */
export const overviewQuery = graphql(
  `
    query Overview($slug: String!) {
      integration(slug: $slug) {
        id
        sandbox: health(environment: sandbox) {
          ...HealthFacts
        }
        production: health(environment: production) {
          ...HealthFacts
        }
        attention {
          ...AttentionFacts
        }
        nextStep {
          level
          title
          detail
          text
          since
          deadline
          timeForm
          contact
          act {
            label
            page
            environment
            objectId
          }
        }
        clients {
          ...OverviewClient
        }
        missingForReview
        evidence {
          kind
          title
          explanation
          seen {
            firstAt
          }
        }
      }
    }
  `,
  [attentionFragment, healthFragment, clientFragment],
);

export type Overview = ResultOf<typeof overviewQuery>['integration'];
export type OverviewClient = ResultOf<typeof clientFragment>;
