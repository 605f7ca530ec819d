import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EntityManager } from '@mikro-orm/postgresql';
import pg from 'pg';
import { type DatabaseUrls, urlsOf } from '../../../server/database/embeddedPostgres.ts';
import { loadKeyRing, type KeyRing } from '../../../server/database/keyRing.ts';
import { createOrm, type Orm } from '../../../server/database/orm.ts';
import { keepDeliveryKey } from '../../../server/domain/webhook/signing/deliveryKey.ts';
import { authorityKeys } from '../../../server/platform/authorityKeys.ts';
import { createLogger } from '../../../server/platform/logger.ts';
import type { WebhookTransport } from '../../../server/domain/webhook/WebhookTransport.ts';
import { createOutbound, type OutboundOptions } from '../../../server/platform/outbound/createOutbound.ts';
import { patient } from '../patience.ts';
import { deliverDue } from '../webhooks/deliverDue.ts';
import { createTestDatabase } from '../run/testDatabase.ts';
import { Fixtures } from './Fixtures.ts';
import { TestClock } from './TestClock.ts';
import { masterKeys, signingKeys } from './testKeys.ts';

/** What every world has: a database with its keys, and a clock that all its parts use. */
export type World = {
  /** The superuser's, for what tests write and read themselves. */
  readonly databaseUrl: string;
  /** Each process's own. */
  readonly urls: DatabaseUrls;
  readonly clock: TestClock;
  readonly keyRing: KeyRing;
  /** Reads new entries of the key ring, as a running process does every minute. */
  reloadKeyRing(): Promise<readonly Error[]>;
  readonly orm: Orm;
  readonly pool: pg.Pool;
  /** Writes rows. */
  readonly fixtures: Fixtures;
  /** An entity manager for one command of the domain, which PostgreSQL refuses nothing. */
  em(): EntityManager;
  /** A folder for the processes' files. */
  readonly folder: string;
  /** The rows of one statement, read without going through the service. */
  rows<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Delivers every webhook that is due at the clock's present moment, to these receivers, and resolves when all results are stored. */
  deliver(receivers: Pick<OutboundOptions, 'developmentHosts'> & { readonly source?: string }): Promise<void>;
  /** Registers something to close with the world, before what was registered earlier. */
  onClose(cleanUp: () => unknown): void;
  close(): Promise<void>;
};

export type WorldOptions = {
  readonly clock?: TestClock;
  /** The most connections that commands of the domain use at the same time. */
  readonly poolMax?: number;
  /** A migrated database to use instead of a new one. */
  readonly databaseUrl?: string;
};

/** A world without any processes. */
export async function openEmptyWorld({ clock = new TestClock(), poolMax, databaseUrl }: WorldOptions): Promise<World> {
  const cleanUps: (() => unknown)[] = [];
  let url = databaseUrl;
  if (url === undefined) {
    const database = await createTestDatabase();
    cleanUps.push(() => database.drop());
    url = database.url;
  }
  const folder = await mkdtemp(join(tmpdir(), 'svc-world-'));
  cleanUps.push(() => rm(folder, { recursive: true, force: true }));
  const urls = urlsOf(url);
  const fixtures = new Fixtures(url);
  const pool = openPool(url);
  const ring = await loadKeyRing({ databaseUrl: url, masterKeys, clock });
  const orm = await createOrm(url, { connectedWithin: patient(3_000), ...(poolMax !== undefined && { poolMax }) });
  cleanUps.push(() => Promise.all([fixtures.end(), pool.end(), orm.close(true)]));
  const signingKey = keepDeliveryKey({ em: () => orm.em.fork(), wrapping: authorityKeys(signingKeys), clock });
  return {
    databaseUrl: url,
    urls,
    clock,
    keyRing: ring.keys,
    reloadKeyRing: () => ring.reload(),
    orm,
    pool,
    fixtures,
    folder,
    em: () => orm.em.fork(),
    async rows<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
      return (await pool.query(text, [...values])).rows as Row[];
    },
    async deliver({ developmentHosts, source = 'https://api.example' }) {
      const outbound = createOutbound({ ...(developmentHosts && { developmentHosts }) });
      // Many receivers in one process answer later on a busy machine, and what is not delivered is only tried again when the clock says so.
      const transport: WebhookTransport = {
        ...outbound,
        postGuarded: (request) =>
          outbound.postGuarded({
            ...request,
            limits: {
              ...request.limits,
              connectMs: patient(request.limits.connectMs),
              totalMs: patient(request.limits.totalMs),
            },
          }),
      };
      try {
        await deliverDue({
          databaseUrl: urls.workers,
          clock,
          logger: createLogger('webhooks', 'silent'),
          transport,
          signingKey,
          source: () => source,
        });
      } finally {
        outbound.destroy();
      }
    },
    onClose: (cleanUp) => cleanUps.push(cleanUp),
    async close() {
      for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
    },
  };
}

/**
 * Its connections stay open, because on a machine that runs many tests at once, opening another can take longer than the portal would wait.
 */
export function openPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 4, connectionTimeoutMillis: patient(20_000), idleTimeoutMillis: 0 });
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
  return pool;
}
