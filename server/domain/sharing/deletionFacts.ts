import type { StatusWord } from '../shared/text/statusWord.ts';

type DeletionFacts = StatusWord & {
  /** Whether the operator has said that it has deleted. */
  readonly isDone: boolean;
  /** Whether it has not, and should have. */
  readonly isLate: boolean;
};

/** What each state of the deletion that a revocation requires means. */
export const deletionFacts = {
  outstanding: { tone: 'waiting', word: 'Outstanding', isDone: false, isLate: false },
  overdue: { tone: 'bad', word: 'Overdue', isDone: false, isLate: true },
  acknowledged: { tone: 'good', word: 'Acknowledged', isDone: true, isLate: false },
} as const satisfies Readonly<Record<string, DeletionFacts>>;
