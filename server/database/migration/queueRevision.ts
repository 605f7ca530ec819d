/**
 * The revision of the job queue's tables that this release's graphile-worker makes and needs. A release that changes it cannot run before the
 * migrations of its own.
 */
export const queueRevision = 20;

const prefix = 'graphile-worker/';

/** What the table `migration` calls it. */
export const queueMigration = `${prefix}${queueRevision}`;

/** Whether the table `migration` names this revision or a later one. */
export function hasQueue(names: Iterable<string>): boolean {
  return [...names].some((name) => name.startsWith(prefix) && Number(name.slice(prefix.length)) >= queueRevision);
}
