import { graphql } from '../../graphql/graphql.ts';

/** How many deletions an integration owes, and the nearest deadline. */
export const outstandingQuery = graphql(`
  query OutstandingDeletions($slug: String!) {
    revocations(slug: $slug, first: 1) {
      outstandingCount
      overdueCount
      edges {
        node {
          id
          environment
          deletionDeadlineAt
        }
      }
    }
  }
`);
