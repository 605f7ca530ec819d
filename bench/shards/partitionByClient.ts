import type pg from 'pg';
import { spread } from '../../migrations/placement.ts';
import { applyGrants } from '../../server/database/roles/applyGrants.ts';

/** It is partitioned by time already. */
const keptWhole = 'request_log';
/** The tables that `partitionByClient` divides. */
export const divided = spread.filter((table) => table !== keptWhole);
const partitions = 64;

/** The statements that make again what a table loses when it is replaced: keys first, references to other tables last. */
const remakingSql = `
select 1 as turn, format('alter table %I add constraint %I %s', relname, conname, pg_get_constraintdef(k.oid)) as statement
  from pg_constraint k join pg_class c on c.oid = k.conrelid where c.oid = $1::regclass and contype in ('p', 'u')
union all
select 2, pg_get_indexdef(indexrelid) from pg_index where indrelid = $1::regclass and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u'))
union all
select 3, pg_get_triggerdef(oid) from pg_trigger where tgrelid = $1::regclass and not tgisinternal
union all
select 4, format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint
 where contype = 'f' and (conrelid = $1::regclass or confrelid = $1::regclass)
 order by turn`;

const formerSql = `
select coalesce(' with (' || array_to_string(reloptions, ', ') || ')', '') as options, relowner::regrole::text as owner from pg_class where oid = $1::regclass`;

/**
 * Divides the tables that Citus would spread into 64 partitions by a hash of the client, with their rows. PostgreSQL refuses what Citus would:
 * a unique key without the client's number.
 */
export async function partitionByClient(db: pg.ClientBase): Promise<void> {
  const remaking = new Set<string>();
  const referring = new Set<string>();
  for (const table of divided) {
    const { rows } = await db.query<{ turn: number; statement: string }>(remakingSql, [table]);
    for (const { turn, statement } of rows) (turn === 4 ? referring : remaking).add(statement);
  }
  for (const table of divided) {
    const { rows } = await db.query<{ options: string; owner: string }>(formerSql, [table]);
    const [{ options, owner } = { options: '', owner: '' }] = rows;
    const parts = Array.from({ length: partitions }, (_, remainder) => {
      const part = `${table}_of_${remainder}`;
      return `create table ${part} partition of ${table} for values with (modulus ${partitions}, remainder ${remainder})${options}; alter table ${part} owner to ${owner}`;
    });
    await db.query(
      `alter table ${table} rename to ${table}_whole;
       create table ${table} (like ${table}_whole including defaults including constraints including generated including storage) partition by hash (client_number);
       alter table ${table} owner to ${owner};
       ${parts.join(';')}`,
    );
    await db.query(`insert into ${table} select * from ${table}_whole`);
    await db.query(`drop table ${table}_whole cascade`);
  }
  for (const statement of [...remaking, ...referring]) await db.query(statement);
  await applyGrants(db);
}
