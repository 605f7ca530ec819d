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

/** Clones the migrated template, or PostgreSQL's own, which has no tables; `drop` disconnects whoever is still connected. */
export async function createTestDatabase({ migrated = true } = {}): Promise<TestDatabase> {
  const templateUrl = process.env[templateUrlVariable];
  if (!templateUrl) throw new Error('No test database server: run the tests through Jest, whose global set-up starts it.');
  const template = migrated ? databaseOf(templateUrl) : 'template1';
  const name = `test_${randomBytes(8).toString('hex')}`;
  await runOnServer(templateUrl, `create database ${name} template ${template} strategy file_copy owner ${roleNames().owner}`);
  // They belong to a database, and are not copied with it.
  if (migrated) await runOnServer(templateUrl, roleSettingsSql(name, roleNames()));
  return {
    url: withDatabase(templateUrl, name),
    drop: () => runOnServer(templateUrl, `drop database if exists ${name} with (force)`),
  };
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
export function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

/** The database that a URL names. */
export function databaseOf(url: string): string {
  return new URL(url).pathname.slice(1);
}
