import pg from 'pg';
import type { Config } from '../config/config.ts';
import { startEmbeddedPostgres } from './embeddedPostgres.ts';
import { migrateDatabase } from './migrate.ts';
import { createOrm, type Orm } from './orm.ts';
import type { Logger } from '../platform/logger.ts';
import type { OnStop } from '../platform/runProcess.ts';

export type Database = { readonly url: string; readonly orm: Orm; readonly pool: pg.Pool };

/** Connects to the database, starts the embedded one where none is configured, and brings the schema up to date. */
export async function openDatabase(config: Config, logger: Logger, onStop: OnStop): Promise<Database> {
  const url = config.databaseUrl ?? (await startEmbedded(config, logger, onStop));
  await migrateDatabase(url);
  const orm = await createOrm(url);
  onStop('orm', () => orm.close(true));
  const pool = new pg.Pool({ connectionString: url, max: 4, connectionTimeoutMillis: 3_000, statement_timeout: 15_000 });
  pool.on('error', (error) => logger.warn({ err: error }, 'database.connectionLost'));
  onStop('pool', () => pool.end());
  return { url, orm, pool };
}

async function startEmbedded(config: Config, logger: Logger, onStop: OnStop): Promise<string> {
  const log = {
    info: (message: string) => logger.debug(message),
    warn: (message: string) => logger.warn(message),
    error: (message: string) => logger.error(message),
  };
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, log });
  onStop('embedded database', () => embedded.stop());
  return embedded.url;
}
