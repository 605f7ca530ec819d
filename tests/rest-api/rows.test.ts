import { Socket } from 'node:net';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { openDatabaseClients, openUsageClient } from '../../rest-api/database/databaseClients.ts';
import { MessageReader } from '../../rest-api/database/rows/MessageReader.ts';
import { RowConnection } from '../../rest-api/database/rows/RowConnection.ts';
import { openRowReader } from '../../rest-api/database/rows/openRowReader.ts';
import { ConnectionBudget } from '../../server/database/connection/ConnectionBudget.ts';
import { createOrm } from '../../server/database/orm.ts';
import { sql } from '../../server/domain/shared/sql.ts';
import { createTestDatabase, type TestDatabase } from '../support/run/testDatabase.ts';

let database: TestDatabase;
type RowReader = ReturnType<typeof openRowReader>;
let reader: RowReader;

beforeAll(async () => {
  database = await createTestDatabase();
  reader = openRowReader(database.url, { connections: 2, withinMs: 2_000, idleMs: 60_000 });
});
afterAll(async () => {
  await reader.close();
  await database.drop();
});

async function texts(text: string, parameters: readonly (string | number | null)[] = []): Promise<(string | null)[][]> {
  const rows: (string | null)[][] = [];
  await reader.read(text, parameters, (row) =>
    rows.push([0, 1].map((column) => (row.isNull(column) ? null : row.copy(column).toString()))),
  );
  return rows;
}

/** Waits until a process of the server has ended. */
async function untilGone(pid: number): Promise<void> {
  for (let tries = 0; tries < 2_000; tries += 1) {
    const rows = await texts('select 1::text, null from pg_stat_activity where pid = $1::int', [pid]);
    if (rows.length === 0) return;
  }
  throw new Error('The connection was never closed.');
}

test('messages arrive whole wherever the stream is cut', () => {
  const bodies = ['', 'a', 'abc'.repeat(30), '', 'z'.repeat(70_000)];
  const stream = Buffer.concat(
    bodies.map((body, index) => {
      const header = Buffer.from([65 + index, 0, 0, 0, 0]);
      header.writeInt32BE(body.length + 4, 1);
      return Buffer.concat([header, Buffer.from(body)]);
    }),
  );
  for (const size of [1, 2, 3, 4, 5, 6, 7, 99, 65_536, stream.length]) {
    const seen: string[] = [];
    const messages = new MessageReader((type, bytes, from, to) => seen.push(`${type - 65}${bytes.toString('latin1', from, to)}`));
    for (let at = 0; at < stream.length; at += size) {
      // Overwrites each chunk after it was read, as a socket that reuses its buffer does.
      const chunk = Buffer.from(stream.subarray(at, at + size));
      messages.push(chunk, chunk.length);
      chunk.fill(0);
    }
    expect(seen).toEqual(bodies.map((body, index) => `${index}${body}`));
  }
});

test('rows of every size, empty texts and NULLs arrive as they are', async () => {
  const rows = await texts(`select repeat('ü', n), case when n % 2 = 0 then '' end from generate_series(0, 60008, 7501) n order by n`);
  expect(rows).toEqual(Array.from({ length: 9 }, (_, index) => ['ü'.repeat(index * 7_501), index % 2 === 0 ? '' : null]));
});

test('numbers, booleans and instants are read from their binary form', async () => {
  const seen: unknown[] = [];
  await reader.read(
    `select 9007199254740991::int8, (-5)::int8, (-3)::int2, 70000::int4, true, false, timestamptz '1969-12-31 23:59:59.9995Z', timestamptz '2026-11-21 05:30:31.12Z'`,
    [],
    (row) =>
      seen.push([
        row.integer(0),
        row.integer(1),
        row.smallInteger(2),
        row.smallInteger(3),
        row.boolean(4),
        row.boolean(5),
        row.instant(6),
        new Date(row.instant(7)).toISOString(),
      ]),
  );
  expect(seen).toEqual([[Number.MAX_SAFE_INTEGER, -5, -3, 70_000, true, false, -1, '2026-11-21T05:30:31.120Z']]);
});

test('many readers at once get their own rows', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => texts('select $1::text, null', [index])));
  expect(answers).toEqual(Array.from({ length: 20 }, (_, index) => [[String(index), null]]));
});

test('a refused statement and a failing receiver reject, and the next statements are answered', async () => {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await expect(texts('select (1 / $1::int)::text, null', [0])).rejects.toMatchObject({ code: '22012' });
    await expect(texts('select nothing', [])).rejects.toMatchObject({ code: '42703' });
    await expect(
      reader.read('select generate_series(1, 1000)', [], () => {
        throw new Error('enough');
      }),
    ).rejects.toThrow('enough');
    expect(await texts('select (1 / $1::int)::text, null', [1])).toEqual([['1', null]]);
  }
});

