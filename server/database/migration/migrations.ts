import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { migrationsList, type ListedMigration } from '../../../migrations/migrationsList.ts';

export type Migration = ListedMigration & { readonly sql: string };

/** All migrations of this release, in the order in which they run. */
export function readMigrations(): Promise<readonly Migration[]> {
  return Promise.all(
    migrationsList.map(async (listed) => ({
      ...listed,
      sql: await readFile(new URL(`../../../migrations/${listed.name}.sql`, import.meta.url), 'utf8'),
    })),
  );
}

/** What the database remembers of a migration's SQL, so that one that was changed after it ran is noticed. */
export function checksumOf({ sql }: Migration): string {
  return createHash('sha256').update(sql).digest('hex');
}
