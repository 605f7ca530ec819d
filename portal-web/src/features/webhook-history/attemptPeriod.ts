import { hourWords } from '../../ui/time/timeWords.ts';

export type AttemptPeriod = 'day' | 'week';

/** The times below a chart: of its first bucket, the middle one and the last. */
export function timesBelow(buckets: readonly { readonly from: string }[]): string[] {
  return [0, Math.floor(buckets.length / 2), buckets.length - 1].map((index) =>
    buckets[index] ? hourWords(new Date(buckets[index].from)) : '',
  );
}
