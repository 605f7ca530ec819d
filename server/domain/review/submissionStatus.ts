import { statusLifecycle } from '../shared/lifecycle.ts';
import type { TransitionTable } from '../shared/stateMachine.ts';

/** `withdrawn`: its owner took it back, or the integration was retired, before anybody decided. */
export const submissionStatuses = ['submitted', 'rejected', 'approved', 'withdrawn'] as const;
export type SubmissionStatus = (typeof submissionStatuses)[number];

/** The reviewers have decided; what was withdrawn, nobody has. */
export const decidedStatuses = ['approved', 'rejected'] as const satisfies readonly SubmissionStatus[];

/** Nobody has decided yet, so it can be worked on; an integration has one of these at most. */
export const openStatuses = ['submitted'] as const satisfies readonly SubmissionStatus[];

const end = ['waitingSince', 'decidedAt', 'decidedBy', 'decisionNotes'] as const;

/** Every change of a submission (docs/specification.md, “Submissions” and “Decisions”); what it was submitted with never changes. */
export const submissionTransitions = {
  submitForReview: { from: [], to: 'submitted', by: ['owner'], sets: ['submittedAt', 'submittedFrom', 'waitingFor', 'waitingSince'] },
  takeSubmission: { from: openStatuses, to: 'submitted', by: ['reviewer'], sets: ['reviewerId', 'takenAt'] },
  /** Also by the service, where the reviewer can review no longer. */
  releaseSubmission: { from: openStatuses, to: 'submitted', by: ['reviewer', 'service'], sets: ['reviewerId', 'takenAt'] },
  /** A question of the reviewers or an answer of the owner: it is the other side's turn. */
  passTurn: { from: openStatuses, to: 'submitted', by: ['owner', 'reviewer'], sets: ['waitingFor', 'waitingSince'] },
  approveSubmission: { from: openStatuses, to: 'approved', by: ['reviewer'], sets: end },
  rejectSubmission: { from: openStatuses, to: 'rejected', by: ['reviewer'], sets: end },
  withdrawSubmission: { from: openStatuses, to: 'withdrawn', by: ['owner'], sets: end },
  /** An administrator retires what is under review; there is nothing left to decide. */
  retireIntegration: { from: openStatuses, to: 'withdrawn', by: ['owner', 'administrator'], sets: end },
} as const satisfies TransitionTable<SubmissionStatus>;

export const submissionLifecycle = statusLifecycle('review_submission', submissionStatuses, submissionTransitions);

/** Whether it can still be worked on. */
export function isOpen({ status }: { readonly status: SubmissionStatus }): boolean {
  return openStatuses.some((each) => each === status);
}
