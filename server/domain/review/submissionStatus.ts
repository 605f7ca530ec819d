import { type Known, namesOf, factsIn, statusLifecycle } from '../shared/lifecycle.ts';
import type { TransitionTable } from '../shared/stateMachine.ts';
import { submissionFacts } from './submissionFacts.ts';

export type SubmissionStatus = Known<keyof typeof submissionFacts>;
export const submissionStatuses = namesOf(submissionFacts);

/** The reviewers have decided. A withdrawn submission was not decided. */
export const decidedStatuses = submissionStatuses.filter((status) => submissionFacts[status].isDecided);

/** Nobody has decided yet, so it can be worked on. An integration has at most one of these. */
export const openStatuses = ['submitted'] as const satisfies readonly SubmissionStatus[];

const end = ['waitingSince', 'decidedAt', 'decidedBy', 'decisionNotes'] as const;
const decision = [...end, 'checks'] as const;

/** Every change of a submission (docs/specification.md, “Submissions” and “Decisions”). What it was submitted with never changes. */
export const submissionTransitions = {
  submitForReview: { from: [], to: 'submitted', by: ['owner'], sets: ['submittedAt', 'submittedFrom', 'waitingFor', 'waitingSince'] },
  takeSubmission: { from: openStatuses, to: 'submitted', by: ['reviewer'], sets: ['reviewerId', 'takenAt'] },
  /** Also by the service, if the reviewer can no longer review. */
  releaseSubmission: { from: openStatuses, to: 'submitted', by: ['reviewer', 'service'], sets: ['reviewerId', 'takenAt'] },
  /** A question of the reviewers or an answer of the owner. It is then the other side's turn. */
  passTurn: { from: openStatuses, to: 'submitted', by: ['owner', 'reviewer'], sets: ['waitingFor', 'waitingSince'] },
  approveSubmission: { from: openStatuses, to: 'approved', by: ['reviewer'], sets: decision },
  rejectSubmission: { from: openStatuses, to: 'rejected', by: ['reviewer'], sets: decision },
  withdrawSubmission: { from: openStatuses, to: 'withdrawn', by: ['owner'], sets: end },
  /** An administrator retires an integration under review, so nothing is left to decide. */
  retireIntegration: { from: openStatuses, to: 'withdrawn', by: ['owner', 'administrator'], sets: end },
} as const satisfies TransitionTable<SubmissionStatus>;

export const submissionLifecycle = statusLifecycle('review_submission', submissionFacts, submissionTransitions);

/** Whether it can still be worked on. */
export function isOpen({ status }: { readonly status: SubmissionStatus }): boolean {
  return factsIn(submissionFacts, status).isOpen;
}
