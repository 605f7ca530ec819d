import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { DatabaseSync } from 'node:sqlite';
import { KitError, RateLimited } from '../client/errors.ts';
import { realTime } from '../client/time.ts';
import type { SqliteFeed } from '../sync/sqliteFeed.ts';
import { sync as followFeed, type FeedSource } from '../sync/sync.ts';
import type { Context } from './context.ts';
import { copyFeed, type CopyFeed } from './copyFeed.ts';
import { sentPage } from './sentPage.ts';
import { pathOf } from './settings.ts';
import { loadSqlite } from './sqlite.ts';

/** How long pages of a first copy are committed together, and how long they wait for the next one, in milliseconds. Others wait that long to write. */
const together = 250;

/** Opens the copy that --into names, which only a sync makes. */
async function openCopy(context: Context, makes: boolean): Promise<{ database: DatabaseSync; feed: CopyFeed }> {
  const into = context.flag('into');
  if (into === undefined) throw new KitError('usage', 'Name the SQLite file with --into.');
  const sqlite = await loadSqlite();
  const path = pathOf(context.folder, into);
  if (!makes && !existsSync(path)) {
    throw new KitError('usage', `There is no file ${into}.`, { nextStep: `Name the copy that \`npx svc sync --into ${into}\` makes.` });
  }
  try {
    const database = new sqlite.DatabaseSync(path);
    // Many snapshots fit on a page, so that writing whole ones is cheap, and all pages of an index stay at hand.
    database.exec('pragma page_size = 65536; pragma cache_size = -65536');
    return { database, feed: copyFeed(database, {}, together) };
  } catch (cause) {
    const nextStep = 'Name a SQLite file, or a new one in a folder that is there.';
    throw new KitError('usage', `${into} cannot be opened: ${(cause as Error).message}.`, { nextStep, cause });
  }
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** Once, or with --watch as often as the service advises, until it is stopped. */
export async function sync(context: Context): Promise<void> {
  const { database, feed } = await openCopy(context, true);
  const client = await context.client();
  const { signal } = context;
  const source: FeedSource = {
    assertCapabilities: (options) => client.assertCapabilities(options),
    async page(options) {
      const answer = client.page(options, sentPage);
      const isLate = await Promise.race([answer.then(() => false), wait(together, true, { ref: false })]);
      if (isLate) feed.commit();
      return answer;
    },
  };
  const recover = context.flags['recover'] === true;
  try {
    for (let first = true; ; first = false) {
      const synced = await followFeed(source, feed, {
        signal,
        recover: recover && first,
        progress: ({ upserts, pages }) => context.progress(`${counted(pages, 'page')}, ${counted(upserts, 'resource')}`),
      })
        .finally(() => feed.commit())
        .catch(async (error: unknown) => {
          if (!(error instanceof RateLimited) || context.flags['watch'] !== true) throw error;
          await realTime.wait(Math.max(0, error.retryAt.getTime() - Date.now()), signal);
          return null;
        });
      context.progress('');
      if (synced)
        context.print(
          synced,
          `${counted(synced.upserts, 'resource')} new or changed, ${synced.ended} ended${synced.recovered ? ', followed from the beginning' : ''}.`,
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
  const { database, feed } = await openCopy(context, false);
  try {
    markDeleted(context, database, feed);
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

/** Marks what was named as deleted. Nothing is marked where the copy does not know one of them. */
function markDeleted(context: Context, database: DatabaseSync, feed: SqliteFeed): void {
  const known = database.prepare('select acknowledged_at from svc_deletion where revocation_id = ?');
  const named = context.words.map((revocationId) => {
    const row = known.get(revocationId);
    if (row) return { revocationId, acknowledgedAt: row['acknowledged_at'] };
    const nextStep = '`npx svc deletions` lists those that it knows, and `npx svc sync` brings new ones.';
    throw new KitError('usage', `This copy knows no deletion ${revocationId}.`, { nextStep });
  });
  for (const { revocationId, acknowledgedAt } of named) {
    if (acknowledgedAt === null) feed.markDeleted({ revocationId });
    else
      context.print(
        { revocationId, acknowledgedAt, repeated: true },
        `${revocationId} was acknowledged before, at ${String(acknowledgedAt)}`,
      );
  }
}
