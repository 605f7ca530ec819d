import { Problem } from '../client/errors.ts';
import type { Capabilities, SyncPage } from '../contract/contract.ts';
import type { Feed } from './Feed.ts';
import type { Checkpoint } from './FeedStore.ts';

type Asked = {
  readonly signal?: AbortSignal | undefined;
  readonly updatedSince?: string | undefined;
  readonly etag?: string | undefined;
  readonly limit?: number | undefined;
  /** Called once the request has been sent. */
  readonly sent?: (() => void) | undefined;
};
/** What pages are read from. */
type FeedSource = {
  assertCapabilities(options: Pick<Asked, 'signal'>): Promise<Capabilities>;
  page(options: Asked): Promise<{ readonly value: SyncPage | null; readonly etag: string }>;
};

export type SyncOptions = {
  readonly signal?: AbortSignal | undefined;
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

/** In milliseconds. A request that takes longer to be sent waits for a quota. */
const longestAsking = 20;

/** Follows a feed to its end. Wherever it stops, the next call goes on from the last page that was committed. */
export async function sync(client: FeedSource, feed: Feed, { signal, recover = false, pageSize, progress }: SyncOptions): Promise<Synced> {
  const { client_id: clientId } = await client.assertCapabilities({ signal });
  const ended = new AbortController();
  const both = signal ? AbortSignal.any([signal, ended.signal]) : ended.signal;
  /** The page at this place, or null if the place is no more. */
  const read = ({ cursor, etag }: Pick<Checkpoint, 'cursor' | 'etag'>, sent?: () => void) =>
    client
      .page({ signal: both, updatedSince: cursor ?? undefined, etag: etag ?? undefined, limit: pageSize, sent })
      .catch((error: unknown) => {
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
      // While this page is stored, which may block the process, the service works on the next one: if it can be asked at once.
      if (more) {
        await new Promise<void>((resolve) => {
          next = read({ cursor, etag: null }, resolve);
          next.catch(() => {});
          setTimeout(resolve, longestAsking);
        });
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
