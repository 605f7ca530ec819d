import { graphql, type ResultOf } from '../../graphql/graphql.ts';

/** How much there is in each list for reviewers. */
export const reviewCountsFragment = graphql(`
  fragment ReviewCountsFacts on ReviewCounts {
    mine
    unassigned
    colleagues
    waitingForOwner
    decided
    reports
    revisions
    lastDecidedAt
  }
`);

export type ReviewCounts = ResultOf<typeof reviewCountsFragment>;
