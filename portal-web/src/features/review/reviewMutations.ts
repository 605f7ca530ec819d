import { graphql } from '../../graphql/graphql.ts';

export const submitForReviewMutation = graphql(`
  mutation SubmitForReview($input: SubmitForReviewInput!) {
    submitForReview(input: $input) {
      id
      number
    }
  }
`);

export const withdrawSubmissionMutation = graphql(`
  mutation WithdrawSubmission($input: WithdrawSubmissionInput!) {
    withdrawSubmission(input: $input) {
      id
      status
    }
  }
`);

export const answerQuestionMutation = graphql(`
  mutation AnswerQuestion($input: ReviewMessageInput!) {
    answerQuestion(input: $input) {
      id
    }
  }
`);

export const askQuestionMutation = graphql(`
  mutation AskQuestion($input: ReviewMessageInput!) {
    askQuestion(input: $input) {
      id
    }
  }
`);

export const takeSubmissionMutation = graphql(`
  mutation TakeSubmission($input: TakeSubmissionInput!) {
    takeSubmission(input: $input) {
      id
    }
  }
`);

export const releaseSubmissionMutation = graphql(`
  mutation ReleaseSubmission($input: SubmissionInput!) {
    releaseSubmission(input: $input) {
      id
    }
  }
`);

export const saveReviewDraftMutation = graphql(`
  mutation SaveReviewDraft($input: SaveReviewDraftInput!) {
    saveReviewDraft(input: $input)
  }
`);

export const checkSubmittedPagesMutation = graphql(`
  mutation CheckSubmittedPages($input: SubmissionInput!) {
    checkSubmittedPages(input: $input) {
      id
    }
  }
`);

export const noteReviewVisitMutation = graphql(`
  mutation NoteReviewVisit($input: NoteReviewVisitInput!) {
    noteReviewVisit(input: $input)
  }
`);

export const approveSubmissionMutation = graphql(`
  mutation ApproveSubmission($input: ReviewDecisionInput!) {
    approveSubmission(input: $input) {
      id
      status
    }
  }
`);

export const rejectSubmissionMutation = graphql(`
  mutation RejectSubmission($input: ReviewDecisionInput!) {
    rejectSubmission(input: $input) {
      id
      status
    }
  }
`);
