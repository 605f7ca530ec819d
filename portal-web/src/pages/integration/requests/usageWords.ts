import { isRefused } from '../../../../../server/domain/usage/refusalFacts.ts';
import { type StatusClass, statusClassOf } from '../../../features/integration/statusClasses.ts';
import type { Quota, Usage } from './usageQueries.ts';

const hour = 60 * 60 * 1000;

type HourOfUse = { from: Date; sum: number; refused: number; broken: number };

/** Every hour of the period with its requests, those that were refused or failed, and of these those that failed, including hours without requests. */
export function hoursOf({ from, hours, counts }: Pick<Usage, 'from' | 'hours' | 'counts'>): HourOfUse[] {
  return Array.from({ length: hours }, (_, index) => {
    const start = new Date(from).getTime() + index * hour;
    const within = counts.filter((count) => new Date(count.hour).getTime() === start);
    return {
      from: new Date(start),
      sum: sumOf(within),
      refused: sumOf(within.filter(({ status }) => isRefused(status))),
      broken: sumOf(within.filter(({ status }) => statusClassOf(status) === 'failed')),
    };
  });
}

/** How many calls there were in the chart's day, and how many of them were refused or failed. */
export function dayOf(usage: Pick<Usage, 'from' | 'hours' | 'counts'>): { all: number; refused: number } {
  const hours = hoursOf(usage);
  return {
    all: hours.reduce((total, { sum }) => total + sum, 0),
    refused: hours.reduce((total, { refused }) => total + refused, 0),
  };
}

/** A quota that is nearly used up: 80% or more. */
export function isTight({ limit, left }: Pick<Quota, 'limit' | 'left'>): boolean {
  return limit - left >= 0.8 * limit;
}

/** The quotas worth a word: those of all requests, and of the others those that were used. */
export function shownQuotas(quotas: readonly Quota[]): Quota[] {
  return quotas.filter(({ name, limit, left }) => name === 'minute' || name === 'hour' || left < limit);
}

export type ClassTotals = Record<StatusClass, number>;

/** How many requests of each class there are. */
export function totalsOf(counts: readonly { status: number; count: number }[]): ClassTotals {
  const totals: ClassTotals = { succeeded: 0, unchanged: 0, refused: 0, failed: 0 };
  for (const { status, count } of counts) totals[statusClassOf(status)] += count;
  return totals;
}

function sumOf(counts: readonly { count: number }[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

/** A share of a whole, as in "43%". A share that is there is never none: less than a hundredth is "<1%". */
export function percentWords(share: number): string {
  return share > 0 && share < 0.01 ? '<1%' : `${Math.round(share * 100)}%`;
}