test('a connection that PostgreSQL ends rejects its reader; later readers get a new one', async () => {
  await expect(texts('select pg_terminate_backend(pg_backend_pid())::text, null')).rejects.toMatchObject({ code: '57P01' });
  expect(await texts(`select 'again', null`)).toEqual([['again', null]]);
});

test('a statement that takes too long ends with its connection, and none of its rows comes later', async () => {
  const quick = openRowReader(database.url, { connections: 1, withinMs: 100, idleMs: 60_000 });
  let rows = 0;
  await expect(quick.read('select pg_sleep(0.3)::text', [], () => (rows += 1))).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
  await quick.read('select 1', [], () => undefined);
  expect(rows).toBe(0);
  await quick.close();
});

/** The process of the server that answers on a reader's connection. */
async function backendOf({ read }: RowReader): Promise<number> {
  let pid = 0;
  await read('select pg_backend_pid()', [], (row) => (pid = row.smallInteger(0)));
  return pid;
}

test.each([
  ['a table has changed', '0A000', 'alter table changing add column another int'],
  ['what was prepared is gone', '26000', 'deallocate all'],
])('a prepared statement that does not fit any more, because %s, is refused once only', async (_, code, change) => {
  const one = openRowReader(database.url, { connections: 1, withinMs: 2_000, idleMs: 60_000 });
  const rows = () => one.read('select * from changing', [], () => undefined);
  await one.read('create table if not exists changing (id int)', [], () => undefined);
  await rows();
  await one.read(change, [], () => undefined);
  await expect(rows()).rejects.toMatchObject({ code });
  await rows();
  await one.read('drop table changing', [], () => undefined);
  await one.close();
});

test('after a failure a connection is not used again, and the server is left none', async () => {
  const one = openRowReader(database.url, { connections: 1, withinMs: 2_000, idleMs: 60_000 });
  const before = await backendOf(one);
  await expect(one.read('select nothing', [], () => undefined)).rejects.toMatchObject({ code: '42703' });
  expect(await backendOf(one)).not.toBe(before);
  await untilGone(before);
  await one.close();
});

test('a statement for a connection that is gone is refused at once', async () => {
  const connection = new RowConnection({ connectionString: database.url }, new ConnectionBudget('machine-api-pages', 1));
  await connection.connect();
  connection.destroy();
  await new Promise<void>((resolve) => connection.once('end', resolve));
  await expect(connection.read('select 1', [], () => undefined)).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
});

test('a connection that nobody needs for a while is closed; the next reader gets a new one', async () => {
  const one = openRowReader(database.url, { connections: 1, withinMs: 2_000, idleMs: 20 });
  const before = await backendOf(one);
  await untilGone(before);
  expect(await backendOf(one)).not.toBe(before);
  await one.close();
});

test('every connection of the machine API is kept alive, so that a server which vanished is noticed', async () => {
  const keepAlive = jest.spyOn(Socket.prototype, 'setKeepAlive');
  const clients = openDatabaseClients(database.url);
  const usage = openUsageClient(database.url);
  const orm = await createOrm(database.url);
  const connect: [string, () => Promise<unknown>][] = [
    ['admission', () => clients.admission('select 1', [])],
    ['reading', () => clients.read('select 1', [])],
    ['pages', () => clients.readRows('select 1', [], () => undefined)],
    ['usage', () => usage.query('select 1', [])],
    ['commands', () => sql(orm.em.fork(), 'select 1')],
  ];
  for (const [name, query] of connect) {
    keepAlive.mockClear();
    await query();
    expect([name, ...(keepAlive.mock.calls[0] ?? [])]).toEqual([name, true, 60_000]);
  }
  keepAlive.mockRestore();
  await Promise.all([clients.close(), usage.close(), orm.close(true)]);
});

test('a database that cannot be reached rejects', async () => {
  const lost = openRowReader('postgres://nobody@127.0.0.1:1/none', { connections: 1, withinMs: 1_000, idleMs: 60_000 });
  for (let attempt = 0; attempt < 2; attempt += 1) {
    await expect(lost.read('select 1', [], () => undefined)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  }
  // Readers that wait behind a failed attempt are refused as well.
  const refused = await Promise.allSettled([1, 2, 3].map(() => lost.read('select 1', [], () => undefined)));
  expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
});
