import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { central, copied, exceptions, spread } from '../../migrations/placement.ts';
import { openWorld } from '../support/world/openWorld.ts';
import type { World } from '../support/world/World.ts';

/*
 * What Citus demands of a schema that it spreads by client (migrations/placement.ts), read from the catalogue of a migrated database.
 */

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const isSpread = (table: string) => spread.some((each) => each === table);
const isCopied = (table: string) => table in copied;
const isExcepted = (name: string) => name in exceptions;

/** Of tables with a column of a client: by its name, or because it refers to `client`. */
const withClientSql = `
select distinct c.relname as table from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
 where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and (a.attname = 'client_number' or exists (
   select from pg_constraint k where k.conrelid = c.oid and k.contype = 'f' and k.confrelid = 'client'::regclass and a.attnum = any (k.conkey)))`;

test('every table with a client is spread, copied or stays on the coordinator for a reason', async () => {
  const tables = (await world.rows<{ table: string }>(withClientSql)).map(({ table }) => table);
  const placed = [...spread, ...Object.keys(copied), ...Object.keys(central)];
  expect(tables.filter((table) => !placed.includes(table))).toEqual([]);
  expect(new Set(placed).size).toBe(placed.length);
  // A table that no longer exists, or has lost its client, has no place here.
  const others = ['client', 'integration', 'service_gate', 'tracked_change'];
  expect(placed.filter((table) => !tables.includes(table)).sort()).toEqual(others);
});

const keysSql = `
select c.relname as table, x.relname as name, array(select coalesce(a.attname, '?') from unnest(i.indkey) with ordinality u(number, place)
         left join pg_attribute a on a.attrelid = c.oid and a.attnum = u.number where u.place <= i.indnkeyatts order by u.place)::text[] as columns
  from pg_index i join pg_class c on c.oid = i.indrelid join pg_class x on x.oid = i.indexrelid
 where (i.indisunique or i.indisexclusion) and c.relnamespace = 'public'::regnamespace and not c.relispartition`;

test('the client’s number comes first in each key of what is spread', async () => {
  const keys = await world.rows<{ table: string; name: string; columns: string[] }>(keysSql);
  const ofSpread = keys.filter(({ table }) => isSpread(table));
  expect(ofSpread.length).toBeGreaterThanOrEqual(spread.length);
  expect(ofSpread.filter(({ columns }) => !columns.includes('client_number')).map(({ name }) => name)).toEqual([]);
  expect(ofSpread.filter(({ name, columns }) => columns[0] !== 'client_number' && !isExcepted(name)).map(({ name }) => name)).toEqual([]);
});

type Reference = { name: string; from: string; to: string; columns: string[]; keys: string[]; onDelete: string; onUpdate: string };
const referencesSql = `
select k.conname as name, f.relname as from, t.relname as to, k.confdeltype as "onDelete", k.confupdtype as "onUpdate",
       array(select attname from unnest(k.conkey) with ordinality u(n, place) join pg_attribute a on a.attrelid = f.oid and a.attnum = u.n order by place)::text[] as columns,
       array(select attname from unnest(k.confkey) with ordinality u(n, place) join pg_attribute a on a.attrelid = t.oid and a.attnum = u.n order by place)::text[] as keys
  from pg_constraint k join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
 where k.contype = 'f' and k.connamespace = 'public'::regnamespace and not f.relispartition`;

/** Why Citus would refuse a reference, or null. */
function faultOf({ from, to, columns, keys, onDelete, onUpdate }: Reference): string | null {
  const fails = (action: string) => action === 'a' || action === 'r';
  if (isSpread(to)) {
    if (!isSpread(from)) return 'refers to what is spread';
    const place = columns.indexOf('client_number');
    return place >= 0 && keys[place] === 'client_number' ? null : 'leaves the client';
  }
  if (isSpread(from)) {
    if (!isCopied(to)) return 'refers to what only the coordinator has';
    return columns.includes('client_number') && !fails(onDelete) ? 'would write the column that places the row' : null;
  }
  if (isCopied(from) && !isCopied(to)) return fails(onDelete) && fails(onUpdate) ? null : 'would write every copy from the coordinator';
  return null;
}

test('references stay within a client, or lead to what is copied', async () => {
  const references = await world.rows<Reference>(referencesSql);
  const faults = references.flatMap((reference) => {
    const fault = faultOf(reference);
    return fault === null ? [] : [`${reference.name} ${fault}`];
  });
  expect(faults).toEqual([]);
  // Each command of docs/capacity.md finds that what the table refers to is in its place already.
  const order: readonly string[] = [...Object.keys(copied), ...spread];
  const late = references.filter(({ from, to }) => order.includes(from) && order.indexOf(to) > order.indexOf(from));
  expect(late.map(({ name }) => name)).toEqual([]);
});

test('nothing of what is spread counts over all clients or runs a trigger', async () => {
  const counted = await world.rows<{ table: string; column: string }>(
    `select c.relname as table, a.attname as column from pg_attribute a join pg_class c on c.oid = a.attrelid
       left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where c.relnamespace = 'public'::regnamespace and a.attnum > 0 and (a.attidentity <> '' or pg_get_expr(d.adbin, d.adrelid) ~ 'nextval')`,
  );
  expect(counted.length).toBeGreaterThan(3);
  expect(counted.filter(({ table }) => isSpread(table))).toEqual([]);
  const triggers = await world.rows<{ name: string; table: string }>(
    `select t.tgname as name, c.relname as table from pg_trigger t join pg_class c on c.oid = t.tgrelid where not t.tgisinternal and c.relnamespace = 'public'::regnamespace`,
  );
  expect(triggers.length).toBeGreaterThan(3);
  expect(triggers.filter(({ name, table }) => (isSpread(table) || isCopied(table)) && !isExcepted(name))).toEqual([]);
});

test('docs/capacity.md gives the commands that place the tables, and names each that stays together', async () => {
  const section = (await readFile('docs/capacity.md', 'utf8')).split('## Beyond one PostgreSQL')[1] ?? '';
  const commands = [
    ...Object.keys(copied).map((table) => `select create_reference_table('${table}');`),
    ...spread.map((table) => `select create_distributed_table('${table}', 'client_number');`),
  ];
  expect(section.split('\n').filter((line) => line.startsWith('select create_'))).toEqual(commands);
  expect(Object.keys(central).filter((table) => !section.includes(`| \`${table}\``) && !section.includes(`, \`${table}\``))).toEqual([]);
});

test('every exception is of something that exists', async () => {
  const names = await world.rows<{ name: string }>('select relname as name from pg_class union all select tgname from pg_trigger');
  expect(Object.keys(exceptions).filter((exception) => names.every(({ name }) => name !== exception))).toEqual([]);
});
