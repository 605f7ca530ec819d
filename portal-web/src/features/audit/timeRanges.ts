import { dayComplaint, startOfDay } from '../../ui/time/dayComplaint.ts';

/** The named ranges of time. An exact range is given by its first and last day. */
export const timeRanges = [
  { value: '', label: 'All time' },
  { value: '1', label: 'Last 24 hours' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: 'days', label: 'Custom range' },
] as const;

const day = 24 * 60 * 60 * 1000;

type Range = { time: string; from: string; to: string };

/**
 * The beginning and end of a range. A range that moves with the clock moves by whole hours, so that reading a page again gives the same
 * page.
 */
export function instantsOf({ time, from, to }: Range, now: Date): { from: string | null; to: string | null } {
  const days = Number(time);
  if (time === 'days') {
    return {
      from: startOfDay(from),
      to: to === '' || startOfDay(to) === null ? null : new Date(Date.parse(startOfDay(to) ?? '') + day).toISOString(),
    };
  }
  if (!Number.isInteger(days) || days <= 0) return { from: null, to: null };
  const hour = Math.floor(now.getTime() / 3_600_000) * 3_600_000;
  return { from: new Date(hour - days * day).toISOString(), to: null };
}

/** What is wrong with the days of a range, by field. */
export function dayComplaints({ from, to }: Pick<Range, 'from' | 'to'>): { from?: string; to?: string } {
  const [first, last] = [dayComplaint(from), dayComplaint(to)];
  if (!first && !last && from !== '' && to !== '' && to < from) return { to: 'The last day must not be before the first.' };
  return { ...(first && { from: first }), ...(last && { to: last }) };
}
