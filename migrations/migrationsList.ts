/** One step of the schema: a file of SQL in this folder, which runs once. */
export type ListedMigration = {
  /** The file without `.sql`. A name and its file, once released, never change. */
  readonly name: string;
  /**
   * For what PostgreSQL refuses inside a transaction, such as `create index concurrently`. The file is one statement, which can be repeated
   * after it was broken off (`if not exists`, `if exists`).
   */
  readonly outsideTransaction?: true;
  /** The oldest release that works once this has run, if it takes away what earlier ones use. */
  readonly minRelease?: string;
};

/** All migrations in the order in which they run, by time. They only go forward and keep data. */
export const migrationsList: readonly ListedMigration[] = [
  { name: 'baseline/01-audit' },
  { name: 'baseline/02-key-ring' },
  { name: 'baseline/03-account' },
  { name: 'baseline/04-access' },
  { name: 'baseline/05-integration' },
  { name: 'baseline/06-gate' },
  { name: 'baseline/07-client' },
  { name: 'baseline/08-certificate' },
  { name: 'baseline/09-usage' },
  { name: 'baseline/10-sharing' },
  { name: 'baseline/11-agreement' },
  { name: 'baseline/12-sandbox' },
  { name: 'baseline/13-review' },
  { name: 'baseline/14-notification' },
  { name: 'baseline/15-webhook' },
  { name: 'baseline/16-jobs' },
  { name: 'baseline/17-first-terms' },
  { name: 'baseline/18-partitions' },
  { name: '2026-11-30/profile-known-columns' },
];
