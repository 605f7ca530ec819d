/**
 * The revision of the job queue's tables that this release's graphile-worker makes and needs. A release that changes it cannot run before the
 * migrations of its own.
 */
const queueRevision = 20;

const prefix = 'graphile-worker/';

/** What the table `migration` calls it. */
export const queueMigration = `${prefix}${queueRevision}`;

/** Whether the table `migration` names this revision or a later one. */
export function hasQueue(names: Iterable<string>): boolean {
  return [...names].some((name) => name === queueMigration || isLaterQueue(name) === true);
}

/** Whether it names a later revision than this release's; undefined if it is not one of the job queue. */
export function isLaterQueue(name: string): boolean | undefined {
  return name.startsWith(prefix) ? Number(name.slice(prefix.length)) > queueRevision : undefined;
}
