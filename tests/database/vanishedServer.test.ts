import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
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
import { until } from '../support/run/until.ts';

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

describe('a queue', () => {
  let observer: pg.Client;
  let done: number;
  beforeEach(async () => {
    observer = new pg.Client({ connectionString: database.url });
    await observer.connect();
    done = 0;
  });
  afterEach(() => observer.end());

  const start = () =>
    startPool({
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

  test('hears of new jobs after the server has vanished without a word, and does them', async () => {
    const pool = await start();
    await untilDone();
    proxy.vanish();
    await untilDone();
    await pool.stop();
  }, 30_000);

  test('that began while nothing could be written works as soon as it can', async () => {
    const setReadOnly = (value: 'on' | 'off') =>
      observer.query(
        `alter database ${pg.escapeIdentifier(new URL(database.url).pathname.slice(1))} set default_transaction_read_only = ${value}`,
      );
    await setReadOnly('on');
    const pool = await start();
    await until('The refusal', async () => (pool.running() ? undefined : true));
    await setReadOnly('off');
    await untilDone();
    await pool.stop();
  }, 30_000);
});
