import { graphql, type ResultOf } from '../../../graphql/graphql.ts';
import { evidenceFragment } from '../../../features/review-evidence/evidenceQuery.ts';
import { checkFragment } from '../../../features/review/checkFragment.ts';
import { earlierSubmissionFragment, submissionFragment } from '../../../features/review/reviewQueries.ts';

/** What the page “Go live” shows besides what all pages of an integration share. */
export const productionQuery = graphql(
  `
    query Production($slug: String!) {
      ownSubmissions(slug: $slug, first: 1) {
        edges {
          node {
            ...SubmissionFacts
            checks {
              ...CheckFacts
            }
          }
        }
      }
      reviewTimes {
        decisions
        medianSeconds
        ninetiethPercentileSeconds
      }
      reviewChecklist {
        item
        title
        statement
      }
      integration(slug: $slug) {
        id
        reviewQueue {
          before
          medianDays
          turn
        }
        submissionChecks {
          ...CheckFacts
        }
        submissionDraft {
          profileVersion
          reviewUrl
          confirmations {
            item
            confirmed
            word
          }
          version
          savedAt
        }
        evidence {
          ...EvidenceFacts
        }
      }
    }
  `,
  [submissionFragment, checkFragment, evidenceFragment],
);

/** The submissions of an integration, a page at a time. */
export const closedSubmissionsQuery = graphql(
  `
    query ClosedSubmissions($slug: String!, $after: String) {
      ownSubmissions(slug: $slug, first: 5, after: $after) {
        pageInfo {
          hasNextPage
          endCursor
        }
        edges {
          node {
            ...EarlierSubmissionFacts
          }
        }
      }
    }
  `,
  [earlierSubmissionFragment],
);

export const saveSubmissionDraftMutation = graphql(`
  mutation SaveSubmissionDraft($input: SaveSubmissionDraftInput!) {
    saveSubmissionDraft(input: $input) {
      version
      savedAt
    }
  }
`);

export const checkPagesMutation = graphql(
  `
    mutation CheckPages($input: CheckPagesInput!) {
      checkPages(input: $input) {
        id
        submissionChecks {
          ...CheckFacts
        }
      }
    }
  `,
  [checkFragment],
);

export type Production = ResultOf<typeof productionQuery>;
export type OwnSubmission = Production['ownSubmissions']['edges'][number]['node'];
export type ChecklistItem = Production['reviewChecklist'][number];
