import { graphql, type ResultOf } from '../../graphql/graphql.ts';

/** One thing that the service has found out by itself. */
export const checkFragment = graphql(`
  fragment CheckFacts on SubmissionCheck {
    check
    title
    level
    outcome
    found
    checkedAt
    checking
    checklistItem
  }
`);

export type Check = ResultOf<typeof checkFragment>;
