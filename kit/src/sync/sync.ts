import { setImmediate as turn } from 'node:timers/promises';
import type { CallOptions, PageOptions, Read } from '../client/calls.ts';
import { Problem } from '../client/errors.ts';
import type { Capabilities, SyncPage } from '../contract/contract.ts';
import type { Feed } from './Feed.ts';
import type { Checkpoint } from './FeedStore.ts';

/** What pages are read from. */
export type FeedSource = {
  assertCapabilities(options: CallOptions): Promise<Capabilities>;
  page(options: PageOptions): Promise<Read<SyncPage | null>>;
};

export type SyncOptions = CallOptions & {
  /** Follows the feed from its beginning, as after a loss of data. */
  readonly recover?: boolean;
  /** How many records a page has at most. */
  readonly pageSize?: number;
  /** Called after each page. */
  readonly progress?: (soFar: Synced) => void;
};
export type Synced = {
  readonly upserts: number;
  readonly ended: number;
  readonly pages: number;
  /** Whether the feed was followed from its beginning. */
  readonly recovered: boolean;
};

/** Follows a feed to its end. Wherever it stops, the next call goes on from the last page that was committed. */
export async function sync(client: FeedSource, feed: Feed, { signal, recover = false, pageSize, progress }: SyncOptions): Promise<Synced> {
  const { client_id: clientId } = await client.assertCapabilities({ signal });
  const ended = new AbortController();
  const both = signal ? AbortSignal.any([signal, ended.signal]) : ended.signal;
  /** The page at this place, or null if the place is no more. */
  const read = ({ cursor, etag }: Pick<Checkpoint, 'cursor' | 'etag'>) =>
    client.page({ signal: both, updatedSince: cursor ?? undefined, etag: etag ?? undefined, limit: pageSize }).catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'invalid_cursor') return null;
      throw error;
    });
  let at = await feed.begin(clientId);
  if (recover && !at.recovering) at = await feed.recover(at);
  let synced: Synced = { upserts: 0, ended: 0, pages: 0, recovered: at.recovering };
  let next: ReturnType<typeof read> | undefined;
  try {
    for (;;) {
      signal?.throwIfAborted();
      const page = await (next ?? read(at));
      next = undefined;
      if (!page) {
        at = await feed.recover(at);
        synced = { ...synced, recovered: true };
        continue;
      }
      if (!page.value) return synced;
      const { next_cursor: cursor, has_more: more } = page.value;
      // While this page is stored, which may block the process, the service works on the next one. A request that waits for no quota is sent
      // within a turn of the event loop.
      if (more) {
        next = read({ cursor, etag: null });
        next.catch(() => {});
        await turn();
      }
      const { checkpoint, counts } = await feed.apply(at, page.value, page.etag);
      at = checkpoint;
      if (!counts) {
        // Somebody else has moved on.
        next = undefined;
        continue;
      }
      synced = { ...synced, upserts: synced.upserts + counts.upserts, ended: synced.ended + counts.ended, pages: synced.pages + 1 };
      progress?.(synced);
      if (!more) return synced;
    }
  } finally {
    ended.abort();
  }
}
