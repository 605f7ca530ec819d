/**
 * The revision of the job queue's tables that this release's graphile-worker makes and needs. A release that changes it cannot run before the
 * migrations of its own.
 */
export const queueRevision = 20;

/** What the table `migration` calls it. */
export const queueMigration = `graphile-worker/${queueRevision}`;
