import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { rowTypes } from '../../server/database/connection/rowTypes.ts';
import { createTestDatabase, type TestDatabase } from '../support/run/testDatabase.ts';

let database: TestDatabase;
let db: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  db = new pg.Client({ connectionString: database.url, types: rowTypes });
  await db.connect();
});
afterAll(async () => {
  await db?.end();
  await database?.drop();
});

test('an instant is read as the driver reads it, whatever its form and the time zone', async () => {
  const instants = [
    '2026-11-29 12:00:00+00',
    '2026-11-29 12:00:00.123999+00',
    '0099-01-02 03:04:05.1+00',
    '12026-01-01 00:00:00+00',
    '0044-03-15 00:00:00+00 BC',
  ];
  const driver = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ) as (text: string) => Date;
  for (const zone of ['UTC', 'Asia/Kathmandu']) {
    await db.query(`set time zone '${zone}'`);
    const { rows } = await db.query<{ at: Date; text: string }>('select at, at::text as text from unnest($1::timestamptz[]) at', [
      instants,
    ]);
    expect(rows.map(({ at }) => at)).toEqual(rows.map(({ text }) => driver(text)));
  }
  expect((await db.query(`select timestamptz 'infinity' as at`)).rows).toEqual([{ at: Infinity }]);
});

test('a day is text', async () => {
  expect((await db.query(`select date '2026-01-02' as day`)).rows).toEqual([{ day: '2026-01-02' }]);
});
