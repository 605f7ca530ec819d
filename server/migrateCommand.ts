import { readConfigOrExit } from './config/readConfigOrExit.ts';
import { checkServer } from './database/connection/checkServer.ts';
import { migrateDatabase } from './database/migrate.ts';
import { seconds } from './database/migration/watchWaits.ts';
import { unavailable } from './database/unavailable.ts';
import { ownerUrlOf } from './ownerUrl.ts';

/**
 * Migrates the database as the owner of its schema and tells on standard error what it does. Resolves with the exit code: 0 when the schema
 * is that of this release or newer, 1 when a migration failed or was refused. A signal ends it at once; the next run goes on from there.
 */
export async function migrate(): Promise<number> {
  const config = readConfigOrExit('migrate');
  const say = (words: string) => void process.stderr.write(`${words}\n`);
  const startedAt = performance.now();
  try {
    const url = await ownerUrlOf(config);
    await checkServer(url);
    const ran = await migrateDatabase(url, { say, rolePrefix: config.databaseRolePrefix });
    say(ran.length === 0 ? 'There is nothing to migrate.' : `${ran.length} migrations in ${seconds(performance.now() - startedAt)} s.`);
    return 0;
  } catch (error) {
    say(reasonOf(error));
    return 1;
  }
}

/** A message of the driver may contain the URL, so only the code of an error that has one is told. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === '' && unavailable(error) === error) return error instanceof Error ? error.message : String(error);
  if (code === '25006') return 'The database cannot be written: MIGRATION_DATABASE_URL leads to a standby, or it is read-only.';
  const lost = `The database of MIGRATION_DATABASE_URL cannot be reached, or was lost${code === '' ? '' : ` (${code})`}.`;
  return unavailable(error) === error ? `The database refused it (${code}).` : `${lost} What has been done stays; run it again.`;
}
