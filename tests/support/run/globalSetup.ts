import { rm } from 'node:fs/promises';
import chromium from '@sparticuz/chromium';
import { startEmbeddedPostgres } from '../../../server/database/embeddedPostgres.ts';
import type { EmbeddedPostgres } from '../../../server/database/embeddedPostgres.ts';
import { migrateDatabase } from '../../../server/database/migrate.ts';
import { initializeOtherVersion } from './otherVersion.ts';
import { createRunFolder, removeStaleRunFolders } from './runFolders.ts';
import { rotateTemplate } from './rotateTemplate.ts';
import { databaseOf, runOn, runOnServer, templateUrlVariable } from './testDatabase.ts';

declare global {
  /** The run's database server, from the global set-up to the global teardown (one process). */
  var testDatabaseServer: { postgres: EmbeddedPostgres; folder: string } | undefined;
}

const quiet = { info: () => undefined, warn: () => undefined, error: (message: string) => console.error(message) };

/** Nothing here has to survive a power cut. */
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_connections: '300',
  max_wal_size: '1GB',
  autovacuum_naptime: '5min',
};

/** Starts one PostgreSQL for the whole run and migrates the template that every test file clones. */
export default async function globalSetup(): Promise<void> {
  await removeStaleRunFolders();
  // Unpacked once, before several workers would do it at once and start what is half written.
  await chromium.executablePath();
  const folder = await createRunFolder({ inMemory: true });
  const binaries = await initializeOtherVersion(folder);
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log: quiet, settings, binaries });
  try {
    await makeTemplate(postgres);
  } catch (error) {
    // Jest does not call the teardown after a set-up that failed.
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  globalThis.testDatabaseServer = { postgres, folder };
  process.env[templateUrlVariable] = postgres.url;
}

/** Migrated by the owner, as in production. Functions that look at the database's clock believe the caller's, which tests inject. */
async function makeTemplate({ url, urls }: EmbeddedPostgres): Promise<void> {
  await migrateDatabase(urls.owner, { partitionsFrom: null });
  await runOn(
    url,
    `create or replace function present_moment(p_claimed timestamptz) returns timestamptz language sql stable as 'select p_claimed';
     create or replace function ended_moment(p_claimed timestamptz) returns timestamptz language sql volatile as 'select p_claimed';
     create or replace function near_moment(p_claimed timestamptz) returns timestamptz language sql volatile as 'select p_claimed';
     create or replace function refuse_late(p_deadline timestamptz) returns void language sql volatile as '';
     create or replace function is_recent(p_at timestamptz) returns boolean language sql volatile as 'select isfinite(p_at)'`,
  );
  if (process.env['TEST_ROTATED'] === 'true') await rotateTemplate(url);
  await runOnServer(url, `alter database ${databaseOf(url)} with is_template true allow_connections false`);
}
