import type { EntityManager } from '@mikro-orm/postgresql';
import { limits } from '../shared/limits.ts';
import { sql } from '../shared/sql.ts';

/** Index webhook_event_expiry. What somebody else removes at this moment is theirs. */
const removeSliceSql = `
with gone as (
  delete from webhook_event where id = any(array(
    select id from webhook_event where expires_at <= $1 order by expires_at limit $2 for update skip locked)) returning 1)
select count(*)::int as count from gone`;

/** Removes events whose time is over, each slice in a transaction of its own. Safe to run at any time. */
export async function removeExpiredEvents(em: EntityManager, { now }: { now: Date }): Promise<void> {
  let removed: number;
  do {
    const [row] = await sql<{ count: number }>(em, removeSliceSql, [now, limits.removalSlice]);
    removed = row?.count ?? 0;
  } while (removed === limits.removalSlice);
}
