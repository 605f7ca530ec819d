import type pg from 'pg';
import { migrationsList } from '../../../migrations/migrationsList.ts';
import { openClient } from '../connection/openPool.ts';
import { build } from '../../platform/build.ts';
import { isOlder, type Release } from './laterRelease.ts';
import { hasQueue, queueMigration } from './queueRevision.ts';
import { functionsRevision } from './functions.ts';

const howToMigrate = 'Run `oi migrate` with MIGRATION_DATABASE_URL, and then start this again.';

/**
 * Every process and terminal command begins with this instead of migrating. Throws, with what to do, if a migration of this release has not run, or if one of a
 * later release has taken away what this one uses. Whatever else later releases have added, it runs on: each release runs on the schema of
 * the next one (decision 51).
 */
export async function requireSchema(
  databaseUrl: string,
  release: Release = { version: build.version, migrations: migrationsList, functions: functionsRevision },
): Promise<void> {
  const executed = await executedMigrations(databaseUrl);
  if (executed.length === 0) throw new Error(`The database has no schema yet. ${howToMigrate}`);
  const names = new Set(executed.map(({ name }) => name));
  const missing = release.migrations.map(({ name }) => name).filter((name) => !names.has(name));
  if (!hasQueue(names)) missing.unshift(queueMigration);
  if (release.functions !== undefined && !names.has(release.functions)) missing.push(release.functions);
  if (missing.length > 0) {
    throw new Error(
      `The database’s schema is older than release ${release.version}: ${missing.length} of its migrations ${missing.length === 1 ? 'has' : 'have'} not run, beginning with ${missing[0]}. ${howToMigrate}`,
    );
  }
  // What this release has itself, it was made for, also while its number is still that of the last one.
  const own = new Set(release.migrations.map(({ name }) => name));
  const tooNew = executed.find(({ name, min_release }) => min_release !== null && !own.has(name) && isOlder(release.version, min_release));
  if (tooNew) {
    throw new Error(
      `The database’s schema needs release ${tooNew.min_release} or a later one since ${tooNew.name}, and this is ${release.version}. Start a later release.`,
    );
  }
}

type Executed = { readonly name: string; readonly min_release: string | null };

const undefinedTable = '42P01';

async function executedMigrations(databaseUrl: string): Promise<readonly Executed[]> {
  const client = await openClient(databaseUrl, 'start-check', { connectionTimeoutMillis: 10_000, query_timeout: 10_000 });
  try {
    return (await client.query<Executed>('select name, min_release from migration order by executed_at, name')).rows;
  } catch (error) {
    if ((error as pg.DatabaseError).code === undefinedTable) return [];
    throw error;
  } finally {
    await client.end();
  }
}
