import type { StatusTone } from '../../ui/values/statusTone.ts';

/** The label of the words that end a submission. */
export function notesLabel({ withdrawnByOwner }: { withdrawnByOwner: boolean }): string {
  return withdrawnByOwner ? 'Reason for withdrawing' : 'Decision notes';
}

/** How the status of a submission is shown. */
export const submissionStatusWords = {
  submitted: { tone: 'waiting', word: 'Submitted' },
  rejected: { tone: 'bad', word: 'Rejected' },
  approved: { tone: 'good', word: 'Approved' },
  withdrawn: { tone: 'stopped', word: 'Withdrawn' },
} as const satisfies Record<string, { tone: StatusTone; word: string }>;
