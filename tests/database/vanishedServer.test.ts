import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { poolOptions } from '../../server/database/connection/openPool.ts';
import { openPipelines } from '../../server/database/connection/openPipelines.ts';
import { createOrm } from '../../server/database/orm.ts';
import { unavailable } from '../../server/database/unavailable.ts';
import { sql } from '../../server/domain/shared/sql.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { startPool } from '../../workers/startPool.ts';
import { openDatabaseProxy } from '../support/run/databaseProxy.ts';
import { createTestDatabase, type TestDatabase } from '../support/run/testDatabase.ts';

const answeredWithin = 500;
const tries = 10;
let database: TestDatabase;
let proxy: Awaited<ReturnType<typeof openDatabaseProxy>>;
let url: string;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  proxy = await openDatabaseProxy();
  url = proxy.through(database.url);
});
afterEach(() => proxy.close());

/** Asks until there is an answer, as callers do that are told to try again. */
async function untilAnswered<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  let refusal: unknown;
  for (let time = 0; time < tries; time += 1) {
    try {
      return await ask();
    } catch (error) {
      refusal = unavailable(error);
      expect(refusal).toMatchObject({ code: 'temporarily_unavailable' });
    }
  }
  throw refusal;
}

test('after the server has vanished without a word, admission and reads reach the new one', async () => {
  const pool = openPipelines(url, 'machine-api-read', { max: 2, answeredWithin });
  const ask = () => pool.query('select 1 as one', []);
  await Promise.all([ask(), ask()]);
  proxy.vanish();
  await expect(ask()).rejects.toMatchObject({ code: 'temporarily_unavailable' });
  expect(await untilAnswered(ask)).toEqual([{ one: 1 }]);
  await pool.close();
});

test('after the server has vanished without a word, pages and commands reach the new one, inside transactions as well', async () => {
  const orm = await createOrm(url, { poolMax: 1, answeredWithin });
  const ask = () => sql(orm.em.fork(), 'select 1 as one');
  const command = () => orm.em.fork().transactional((tx) => sql(tx, 'select 2 as two'));
  await ask();
  proxy.vanish();
  await expect(ask()).rejects.toThrow();
  expect(await untilAnswered(ask)).toEqual([{ one: 1 }]);
  const interrupted = orm.em.fork().transactional(async (tx) => {
    await sql(tx, 'select 1');
    proxy.vanish();
    await sql(tx, 'select 2');
  });
  await expect(interrupted).rejects.toThrow();
  expect(await untilAnswered(command)).toEqual([{ two: 2 }]);
  await orm.close(true);
});

test('processes wait for an answer for a second longer than the server may work on it; migrations and the terminal wait on', () => {
  const limitOf = (name: Parameters<typeof poolOptions>[1]) => poolOptions(url, name).query_timeout;
  expect((['portal', 'machine-api-commands', 'workers', 'workers-queue'] as const).map(limitOf)).toEqual(Array(4).fill(16_000));
  expect((['admin', 'migrate', 'migrate-queue'] as const).map(limitOf)).toEqual(Array(3).fill(undefined));
});

test('after the server has vanished without a word, workers hear of new jobs and do them', async () => {
  const observer = new pg.Client({ connectionString: database.url });
  await observer.connect();
  let done = 0;
  const pool = await startPool({
    name: 'vanishing',
    concurrency: 2,
    tasks: { greet: () => void (done += 1) },
    crontab: '',
    databaseUrl: url,
    logger: createLogger('workers', 'silent'),
    // Only what the queue hears leads to a job.
    pollInterval: 3_600_000,
    silence: { askEvery: 100, answeredWithin },
  });
  const untilDone = async () => {
    const before = done;
    for (let time = 0; done === before && time < 100; time += 1) {
      await observer.query(`select graphile_worker.add_job('greet')`);
      await delay(100);
    }
    expect(done).toBeGreaterThan(before);
  };
  await untilDone();
  proxy.vanish();
  await untilDone();
  await pool.stop();
  await observer.end();
}, 30_000);
