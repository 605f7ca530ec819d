import type { EntityManager } from '@mikro-orm/postgresql';
import { limits } from '../shared/limits.ts';
import { sql } from '../shared/sql.ts';
import { retention, type Retention } from './retention.ts';

/**
 * Removes everything that has been kept long enough, each slice in a transaction of its own. Safe to run at any time, even twice at once.
 * Failures are reported at the end, so that none of them keeps anything else from being removed. Errors: an AggregateError that names what
 * is left.
 */
export async function removeExpired(em: EntityManager, { now }: { now: Date }): Promise<void> {
  const failures: { what: string; error: unknown }[] = [];
  for (const each of retention) {
    try {
      await removeSlices(em, each, now);
    } catch (error) {
      failures.push({ what: each.what, error });
    }
  }
  if (failures.length === 0) return;
  throw new AggregateError(
    failures.map(({ error }) => error),
    `Not all could be removed from: ${failures.map(({ what }) => what).join(', ')}.`,
  );
}

async function removeSlices(em: EntityManager, { kept, sliceSql }: Retention, now: Date): Promise<void> {
  const until = new Date(now.getTime() - kept);
  let removed: number;
  do {
    const [row] = await sql<{ count: number }>(em, sliceSql, [until, limits.removalSlice]);
    removed = row?.count ?? 0;
  } while (removed === limits.removalSlice);
}
