import { migrateDatabase } from '../../../server/database/migrate.ts';

/** Migrates the database that it is given, and would need a minute for its second migration. A test runs it and kills it. */
await migrateDatabase(process.argv[2] ?? '', {
  migrations: [
    { name: 'first', sql: 'create table first_table (id int)' },
    { name: 'second', sql: 'create table second_table (id int); select pg_sleep(60)' },
  ],
});
