import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Config } from '../config/config.ts';
import { checkConfiguredServer } from './checkConfiguredServer.ts';
import { openPool } from './connection/openPool.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embeddedPostgres.ts';
import { withinTime } from './unavailable.ts';
import { migrateDatabase } from './migrate.ts';
import { requireSchema } from './migration/requireSchema.ts';
import { createOrm, type Orm } from './orm.ts';
import type { Logger } from '../platform/logger.ts';
import type { OnStop } from '../platform/runProcess.ts';

const restartDelay = 500;
/** Even if something hangs, the embedded database is stopped after this time. */
const closeWithin = 5_000;

export type Database = { readonly url: string; readonly orm: Orm; readonly pool: pg.Pool };

/** `part` names whose connections they are. */
type OpenDatabase = { readonly migrates?: boolean; readonly part?: 'portal' | 'workers' };

/**
 * Connects to the database, and starts the embedded one if none is configured. That one it also migrates, because nobody else could; another one
 * only with `migrates`. Otherwise it refuses one whose schema this release cannot run on.
 */
export async function openDatabase(
  config: Config,
  logger: Logger,
  onStop: OnStop,
  { migrates = false, part = 'portal' }: OpenDatabase = {},
): Promise<Database> {
  await checkConfiguredServer(config, part, logger);
  const url = config.databaseUrl ?? (await startEmbedded(config, logger, onStop));
  if (migrates || config.databaseUrl === undefined) await migrate(config.migrationDatabaseUrl ?? url, logger);
  else await requireSchema(url);
  const orm = await createOrm(url, { name: part, poolMax: config.databaseConnections[part] });
  onStop('orm', () => withinTime(orm.close(true), closeWithin));
  const pool = openPool(url, `${part}-checks`, { connectionTimeoutMillis: 3_000 });
  pool.on('error', (error) => logger.warn({ err: error }, 'database.connectionLost'));
  onStop('pool', () => withinTime(pool.end(), closeWithin));
  return { url, orm, pool };
}

async function migrate(url: string, logger: Logger): Promise<void> {
  await migrateDatabase(url, { say: (words) => logger.info({ detail: words }, 'database.migrating') });
}

async function startEmbedded(config: Config, logger: Logger, onStop: OnStop): Promise<string> {
  const log = {
    info: (message: string) => logger.debug(message),
    warn: (message: string) => logger.warn(message),
    error: (message: string) => logger.error(message),
  };
  const start = () => startEmbeddedPostgres({ dataDir: config.dataDir, log });
  const embedded = await keepRunning(start, logger);
  onStop('embedded database', embedded.stop);
  return embedded.url;
}

/** Restarts PostgreSQL if it ends unexpectedly. Until then, every process answers that it is temporarily unavailable. */
async function keepRunning(start: () => Promise<EmbeddedPostgres>, logger: Logger): Promise<{ url: string; stop: () => Promise<void> }> {
  let current = await start();
  const { url } = current;
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
    url,
    stop: async () => {
      stopping = true;
      await current.stop();
    },
  };
}
