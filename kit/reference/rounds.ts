import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { type Credentials, type Feed, KitError, type OperatorClient, RateLimited, renewWhenDue } from 'svc-operator-kit';
import type { Row } from './query.ts';
import { creditPlain } from './pages.ts';
import { pathOf } from './settings.ts';
import type { Store } from './store.ts';

type Parts = { readonly client: OperatorClient; readonly credentials: Credentials; readonly feed: Feed; readonly store: Store };

const hour = 60 * 60 * 1000;
export const exportOf = (id: string): string => pathOf(`exports/${id}.csv`);

/** Says what has failed, without any data of a user. */
export function report(error: unknown): void {
  console.error(error instanceof KitError ? error.message : error);
}

/** Pulls as often as the service advises, and whenever somebody asks for it. */
export function startRounds({ client, credentials, feed, store }: Parts, signal: AbortSignal): { soon: () => Promise<void> } {
  let pauseMs = hour / 4;
  let current = Promise.resolve();
  let next: Promise<void> | undefined;

  /** One round at a time. All who ask during one get the next. */
  const soon = (): Promise<void> =>
    (next ??= current.then(() => {
      next = undefined;
      return (current = round().catch((error: unknown) => {
        if (error instanceof RateLimited) pauseMs = Math.max(pauseMs, error.retryAt.getTime() - Date.now());
        if (!signal.aborted) report(error);
      }));
    }));

  async function round(): Promise<void> {
    // Who am I, and what may I do: first in each round.
    const { quotas } = await client.capabilities({ signal });
    pauseMs = quotas.polling_interval_seconds * 1000;
    await client.sync(feed, { signal });
    await writeExports();
    // What the pages have ended is gone from the database. What lies outside it goes now, and only then is it acknowledged.
    const due = await feed.dueDeletions();
    await removeExports();
    for (const deletion of due) {
      if (deletion.subject.type === 'connection') await store.unlink(deletion.connectionId);
      await feed.markDeleted(deletion);
    }
    await client.acknowledgeDeletions(feed, { signal });
    for (const { revocationId, refusedBy } of await feed.refusedDeletions()) {
      console.error(`${revocationId} is deleted, but cannot be acknowledged (${refusedBy}): record it in the portal.`);
    }
  }

  async function writeExports(): Promise<void> {
    await mkdir(pathOf('exports'), { recursive: true });
    for (const notice of await store.notExported()) {
      const file = exportOf(String(notice['resource_id']));
      await writeFile(`${file}.new`, csvOf(notice));
      await rename(`${file}.new`, file);
      await store.noteExport(notice);
    }
  }

  /** Removes the files of everything that has ended, however it came to its end. */
  async function removeExports(): Promise<void> {
    const held = await store.noticed();
    for (const file of await readdir(pathOf('exports'))) {
      if (!held.has(file.replace(/\..*$/, ''))) await rm(pathOf(`exports/${file}`));
    }
  }

  const renew = () => void renewWhenDue(client, credentials, { signal }).catch(report);
  const renewing = setInterval(renew, hour);
  let waiting: NodeJS.Timeout | undefined;
  const follow = async (): Promise<void> => {
    await soon();
    // Not all at the same moment.
    if (!signal.aborted) waiting = setTimeout(() => void follow(), pauseMs * (0.9 + Math.random() / 10));
  };
  signal.addEventListener('abort', () => {
    clearInterval(renewing);
    clearTimeout(waiting);
  });
  renew();
  void follow();
  return { soon };
}

/** In quotes, and never a formula. */
const cell = (value: unknown): string =>
  `"${String(value)
    .replace(/^[=+@\t\r-]/, "'$&")
    .replaceAll('"', '""')}"`;

/** Each record says where it is from. */
function csvOf({ resource_id: id, words, changed_at: at }: Row): string {
  const lines = [
    ['source', 'id', 'state', 'as of'],
    [creditPlain, id, words, at],
  ];
  return lines.map((line) => `${line.map(cell).join(',')}\r\n`).join('');
}
