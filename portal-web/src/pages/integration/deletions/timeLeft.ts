import { spanWords } from '../../../../../server/domain/shared/text/spanWords.ts';

const day = 24 * 60 * 60 * 1000;
/** Owners are warned on day 5 of 7 (docs/specification.md, “Deletion deadlines”). */
const soon = 2 * day;

export type TimeLeft = {
  /** The time left in words, as in "6 days 4 hours left" or "overdue for 3 hours". */
  words: string;
  urgency: 'calm' | 'soon' | 'overdue';
};

/** How much time is left until `deadline`. */
export function timeLeft(deadline: Date, now: Date): TimeLeft {
  const left = deadline.getTime() - now.getTime();
  if (left <= 0) return { words: `overdue for ${spanWords(-left)}`, urgency: 'overdue' };
  return { words: `${spanWords(left)} left`, urgency: left <= soon ? 'soon' : 'calm' };
}
