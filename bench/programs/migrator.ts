import { migrateDatabase } from '../../server/database/migrate.ts';
import { type Migration, readMigrations } from '../../server/database/migration/migrations.ts';
import { answerTasks } from './childProcess.ts';

/** The database, and the migrations of a release that does not exist yet. */
export type MigratorTask = { readonly databaseUrl: string; readonly next: readonly Migration[] };

/** Migrates to this release and to the next one, and answers with the names of what it ran. */
answerTasks(async (message) => {
  const { databaseUrl, next } = message as MigratorTask;
  return migrateDatabase(databaseUrl, { migrations: [...(await readMigrations()), ...next] });
});
