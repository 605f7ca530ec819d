import { graphql, type ResultOf, type VariablesOf } from '../../../graphql/graphql.ts';
import { attentionFragment } from '../../../features/attention/attentionFragment.ts';

const rowFragment = graphql(`
  fragment HomeRow on Integration {
    id
    slug
    status
    profile {
      publicName
    }
    sandbox: health(environment: sandbox) {
      level
      word
      needs
      certificateEnds
    }
    production: health(environment: production) {
      level
      word
      needs
      certificateEnds
    }
    missingForReview
    nextStep {
      level
      title
      act {
        label
        page
        environment
        objectId
      }
    }
    clients {
      id
      environment
      corpus {
        state
      }
    }
    clientInUse {
      id
      environment
      lastSyncAt
      traffic {
        hour
        total
        failed
        broken
      }
    }
  }
`);

/** Everything that the operator’s home shows, but those that are retired. */
export const homeQuery = graphql(
  `
    query Home($first: Int!, $after: String, $search: String, $health: HealthLevel, $need: AttentionKind) {
      viewer {
        healthCounts {
          level
          count
        }
        attentionCount
        deletionsToDo {
          count
          overdue
          integrations
        }
        attention {
          ...AttentionFacts
        }
      }
      integrations(retired: false, search: $search, health: $health, need: $need, first: $first, after: $after) {
        totalCount
        retiredCount
        pageInfo {
          hasNextPage
          endCursor
        }
        edges {
          node {
            ...HomeRow
          }
        }
      }
    }
  `,
  [attentionFragment, rowFragment],
);

/** The first page of it. */
export const firstHome: VariablesOf<typeof homeQuery> = { first: 20, after: null, search: null, health: null, need: null };

/** The viewer’s integrations that are retired. */
export const retiredQuery = graphql(`
  query RetiredIntegrations($first: Int!, $after: String) {
    integrations(retired: true, first: $first, after: $after) {
      pageInfo {
        hasNextPage
        endCursor
      }
      edges {
        node {
          id
          slug
          statusChangedAt
          profile {
            publicName
          }
        }
      }
    }
  }
`);

export type HomeRow = ResultOf<typeof rowFragment>;
