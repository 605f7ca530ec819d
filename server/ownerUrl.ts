import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config/config.ts';

/** MIGRATION_DATABASE_URL; in development DATABASE_URL, or the embedded database of a service that is running on this data folder. */
export async function ownerUrlOf({ migrationDatabaseUrl, databaseUrl, dataDir }: Config): Promise<string> {
  const given = migrationDatabaseUrl ?? databaseUrl;
  if (given !== undefined) return given;
  const url = await readFile(join(dataDir, 'database-url'), 'utf8').catch(() => '');
  if (url === '') throw new Error('Set MIGRATION_DATABASE_URL to the database, with the role that owns its schema.');
  return url.trim();
}
