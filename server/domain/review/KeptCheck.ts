import type { ReviewItem } from './reviewChecklist.ts';

/** A check by the service as it is kept with the decision that was made with it: the words stay, even if the rules change. */
export type KeptCheck = {
  /** Its name, which may have left the list since. */
  readonly check: string;
  readonly title: string;
  readonly level: 'required' | 'warning' | 'suggestion';
  readonly checklistItem: ReviewItem | null;
  readonly outcome: 'passed' | 'failed' | 'unknown';
  readonly found: string;
  readonly checkedAt: string | null;
};
