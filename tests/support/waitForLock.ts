type Database = { rows<Row>(text: string, values?: readonly unknown[]): Promise<Row[]> };

/** Until a statement of the test's database waits for a lock that another one holds. */
export async function waitForLock(database: Database): Promise<void> {
  const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  while ((await database.rows(waiting)).length === 0) await new Promise((resolve) => setImmediate(resolve));
}
