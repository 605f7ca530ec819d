import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { Logger as WorkerLogger, runOnce, type TaskList } from 'graphile-worker';
import pg from 'pg';
import { readConfig } from '../../server/config/config.ts';
import { loadKeyRing } from '../../server/database/keyRing.ts';
import { createOrm, type Orm } from '../../server/database/orm.ts';
import { ensureAuthorities, openIssuer } from '../../server/domain/certificate/authorities.ts';
import type { JobPayloads } from '../../server/domain/shared/jobs.ts';
import type { Clock } from '../../server/domain/shared/clock.ts';
import { authorityKeys } from '../../server/platform/authorityKeys.ts';
import { createMailer } from '../../server/platform/createMailer.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { startPortalProcess } from '../../server/startPortalProcess.ts';
import { announceTerms } from '../../workers/tasks/announceTerms.ts';
import { issueCertificate } from '../../workers/tasks/issueCertificate.ts';
import { sendMail } from '../../workers/tasks/sendMail.ts';
import type { WorkerContext } from '../../workers/workerContext.ts';
import { PortalClient } from './portalClient.ts';
import { createTestDatabase } from './testDatabase.ts';

/** A clock that runs and that a test moves on. */
export class RunningClock implements Clock {
  #offset = 0;

  now(): Date {
    return new Date(Date.now() + this.#offset);
  }

  /** Moves on by so many milliseconds. */
  advance(milliseconds: number): void {
    this.#offset += milliseconds;
  }
}

export type PortalApplication = Awaited<ReturnType<typeof startPortalApplication>>;

type Options = {
  readonly env?: Record<string, string>;
  /** Where the portal looks for its database, given the real address; for tests that cut the connection. */
  readonly portalDatabaseUrl?: (url: string) => string;
  readonly requestTimeoutMs?: number;
};

/**
 * The portal on a database and a port of its own. Jobs wait until a test calls `work`, so that a test sees what stands before and
 * after them; corpora are left in the queue. `log` is everything that portal and jobs have logged, as JSON lines.
 */
export async function startPortalApplication({ env = {}, portalDatabaseUrl = (url) => url, requestTimeoutMs }: Options = {}) {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-portal-'));
  const clock = new RunningClock();
  const config = readConfig('service', { NODE_ENV: 'test', PORTAL_PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'trace', ...env });
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const logger = createLogger('test', config.logLevel, sink);
  const stops: (() => Promise<unknown> | void)[] = [];
  const orm = await createOrm(portalDatabaseUrl(database.url));
  await openConnections(orm);
  const portalPool = openPool(portalDatabaseUrl(database.url));
  const pool = openPool(database.url);
  const keyRing = await loadKeyRing(database.url, Buffer.alloc(32, 1), clock);
  const portal = await startPortalProcess({
    config,
    database: { url: database.url, orm, pool: portalPool },
    keyRing,
    clock,
    logger,
    onStop: (_name, stop) => stops.push(stop),
    machineApiUrl: () => 'https://localhost:8443',
    ...(requestTimeoutMs !== undefined && { requestTimeoutMs }),
  });
  const mailer = createMailer(config, pool, clock);
  const keys = authorityKeys(Buffer.alloc(32, 2));
  await ensureAuthorities(orm.em.fork(), { keys, portalUrl: portal.url, now: clock.now() });
  const issuer = await openIssuer(orm.em.fork(), { keys, portalUrl: portal.url });
  const workerContext = (): WorkerContext => ({
    em: orm.em.fork(),
    clock,
    keyRing,
    issuer,
    mailer,
    portalUrl: portal.url,
    supportContact: config.supportContact,
    lastAttempt: false,
  });
  const tasks: TaskList = {
    announceTerms: (payload) => announceTerms(payload as JobPayloads['announceTerms'], workerContext()),
    sendMail: (payload) => sendMail(payload as JobPayloads['sendMail'], workerContext()),
    issueCertificate: (payload) => issueCertificate(payload as JobPayloads['issueCertificate'], workerContext()),
  };

  return {
    portalUrl: portal.url,
    databaseUrl: database.url,
    clock,
    orm,
    pool,
    keyRing,
    issuer,
    mailer,
    workerContext,
    log: () => lines.join(''),
    /** Rows of one statement, read beside the portal. */
    async rows<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
      return (await pool.query(text, [...values])).rows as Row[];
    },
    /** Works off the mails, announcements and certificates that are due now. Failed ones wait for their next attempt. */
    async work(): Promise<void> {
      await runOnce({
        pgPool: pool,
        taskList: tasks,
        noHandleSignals: true,
        logger: new WorkerLogger(() => () => undefined),
        // Only batches are waited for: without them it could end before the outcome of the last job is written down.
        preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      });
    },
    /** A browser of its own that has visited nothing yet. */
    browser(): PortalClient {
      return new PortalClient(this);
    },
    /** A browser whose operator has just registered. */
    async operator(email?: string): Promise<PortalClient> {
      const client = this.browser();
      await client.registerOperator(email);
      return client;
    },
    async stop(): Promise<void> {
      mailer.close();
      for (const stop of stops.toReversed()) await stop();
      await Promise.all([portalPool.end(), pool.end(), orm.close(true)]);
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Opens all connections: requests that come at the same moment must not queue up behind one that is being made. A machine that runs many
 * tests at once can need longer for ten of them than the portal waits.
 */
async function openConnections(orm: Orm, attempts = 5): Promise<void> {
  try {
    await Promise.all(Array.from({ length: 10 }, () => orm.em.fork().getConnection().execute('select pg_sleep(0.02)')));
  } catch (error) {
    if (attempts === 1) throw error;
    await openConnections(orm, attempts - 1);
  }
}

/** Its connections stay: on a machine that runs many tests at once, another can take longer to open than the portal would wait. */
function openPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 4, connectionTimeoutMillis: 20_000, idleTimeoutMillis: 0 });
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
  return pool;
}
