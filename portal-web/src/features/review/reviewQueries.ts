import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { agreementFragment } from '../business-model/businessModelQuery.ts';
import { profileFragment } from '../integration/profileFragment.ts';
import { evidenceFragment } from '../review-evidence/evidenceQuery.ts';
import { checkFragment } from './checkFragment.ts';
import { reviewCountsFragment } from '../review-queue/reviewCountsFragment.ts';
import { reviewedEndpointFragment } from '../webhook-tests/testQueries.ts';

/** A submission, as owners and reviewers see it. */
export const submissionFragment = graphql(`
  fragment SubmissionFacts on Submission {
    id
    number
    status
    profileVersion
    scopes
    termsVersion
    reviewUrl
    submittedAt
    waitingFor
    waitingSince
    decidedAt
    decisionNotes
    withdrawnByOwner
    taken
    checklist {
      item
      confirmed
      title
      statement
      lookFor
      word
      verdict {
        met
        note
        givenAt
      }
    }
    messages {
      id
      authorRole
      body
      writtenAt
    }
  }
`);

/** An earlier submission: what came of it. There may be twenty of them. */
export const earlierSubmissionFragment = graphql(`
  fragment EarlierSubmissionFacts on Submission {
    id
    number
    status
    profileVersion
    scopes
    termsVersion
    reviewUrl
    submittedAt
    decidedAt
    decisionNotes
    withdrawnByOwner
    checklist {
      item
      title
      word
      verdict {
        met
        note
      }
    }
    messages {
      id
      authorRole
      body
      writtenAt
    }
  }
`);

/** A page of the reviewers' queue. */
export const submissionsQuery = graphql(
  `
    query Submissions($tab: QueueTab, $ended: SubmissionStatus, $search: String, $after: String) {
      submissions(tab: $tab, ended: $ended, search: $search, first: 25, after: $after) {
        tab
        pageInfo {
          hasNextPage
          endCursor
        }
        edges {
          node {
            id
            number
            status
            submittedAt
            waitingFor
            waitingSince
            taken
            mine
            reviewer
            points {
              met
              notMet
              total
            }
            profile {
              publicName
            }
          }
        }
      }
      reviewCounts {
        ...ReviewCountsFacts
      }
      reviewTimes {
        decisions
        medianSeconds
        ninetiethPercentileSeconds
      }
    }
  `,
  [reviewCountsFragment],
);

/** What to review after a decision. */
export const nextSubmissionQuery = graphql(`
  query NextSubmission($after: ID) {
    nextSubmission(after: $after) {
      id
    }
  }
`);

/** Everything that a reviewer needs for a decision. */
export const submissionQuery = graphql(
  `
    query Submission($id: ID!) {
      submission(id: $id) {
        ...SubmissionFacts
        slug
        mine
        reviewer
        comparedWith
        changes {
          field
          label
          before
          after
          consentRelevant
          minor
        }
        profile {
          ...ProfileFacts
        }
        businessModelReports {
          id
          description
          reportedAt
        }
        commercialAgreements {
          ...AgreementFacts
        }
        evidence {
          ...EvidenceFacts
        }
        webhookEndpoints {
          ...ReviewedEndpointFacts
        }
        earlierSubmissions {
          ...EarlierSubmissionFacts
        }
        formerNotes {
          item
          notes
        }
        checks {
          ...CheckFacts
        }
        drafts {
          part
          met
          note
          version
        }
        presence {
          reviewer
          openedAt
        }
        followedLinks
      }
      reviewChecklist {
        item
        links
        evidence
      }
      currentTerms {
        version
      }
    }
  `,
  [
    submissionFragment,
    checkFragment,
    earlierSubmissionFragment,
    evidenceFragment,
    reviewedEndpointFragment,
    profileFragment,
    agreementFragment,
  ],
);

export type Submission = ResultOf<typeof submissionFragment>;
export type EarlierSubmission = ResultOf<typeof earlierSubmissionFragment>;
export type SubmissionInReview = ResultOf<typeof submissionQuery>['submission'];
export type Reviewed = ResultOf<typeof submissionQuery>;
export type QueuedSubmission = ResultOf<typeof submissionsQuery>['submissions']['edges'][number]['node'];
