import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import pg from 'pg';
import { schemaSql } from '../../server/database/emitSchemaSql.ts';
import { believeOwnClock } from '../support/database/ownClock.ts';
import { createTestDatabase } from '../support/run/testDatabase.ts';

/** The names of everything of ours in a migrated database; constraints and columns with their tables. */
const namesSql = `
select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'i', 'I', 'c') and not (c.relispartition and c.relkind = 'i') and c.relname !~ '^migration'
union all select a.attname from pg_attribute a join pg_class c on c.oid = a.attrelid
 where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and c.relname <> 'migration'
union all select conname from pg_constraint k join pg_class c on c.oid = k.conrelid where k.connamespace = 'public'::regnamespace and contype <> 'n' and conparentid = 0 and c.relname <> 'migration'
union all select tgname from pg_trigger where not tgisinternal and tgparentid = 0 and tgrelid::regclass::text !~ '^graphile_worker'
union all select proname from pg_proc p where pronamespace = 'public'::regnamespace
   and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')`;

test('an engineer finds every table, column, constraint, index, trigger and function of the database in schema.sql', async () => {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const committed = await readFile('schema.sql', 'utf8');
    await believeOwnClock(database.url);
    const { rows } = await client.query<{ name: string }>(namesSql);
    expect(rows.length).toBeGreaterThan(500);
    expect(rows.filter(({ name }) => !new RegExp(`\\b${name}\\b`).test(committed))).toEqual([]);
    // If these differ, run `npm run schema`.
    expect(await schemaSql(database.url)).toBe(committed);
  } finally {
    await client.end();
    await database.drop();
  }
});

test('nothing of the database is left out of schema.sql unnoticed', async () => {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query("create type colour as enum ('red'); create view nobody as select 1 as one");
    await expect(schemaSql(database.url)).rejects.toThrow('schema.sql does not describe: nobody (v), colour (type).');
  } finally {
    await client.end();
    await database.drop();
  }
});
