/** Ranges of time that a reader chooses by word; an exact one is given by its days. */
export const timeRanges = [
  { value: '', label: 'All time' },
  { value: '1', label: 'Last 24 hours' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: 'days', label: 'Custom range' },
] as const;

const day = 24 * 60 * 60 * 1000;

type Range = { time: string; from: string; to: string };

/** The instants of a range; whole hours where it moves with the clock, so that a page asked for again is the same page. */
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
