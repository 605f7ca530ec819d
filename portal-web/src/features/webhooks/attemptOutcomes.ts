import { counted } from '../../ui/text/counted.ts';
import type { AttemptBucket } from './webhookQueries.ts';

/** What can come of an attempt, in the order in which the charts stack it. */
export const attemptOutcomes = {
  delivered: 'Delivered',
  retried: 'Failed and tried again',
  dead: 'Failed for good',
} as const satisfies Partial<Record<keyof AttemptBucket, string>>;

type AttemptOutcome = keyof typeof attemptOutcomes;
export const attemptOutcomeNames = Object.keys(attemptOutcomes) as AttemptOutcome[];

type Counts = Pick<AttemptBucket, AttemptOutcome>;

/** The sums over all buckets. */
export function totalsOf(buckets: readonly Counts[]): Counts {
  const totals = { delivered: 0, retried: 0, dead: 0 };
  for (const bucket of buckets) for (const name of attemptOutcomeNames) totals[name] += bucket[name];
  return totals;
}

export function sumOf(counts: Counts): number {
  return attemptOutcomeNames.reduce((sum, name) => sum + counts[name], 0);
}

/** As in "12 attempts in the last 24 hours: 11 delivered, 1 failed for good", or "8 attempts in the last 24 hours, all delivered". */
export function countsWords(counts: Counts, when: string): string {
  const sum = sumOf(counts);
  if (sum === 0) return `No attempts ${when}`;
  const attempts = `${counted(sum, 'attempt')} ${when}`;
  const came = attemptOutcomeNames.filter((name) => counts[name] > 0);
  const [only] = came;
  if (came.length === 1 && only) return `${attempts}, ${sum === 1 ? '' : 'all '}${attemptOutcomes[only].toLowerCase()}`;
  return `${attempts}: ${came.map((name) => `${counts[name].toLocaleString('en')} ${attemptOutcomes[name].toLowerCase()}`).join(', ')}`;
}
