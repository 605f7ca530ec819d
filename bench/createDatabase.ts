import pg from 'pg';
import { migrateDatabase } from '../server/database/migrate.ts';

/** Makes a migrated, empty database on the same server as another. Resolves with its URL. */
export async function createDatabase(serverUrl: string, name: string): Promise<string> {
  const admin = new pg.Client({ connectionString: serverUrl });
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await migrateDatabase(url.href);
  return url.href;
}
