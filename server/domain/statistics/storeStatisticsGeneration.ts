import type { EntityManager } from '@mikro-orm/postgresql';
import { newId } from '../shared/ids.ts';
import { limits } from '../shared/limits.ts';
import { sql } from '../shared/sql.ts';
import type { OrderStatistics } from './orderStatistics.ts';

/** Stores a generation as its client will read it, in the caller's transaction; the newest one is the current one. Returns its id. */
export async function storeStatisticsGeneration(
  tx: EntityManager,
  { clientNo, statistics, period, now }: { clientNo: number; statistics: OrderStatistics; period: { from: string; to: string }; now: Date },
): Promise<string> {
  const id = newId('gen');
  await sql(
    tx,
    `insert into statistics_generation (client_no, id, published_at, period_from, period_to, minimum_group_size, groups, basis)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [clientNo, id, now, period.from, period.to, limits.minimumGroupSize, JSON.stringify(statistics.groups), JSON.stringify(statistics.basis)],
  );
  return id;
}
