import type { StatusWord } from '../shared/text/statusWord.ts';

type SubmissionFacts = StatusWord & {
  /** Nobody has decided yet, so it can be worked on. An integration has at most one of these. */
  readonly isOpen: boolean;
  /** The reviewers have decided. */
  readonly isDecided: boolean;
};

/** What each status of a submission means. `withdrawn`: its owner withdrew it, or the integration was retired, before anybody decided. */
export const submissionFacts = {
  submitted: { tone: 'underWay', word: 'Submitted', isOpen: true, isDecided: false },
  rejected: { tone: 'bad', word: 'Rejected', isOpen: false, isDecided: true },
  approved: { tone: 'good', word: 'Approved', isOpen: false, isDecided: true },
  withdrawn: { tone: 'stopped', word: 'Withdrawn', isOpen: false, isDecided: false },
  unknown: { tone: 'neutral', word: 'Unknown', isOpen: false, isDecided: false },
} as const satisfies Readonly<Record<string, SubmissionFacts>>;
