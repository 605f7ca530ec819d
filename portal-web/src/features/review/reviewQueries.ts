import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { agreementFragment } from '../business-model/businessModelQuery.ts';
import { profileFragment } from '../integration/profileFragment.ts';
import { evidenceFragment } from '../review-evidence/evidenceQuery.ts';
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

/** What the page “Production” shows about an integration's reviews. */
export const ownSubmissionsQuery = graphql(
  `
    query OwnSubmissions($slug: String!, $after: String) {
      ownSubmissions(slug: $slug, first: 5, after: $after) {
        obstacles {
          kind
          words
        }
        pageInfo {
          hasNextPage
          endCursor
        }
        edges {
          node {
            ...SubmissionFacts
          }
        }
      }
      reviewChecklist {
        item
        title
        statement
      }
      integration(slug: $slug) {
        id
        evidence {
          ...EvidenceFacts
        }
      }
    }
  `,
  [submissionFragment, evidenceFragment],
);

export const reviewTimesQuery = graphql(`
  query ReviewTimes {
    reviewTimes {
      decisions
      medianSeconds
      ninetiethPercentileSeconds
    }
  }
`);

/** A page of the reviewers' queue. */
export const submissionsQuery = graphql(`
  query Submissions(
    $status: SubmissionStatus!
    $waitingFor: ReviewRole
    $assignee: QueueAssignee!
    $order: QueueOrder!
    $search: String
    $after: String
  ) {
    submissions(status: $status, waitingFor: $waitingFor, assignee: $assignee, order: $order, search: $search, first: 25, after: $after) {
      pageInfo {
        hasNextPage
        endCursor
      }
      edges {
        node {
          id
          slug
          number
          status
          submittedAt
          waitingFor
          waitingSince
          decidedAt
          taken
          mine
          reviewer
          profile {
            publicName
          }
        }
      }
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
          ...SubmissionFacts
        }
      }
      currentTerms {
        version
      }
    }
  `,
  [submissionFragment, evidenceFragment, reviewedEndpointFragment, profileFragment, agreementFragment],
);

export type Submission = ResultOf<typeof submissionFragment>;
export type OwnReview = ResultOf<typeof ownSubmissionsQuery>;
export type SubmissionInReview = ResultOf<typeof submissionQuery>['submission'];
export type QueuedSubmission = ResultOf<typeof submissionsQuery>['submissions']['edges'][number]['node'];
