import type pg from 'pg';
import type { Migration } from '../migration/migrations.ts';
import { formerRights, type Rights, tables } from './grants.ts';

/** The tables with a line in `grants.ts`. */
export const tablesWithRights = (former: Rights = formerRights): ReadonlySet<string> =>
  new Set([...Object.keys(tables), ...Object.keys(former.tables)]);

/** Every table of the service. Partitions are reached through their table, and need no line. */
const tablesSql = `
select c.relname as name, c.relispartition as partition from pg_class c join pg_namespace n on n.oid = c.relnamespace
 where n.nspname = 'public' and c.relkind in ('r', 'p', 'v', 'm', 'f') order by c.relname`;

/**
 * Refuses a table of which nobody has decided who may use it, while what made it can still be rolled back. One that a later migration of the
 * same run removes or renames needs no line. Resolves with the names of those that there are.
 */
export async function refuseTablesWithoutRights(
  client: pg.ClientBase,
  named: ReadonlySet<string>,
  later: readonly Pick<Migration, 'sql'>[] = [],
): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string; partition: boolean }>(tablesSql);
  const goes = (name: string) => later.some(({ sql }) => new RegExp(`\\b(drop|alter)\\s+(table|view)\\b[^;]*\\b${name}\\b`, 'i').test(sql));
  const without = rows.flatMap(({ name, partition }) => (partition || named.has(name) || goes(name) ? [] : [name]));
  if (without.length > 0) throw new Error(`server/database/roles/grants.ts does not say who may use ${without.join(', ')}.`);
  return new Set(rows.map(({ name }) => name));
}
