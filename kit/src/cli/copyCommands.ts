import type { DatabaseSync } from 'node:sqlite';
import { KitError, RateLimited } from '../client/errors.ts';
import { realTime } from '../client/time.ts';
import { sqliteFeed, type SqliteFeed } from '../sync/sqliteFeed.ts';
import type { Context } from './context.ts';
import { pathOf } from './settings.ts';

/** Opens the copy that --into names. */
async function openCopy(context: Context): Promise<{ database: DatabaseSync; feed: SqliteFeed }> {
  const into = context.flag('into');
  if (into === undefined) throw new KitError('usage', 'Name the SQLite file with --into.');
  const sqlite = await import('node:sqlite').catch((cause: unknown) => {
    const nextStep = 'Use Node 22.13 or later, or the library with PostgreSQL.';
    throw new KitError('usage', `Node ${process.versions.node} has no SQLite.`, { nextStep, cause });
  });
  const database = new sqlite.DatabaseSync(pathOf(context.folder, into));
  // Several snapshots fit on a page. What a crash of the machine takes back, cursor and all, the next sync brings again.
  database.exec('pragma page_size = 16384; pragma journal_mode = wal; pragma synchronous = normal');
  return { database, feed: sqliteFeed(database) };
}

/** Once, or with --watch as often as the service advises, until it is stopped. */
export async function sync(context: Context): Promise<void> {
  const { database, feed } = await openCopy(context);
  const client = await context.client();
  const { signal } = context;
  const recover = context.flags['recover'] === true;
  try {
    for (let first = true; ; first = false) {
      const synced = await client
        .sync(feed, {
          signal,
          recover: recover && first,
          progress: ({ upserts, pages }) => context.progress(`${pages} pages, ${upserts} resources`),
        })
        .catch(async (error: unknown) => {
          if (!(error instanceof RateLimited) || context.flags['watch'] !== true) throw error;
          await realTime.wait(Math.max(0, error.retryAt.getTime() - Date.now()), signal);
          return null;
        });
      context.progress('');
      if (synced)
        context.print(
          synced,
          `${synced.upserts} resources new or changed, ${synced.ended} ended${synced.recovered ? ', followed from the beginning' : ''}.`,
        );
      if (context.flags['watch'] !== true) return;
      const { quotas } = await client.assertCapabilities({ signal });
      if (synced) await realTime.wait(quotas.polling_interval_seconds * 1000, signal);
    }
  } finally {
    database.close();
  }
}

/** Lists what is to be deleted. With `ack`, states that these revocations are. */
export async function deletions(context: Context): Promise<number | void> {
  const { database, feed } = await openCopy(context);
  try {
    for (const revocationId of context.words) feed.markDeleted({ revocationId });
    for (const stated of await (context.words.length > 0 ? (await context.client()).acknowledgeDeletions(feed, context) : [])) {
      context.print(stated, `${stated.revocationId} acknowledged at ${stated.acknowledgedAt}`);
    }
    for (const due of feed.dueDeletions()) context.print(due, `${due.revocationId}  delete by ${due.deadlineAt}: ${due.ids.join(' ')}`);
    for (const refused of feed.refusedDeletions())
      context.print(refused, `${refused.revocationId}  ${refused.refusedBy}: record it in the portal once it is deleted`);
  } finally {
    database.close();
  }
}
