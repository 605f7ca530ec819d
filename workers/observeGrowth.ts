import type pg from 'pg';
import { endless } from '../server/domain/retention/growth.ts';
import { tableBytes } from '../server/platform/metrics.ts';

type Row = { readonly name: string; readonly bytes: number };

/** With indexes, long values and partitions. It asks the file system and reads no row. */
const sizesSql = `
select name, coalesce((select sum(pg_total_relation_size(p.relid)) from
         (select relid from pg_partition_tree(name::regclass) union select name::regclass) p)::float8, 0) as bytes
  from unnest($1::text[]) name`;

/** Brings the metric of the tables that only grow up to date. While the database is out of reach it has no values. */
export async function observeGrowth(pool: pg.Pool): Promise<void> {
  tableBytes.reset();
  const { rows } = await pool.query<Row>(sizesSql, [endless]);
  for (const { name, bytes } of rows) tableBytes.set({ table: name }, bytes);
}
