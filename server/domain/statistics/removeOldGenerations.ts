import type { EntityManager } from '@mikro-orm/postgresql';
import { limits } from '../shared/limits.ts';
import { sql } from '../shared/sql.ts';

/** The latest of a client by index statistics_generation_latest, in the sequence in which it is served. */
const removeSliceSql = `
with old as (
  select g.client_no, g.id from statistics_generation g
   where g.published_at <= $1 and exists (
     select 1 from statistics_generation newer where newer.client_no = g.client_no and (newer.published_at, newer.id) > (g.published_at, g.id))
   limit $2 for update of g skip locked),
gone as (delete from statistics_generation g using old where g.client_no = old.client_no and g.id = old.id returning 1)
select count(*)::int as count from gone`;

/**
 * Removes statistics generations 90 days after their publication; a client's latest is what it is answered and stays however old. Each
 * slice is a transaction of its own. Safe to run at any time.
 */
export async function removeOldGenerations(em: EntityManager, { now }: { now: Date }): Promise<void> {
  const before = new Date(now.getTime() - limits.formerGenerationKept);
  let removed: number;
  do {
    const [row] = await sql<{ count: number }>(em, removeSliceSql, [before, limits.removalSlice]);
    removed = row?.count ?? 0;
  } while (removed === limits.removalSlice);
}
