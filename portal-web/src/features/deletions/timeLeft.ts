import { counted } from '../../ui/text/counted.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
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

/** The two largest units of a span, as in "2 days 4 hours"; the smaller one is left out if it is zero. */
export function spanWords(span: number): string {
  if (span < minute) return 'less than a minute';
  const parts = [
    [Math.floor(span / day), 'day'],
    [Math.floor((span % day) / hour), 'hour'],
    [Math.floor((span % hour) / minute), 'minute'],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => counted(count, unit))
    .join(' ');
}
