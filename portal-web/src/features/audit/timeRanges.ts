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
      from: startOf(from),
      to: to === '' || startOf(to) === null ? null : new Date(Date.parse(startOf(to) ?? '') + day).toISOString(),
    };
  }
  if (!Number.isInteger(days) || days <= 0) return { from: null, to: null };
  const hour = Math.floor(now.getTime() / 3_600_000) * 3_600_000;
  return { from: new Date(hour - days * day).toISOString(), to: null };
}

function startOf(date: string): string | null {
  return /^\d{4}-\d{2}-\d{2}$/.test(date) && !Number.isNaN(Date.parse(date)) ? `${date}T00:00:00.000Z` : null;
}
