import type { ListedMigration } from '../../../migrations/migrationsList.ts';
import { isLaterQueue } from './queueRevision.ts';
import { areFunctions } from './functions.ts';

/** A release, by what it brings to the database. */
export type Release = {
  readonly version: string;
  readonly migrations: readonly ListedMigration[];
  /** What the table `migration` calls its functions, if it has any. */
  readonly functions?: string;
};

const prefix = 'release/';

/** What the table `migration` calls the rights of a release. A release may change them without a migration. */
export function rightsOf(version: string): string {
  return `${prefix}${version}`;
}

/** The first of the names in the table `migration` that only a release later than this one can have brought. */
export function broughtLater(names: readonly string[], { version, migrations }: Release): string | undefined {
  const known = new Set(migrations.map(({ name }) => name));
  return names.find((name) => {
    if (name.startsWith(prefix)) return isOlder(version, name.slice(prefix.length));
    if (areFunctions(name)) return false;
    return isLaterQueue(name) ?? !known.has(name);
  });
}

/** Whether one version comes before the other, by their three numbers. */
export function isOlder(version: string, than: string): boolean {
  const numbers = (text: string) => text.split('.').map((part) => Number.parseInt(part, 10));
  const wanted = numbers(than);
  const differing = numbers(version).findIndex((number, place) => number !== wanted[place]);
  return differing >= 0 && (numbers(version)[differing] ?? 0) < (wanted[differing] ?? 0);
}
