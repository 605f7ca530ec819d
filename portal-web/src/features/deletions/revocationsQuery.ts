import { graphql, type ResultOf } from '../../graphql/graphql.ts';

/** One page of what an integration has to delete, or has deleted. */
export const revocationsQuery = graphql(`
  query Revocations(
    $slug: String!
    $environment: Environment
    $state: RevocationState!
    $order: RevocationOrder!
    $first: Int!
    $after: String
  ) {
    revocations(slug: $slug, environment: $environment, state: $state, order: $order, first: $first, after: $after) {
      outstandingCount
      overdueCount
      pageInfo {
        hasNextPage
        endCursor
      }
      edges {
        node {
          id
          environment
          subjectType
          subjectId
          connectionId
          resourceCount
          revokedAt
          deletionDeadlineAt
          acknowledgedAt
          acknowledgedLate
          recordedByHand
          fixture
        }
      }
    }
  }
`);

export type RevocationPage = ResultOf<typeof revocationsQuery>['revocations'];
export type Revocation = RevocationPage['edges'][number]['node'];
