import type { EntityManager } from '@mikro-orm/postgresql';
import { limits } from '../shared/limits.ts';
import { sql } from '../shared/sql.ts';

/** Removes one slice and says how many rows there were; by request_log_age and usage_counter_hour. */
const sliceSql = (table: string, column: string) => `
  with gone as (delete from ${table} where ctid = any(array(select ctid from ${table} where ${column} < $1 order by ${column} limit $2)) returning 1)
  select count(*)::int as count from gone`;

const kept = [
  { slice: sliceSql('request_log', 'occurred_at'), lifetime: limits.requestLogKept },
  { slice: sliceSql('usage_counter', 'hour'), lifetime: limits.usageCountersKept },
] as const;

/** Removes logged requests after 7 days and counters after 90, each slice in a transaction of its own. Safe to run at any time. */
export async function removeOldRequests(em: EntityManager, { now }: { now: Date }): Promise<void> {
  for (const { slice, lifetime } of kept) {
    const before = new Date(now.getTime() - lifetime);
    let removed: number;
    do {
      const [row] = await sql<{ count: number }>(em, slice, [before, limits.removalSlice]);
      removed = row?.count ?? 0;
    } while (removed === limits.removalSlice);
  }
}
