import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMachineApi } from '../../rest-api/machineApi.ts';
import { loadKeyRing } from '../../server/database/keyRing.ts';
import { createOrm } from '../../server/database/orm.ts';
import { readConfig } from '../../server/config/config.ts';
import type { Clock } from '../../server/domain/shared/clock.ts';
import { createMailer } from '../../server/platform/createMailer.ts';
import { ensureDevelopmentTls } from '../../server/platform/developmentTls.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { startPortalProcess } from '../../server/startPortalProcess.ts';
import { startWorkers } from '../../workers/startWorkers.ts';
import pg from 'pg';
import { createTestDatabase } from './testDatabase.ts';
import { developmentContact } from '../../server/domain/shared/supportContact.ts';

/** A clock that stands where the test puts it; it starts at the real time, because TLS and PostgreSQL have clocks of their own. */
export class TestClock implements Clock {
  #now = Date.now();
  now(): Date {
    return new Date(this.#now);
  }
  /** Moves on by so many milliseconds. */
  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }
}

export type Application = Awaited<ReturnType<typeof startApplication>>;

/** The whole service on a database and ports of its own: portal, workers and machine API in this process. */
export async function startApplication({ env = {} }: { env?: Record<string, string> } = {}) {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-test-'));
  const clock = new TestClock();
  const config = readConfig('service', {
    NODE_ENV: 'test',
    PORTAL_PORT: '0',
    MACHINE_API_PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    ...env,
  });
  const logger = createLogger('test', config.logLevel);
  const stops: (() => Promise<unknown> | void)[] = [];
  const orm = await createOrm(database.url);
  const pool = new pg.Pool({ connectionString: database.url, max: 4 });
  pool.on('error', () => {});
  const keyRing = await loadKeyRing(database.url, Buffer.alloc(32, 1), clock);
  const tls = await ensureDevelopmentTls(join(dataDir, 'tls'));
  let machineApiUrl = '';
  const portal = await startPortalProcess({
    config,
    database: { url: database.url, orm, pool },
    keyRing,
    clock,
    logger,
    onStop: (_name, stop) => stops.push(stop),
    machineApiUrl: () => machineApiUrl,
    machineApiCa: tls.caPem,
  });
  const mailer = createMailer(config, pool, clock);
  const workers = await startWorkers({
    databaseUrl: database.url,
    orm,
    keyRing,
    signingKey: Buffer.alloc(32, 2),
    mailer,
    portalUrl: portal.url,
    supportContact: developmentContact,
    logger,
    clock,
    pollInterval: 200,
  });
  const machineApi = await startMachineApi({
    host: '127.0.0.1',
    port: 0,
    databaseUrl: database.url,
    keyRing,
    clock,
    logger,
    tls,
    portalUrl: portal.url,
    supportContact: developmentContact,
  });
  machineApiUrl = machineApi.url;
  return {
    portalUrl: portal.url,
    machineApiUrl: machineApi.url,
    machineApiCa: tls.caPem,
    databaseUrl: database.url,
    clock,
    orm,
    pool,
    keyRing,
    async stop() {
      await machineApi.close();
      await workers.stop();
      mailer.close();
      for (const stop of stops.toReversed()) await stop();
      await pool.end();
      await orm.close(true);
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
