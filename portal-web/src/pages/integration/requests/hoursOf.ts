import { sumOf, totalsOf, type ClassTotals } from './statusClasses.ts';
import type { Usage } from './usageQueries.ts';

const hour = 60 * 60 * 1000;

export type HourOfUse = { from: Date; totals: ClassTotals; sum: number };

/** Every hour of the period with its totals, including hours without requests. */
export function hoursOf({ from, hours, counts }: Pick<Usage, 'from' | 'hours' | 'counts'>): HourOfUse[] {
  return Array.from({ length: hours }, (_, index) => {
    const start = new Date(from).getTime() + index * hour;
    const totals = totalsOf(counts.filter((count) => new Date(count.hour).getTime() === start));
    return { from: new Date(start), totals, sum: sumOf(totals) };
  });
}
