import { Logger, runMigrations } from 'graphile-worker';
import { createOrm } from './orm.ts';

const silent = new Logger(() => () => {});

/** Brings the database to the current schema: graphile-worker's first, then ours. Safe to run from several processes at once. */
export async function migrateDatabase(databaseUrl: string): Promise<void> {
  await runMigrations({ connectionString: databaseUrl, logger: silent });
  const orm = await createOrm(databaseUrl, { poolMax: 2 });
  try {
    await orm.em.transactional(async (em) => {
      // Two processes that start together take turns; the second finds nothing left to do.
      await em.execute("select pg_advisory_xact_lock(hashtext('operator-integration-service.migrate'))");
      await orm.migrator.up();
    });
  } finally {
    await orm.close(true);
  }
}
