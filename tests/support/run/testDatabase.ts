import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { roleSettingsSql } from '../../../server/database/roles/applyGrants.ts';
import { roleNames } from '../../../server/database/roles/roleNames.ts';
import { watchLockOrder } from '../../../server/domain/shared/locks.ts';

// In every test that has a database, a command that takes a lock against the order fails.
watchLockOrder();

/** Environment variable by which the global set-up tells the workers where the server is; the URL names the template database. */
export const templateUrlVariable = 'TEST_TEMPLATE_DATABASE_URL';

/** A migrated, empty database for one test file. */
export type TestDatabase = { url: string; drop(): Promise<void> };

/** Clones the migrated template, or PostgreSQL's own, which has no tables; `drop` disconnects anyone who is still connected. */
export async function createTestDatabase({ migrated = true } = {}): Promise<TestDatabase> {
  return clone(migrated ? databaseOf(templateUrl()) : 'template1', { migrated });
}

/**
 * Clones a migrated database that is filled as `name` says. Whichever file of a run needs it first fills it, and another that comes
 * meanwhile waits.
 */
export async function createFilledDatabase(name: string, fill: (url: string) => Promise<void>): Promise<TestDatabase> {
  const template = `filled_${name}`;
  const client = new pg.Client({ connectionString: withDatabase(templateUrl(), 'postgres') });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock(hashtext($1))', [template]);
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [template]);
    if (rowCount === 0) {
      const database = await createTestDatabase();
      await fill(database.url);
      // Renamed only when it is whole, so that a file that fails leaves the next one to fill it.
      await client.query(`alter database ${databaseOf(database.url)} rename to ${template}`);
    }
  } finally {
    await client.end();
  }
  return clone(template, { migrated: true });
}

async function clone(template: string, { migrated }: { readonly migrated: boolean }): Promise<TestDatabase> {
  const url = templateUrl();
  const name = `test_${randomBytes(8).toString('hex')}`;
  await runOnServer(url, `create database ${name} template ${template} strategy file_copy owner ${roleNames().owner}`);
  // They belong to a database, and are not copied with it.
  if (migrated) await runOnServer(url, roleSettingsSql(name, roleNames()));
  return {
    url: withDatabase(url, name),
    drop: () => runOnServer(url, `drop database if exists ${name} with (force)`),
  };
}

function templateUrl(): string {
  const url = process.env[templateUrlVariable];
  if (!url) throw new Error('No test database server: run the tests through Jest, whose global set-up starts it.');
  return url;
}

/** Runs one statement on the server's maintenance database. */
export function runOnServer(anyUrl: string, sql: string): Promise<void> {
  return runOn(withDatabase(anyUrl, 'postgres'), sql);
}

/** Runs one statement on the database that a URL names. */
export async function runOn(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** The same server's URL for another database. */
function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

/** The database that a URL names. */
export function databaseOf(url: string): string {
  return new URL(url).pathname.slice(1);
}
