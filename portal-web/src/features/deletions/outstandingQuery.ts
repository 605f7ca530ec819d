import { graphql } from '../../graphql/graphql.ts';

/** How many deletions an integration owes, and the nearest deadline. */
export const outstandingQuery = graphql(`
  query OutstandingDeletions($slug: String!) {
    revocations(slug: $slug, state: due, first: 1) {
      dueCount
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
