type Database = { rows<Row>(text: string, values?: readonly unknown[]): Promise<Row[]> };

/** Waits until this many statements in the test's database wait for a lock that another one holds. */
export async function waitForLock(database: Database, statements = 1): Promise<void> {
  const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  while ((await database.rows(waiting)).length < statements) await new Promise((resolve) => setImmediate(resolve));
}
