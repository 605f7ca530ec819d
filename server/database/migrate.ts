import { Logger, runMigrations } from 'graphile-worker';
import { createOrm } from './orm.ts';

const silent = new Logger(() => () => {});

/**
 * Brings the database to the current schema, first graphile-worker's and then ours. Several processes may safely run it at the same time.
 */
export async function migrateDatabase(databaseUrl: string): Promise<void> {
  await runMigrations({ connectionString: databaseUrl, logger: silent });
  const orm = await createOrm(databaseUrl, { poolMax: 2 });
  try {
    await orm.em.transactional(async (em) => {
      // Two processes that start together take turns, and the second finds nothing left to do.
      await em.execute("select pg_advisory_xact_lock(hashtext('operator-integration-service.migrate'))");
      await orm.migrator.up();
    });
  } finally {
    await orm.close(true);
  }
}
