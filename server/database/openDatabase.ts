import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Config } from '../config/config.ts';
import { checkConfiguredServer } from './checkConfiguredServer.ts';
import { openPool } from './connection/openPool.ts';
import { type DatabaseUrls, startEmbeddedPostgres, type EmbeddedPostgres, urlsOf } from './embeddedPostgres.ts';
import { Standby } from './Standby.ts';
import { unavailable, withinTime } from './unavailable.ts';
import { DomainError } from '../domain/shared/DomainError.ts';
import { migrateDatabase } from './migrate.ts';
import { requireSchema } from './migration/requireSchema.ts';
import { createOrm, type Orm } from './orm.ts';
import { checkRole } from './roles/checkRole.ts';
import { setRolePasswords } from './roles/setRolePasswords.ts';
import type { Logger } from '../platform/logger.ts';
import type { OnStop } from '../platform/runProcess.ts';

const restartDelay = 500;
/** Even if something hangs, the embedded database is stopped after this time. */
const closeWithin = 5_000;

export type Database = { readonly url: string; readonly orm: Orm; readonly pool: pg.Pool; readonly standby?: Pick<Standby, 'read'> };

/**
 * Starts the embedded database if none is configured, and resolves with what each part connects with. `part` names whose connections will be
 * opened. The embedded one it also migrates, because nobody else could. Another one it migrates only if this process is `alone` on it, and then, in
 * production, the URL is that of the schema's owner, and each part gets a role of its own; otherwise it refuses one whose schema this release cannot run on.
 */
export async function prepareDatabase(
  config: Config,
  logger: Logger,
  onStop: OnStop,
  { alone = false, part = 'portal' }: { readonly alone?: boolean; readonly part?: 'portal' | 'workers' } = {},
): Promise<DatabaseUrls> {
  await checkConfiguredServer(config, part, logger);
  const { databaseUrl } = config;
  const urls = databaseUrl === undefined ? await startEmbedded(config, logger, onStop) : configuredUrls(config, databaseUrl, alone);
  if (alone || databaseUrl === undefined) {
    const say = (words: string) => logger.info({ detail: words }, 'database.migrating');
    await migrateDatabase(urls.owner, { say, rolePrefix: config.databaseRolePrefix });
  } else await requireSchema(databaseUrl);
  if (databaseUrl !== undefined && urls.portal !== databaseUrl) await setRolePasswords(databaseUrl, config.databaseRolePrefix);
  return urls;
}

/** By which URLs the parts of a process connect with a configured database. */
export function configuredUrls(
  { production, migrationDatabaseUrl, databaseRolePrefix }: Config,
  databaseUrl: string,
  alone: boolean,
): DatabaseUrls {
  if (alone && production) return { ...urlsOf(databaseUrl, databaseRolePrefix), owner: databaseUrl };
  return { owner: migrationDatabaseUrl ?? databaseUrl, portal: databaseUrl, machineApi: databaseUrl, workers: databaseUrl };
}

type Opening = {
  readonly url: string;
  /** Whose connections they are. */
  readonly part: 'portal' | 'workers';
  readonly config: Config;
  readonly logger: Logger;
  readonly onStop: OnStop;
};

/** Connects a process to its database, as the role that is its own. */
export async function openDatabase({ url, part, config, logger, onStop }: Opening): Promise<Database> {
  await checkRole(url, part, { config, logger });
  const orm = await createOrm(url, { name: part, poolMax: config.databaseConnections[part] });
  onStop('orm', () => withinTime(orm.close(true), closeWithin));
  const pool = openPool(url, `${part}-checks`, { connectionTimeoutMillis: 3_000 });
  pool.on('error', (error) => logger.warn({ err: error }, 'database.connectionLost'));
  onStop('pool', () => withinTime(pool.end(), closeWithin));
  const { standbyDatabaseUrl } = config;
  if (part !== 'portal' || standbyDatabaseUrl === undefined) return { url, orm, pool };
  await checkRole(standbyDatabaseUrl, part, { config, logger, variable: 'STANDBY_DATABASE_URL' }).catch((error: unknown) => {
    if (!(unavailable(error) instanceof DomainError)) throw error;
    logger.warn({ err: error }, 'standby.unavailable');
  });
  const standbyOrm = await createOrm(standbyDatabaseUrl, { name: 'portal-standby', connectedWithin: 1_000 });
  onStop('standby', () => withinTime(standbyOrm.close(true), closeWithin));
  return { url, orm, pool, standby: new Standby(standbyOrm, logger) };
}

async function startEmbedded(config: Config, logger: Logger, onStop: OnStop): Promise<DatabaseUrls> {
  const log = {
    info: (message: string) => logger.debug(message),
    warn: (message: string) => logger.warn(message),
    error: (message: string) => logger.error(message),
  };
  const start = () => startEmbeddedPostgres({ dataDir: config.dataDir, log, rolePrefix: config.databaseRolePrefix });
  const embedded = await keepRunning(start, logger);
  onStop('embedded database', embedded.stop);
  return embedded.urls;
}

/** Restarts PostgreSQL if it ends unexpectedly. Until then, every process answers that it is temporarily unavailable. */
async function keepRunning(
  start: () => Promise<EmbeddedPostgres>,
  logger: Logger,
): Promise<{ urls: DatabaseUrls; stop: () => Promise<void> }> {
  let current = await start();
  const { url, urls } = current;
  let stopping = false;
  const watch = async (): Promise<void> => {
    while (!stopping) {
      await current.exited;
      if (stopping) return;
      logger.error('database.endedUnasked');
      await delay(restartDelay);
      if (stopping) return;
      try {
        current = await start();
        logger.info('database.startedAgain');
        // Connections keep the old address. If the port changed, they would wait for ever.
        if (current.url !== url) process.kill(process.pid, 'SIGTERM');
      } catch (error) {
        logger.error({ err: error }, 'database.startFailed');
      }
    }
  };
  void watch();
  return {
    urls,
    stop: async () => {
      stopping = true;
      await current.stop();
    },
  };
}
