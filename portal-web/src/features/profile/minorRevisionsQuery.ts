import { graphql } from '../../graphql/graphql.ts';
import { reviewCountsFragment } from '../review-queue/reviewCountsFragment.ts';

/** The changes that other operators have made to approved profiles, newest first. */
export const minorRevisionsQuery = graphql(
  `
    query MinorRevisions($search: String, $after: String) {
      minorRevisions(search: $search, first: 20, after: $after) {
        pageInfo {
          hasNextPage
          endCursor
        }
        edges {
          node {
            integrationId
            slug
            status
            profile {
              version
              publicName
              createdAt
            }
            changes {
              field
              label
              before
              after
              consentRelevant
              minor
            }
          }
        }
      }
      reviewCounts {
        ...ReviewCountsFacts
      }
    }
  `,
  [reviewCountsFragment],
);
