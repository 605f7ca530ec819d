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

/** The end of the chart's scale: a round number whose half is a whole number. */
export function scaleEnd(highest: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(highest, 1)));
  return Math.max([1, 2, 4, 6, 8, 10].map((step) => step * power).find((end) => end >= highest) ?? highest, 4);
}

/** The hour in UTC, such as "21 Nov, 10:00". */
export function hourWords(at: Date): string {
  return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', timeZone: 'UTC' }).format(
    at,
  );
}
