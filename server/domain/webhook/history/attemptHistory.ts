import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../../shared/sql.ts';
import { attemptDurationBounds } from '../delivery/attemptChart.ts';

const hour = 60 * 60 * 1000;

/** How far back a chart goes, and how long each of its bars is. */
const chartPeriods = { day: { length: 24 * hour, bucket: hour }, week: { length: 7 * 24 * hour, bucket: 6 * hour } } as const;
export type ChartPeriod = keyof typeof chartPeriods;
export const chartPeriodNames = Object.keys(chartPeriods) as ChartPeriod[];

/** The attempts of one part of a chart by what they led to, and how long they took. */
export type AttemptBucket = {
  readonly from: Date;
  readonly delivered: number;
  readonly retried: number;
  readonly dead: number;
  /** Half and 95% of the attempts took at most so long, in milliseconds, estimated within a class of durations. Null without attempts. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
};

type Row = {
  readonly at: Date;
  readonly outcome: 'delivered' | 'retried' | 'dead';
  readonly count: number;
  readonly durations: readonly number[];
};

/** By the primary key. At most three rows for each of 168 hours. */
const hoursSql = `
select hour as at, outcome, count, durations from webhook_attempt_hour where endpoint_number = $1 and hour >= $2 and hour <= $3`;

/** An endpoint's attempts of the last day by the hour, or of the last week by the quarter of a day (in UTC), oldest first. */
export async function attemptHistory(
  em: EntityManager,
  { endpointNumber, period, now }: { endpointNumber: number; period: ChartPeriod; now: Date },
): Promise<AttemptBucket[]> {
  const { length, bucket } = chartPeriods[period];
  const end = Math.floor(now.getTime() / bucket) * bucket + bucket;
  const rows = await sql<Row>(em, hoursSql, [endpointNumber, new Date(end - length), now]);
  return Array.from({ length: length / bucket }, (_, index) => {
    const from = end - length + index * bucket;
    return bucketOf(
      from,
      rows.filter(({ at }) => at.getTime() >= from && at.getTime() < from + bucket),
    );
  });
}

function bucketOf(from: number, rows: readonly Row[]): AttemptBucket {
  const counted = (wanted: Row['outcome']) => rows.reduce((sum, { outcome, count }) => sum + (outcome === wanted ? count : 0), 0);
  const classes = Array.from({ length: attemptDurationBounds.length + 1 }, (_, index) =>
    rows.reduce((sum, { durations }) => sum + (durations[index] ?? 0), 0),
  );
  return {
    from: new Date(from),
    delivered: counted('delivered'),
    retried: counted('retried'),
    dead: counted('dead'),
    p50Ms: quantile(classes, 0.5),
    p95Ms: quantile(classes, 0.95),
  };
}

/** The duration below which a part of the attempts lies: within its class, durations count as evenly spread. Above all bounds, the last bound. */
function quantile(classes: readonly number[], part: number): number | null {
  const wanted = part * classes.reduce((sum, count) => sum + count, 0);
  if (wanted === 0) return null;
  let before = 0;
  for (const [index, count] of classes.entries()) {
    const bound = attemptDurationBounds[index];
    if (bound === undefined) break;
    if (before + count >= wanted) {
      const lower = attemptDurationBounds[index - 1] ?? 0;
      return Math.round(lower + ((bound - lower) * (wanted - before)) / count);
    }
    before += count;
  }
  return attemptDurationBounds.at(-1) ?? null;
}
