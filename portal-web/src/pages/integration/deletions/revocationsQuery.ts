import { deletionFacts } from '../../../../../server/domain/sharing/deletionFacts.ts';
import { graphql, type ResultOf } from '../../../graphql/graphql.ts';
import type { Environment } from '../../../features/integration/environmentsOf.ts';

/** One page of what an integration has to delete in an environment, or has deleted, with how much is due there and elsewhere. */
export const revocationsQuery = graphql(`
  query Revocations(
    $slug: String!
    $environment: Environment
    $state: RevocationState!
    $order: RevocationOrder!
    $id: ID
    $first: Int!
    $after: String
  ) {
    revocations(slug: $slug, environment: $environment, state: $state, order: $order, id: $id, first: $first, after: $after) {
      outstandingCount
      dueCount
      overdueCount
      nextDeadlineAt
      overdueSince
      lastDoneAt
      elsewhere {
        dueCount
        overdueCount
        nextDeadlineAt
      }
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

export type DeletionFilters = {
  readonly state: 'outstanding' | 'overdue' | 'acknowledged';
  /** The only revocation that is shown, whatever its state, or null. */
  readonly id: string | null;
};

/** What the page shows at first. */
export const outstandingDeletions: DeletionFilters = { state: 'outstanding', id: null };

/** What a page of the list asks for. */
export function revocationsPage(slug: string, environment: Environment, { state, id }: DeletionFilters, after: string | null) {
  return { slug, environment, state, id, order: deletionFacts[state].isDone ? 'newest' : 'deadline', first: 20, after } as const;
}
