/** Attempts are counted by what they meant for their delivery. */
export type ChartedOutcome = 'delivered' | 'retried' | 'dead';

/**
 * The bounds of the histogram in `webhook_attempt_hour.durations`, in milliseconds: the count at each place is of attempts that took at
 * most so long and longer than the bound before; one more place counts those above all bounds.
 */
export const attemptDurationBounds = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 15_000] as const;

/** The place of an attempt in the histogram. */
export function durationPlace(milliseconds: number): number {
  const place = attemptDurationBounds.findIndex((bound) => milliseconds <= bound);
  return place === -1 ? attemptDurationBounds.length : place;
}
