import { Problem } from '../client/errors.ts';
import type { Capabilities, SyncPage } from '../contract/contract.ts';
import type { Feed } from './Feed.ts';

type Asked = { readonly signal?: AbortSignal | undefined; readonly updatedSince?: string; readonly etag?: string; readonly limit?: number };
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

/** Follows a feed to its end. Wherever it stops, the next call goes on from the last page that was committed. */
export async function sync(client: FeedSource, feed: Feed, { signal, recover = false, pageSize, progress }: SyncOptions): Promise<Synced> {
  const { client_id: clientId } = await client.assertCapabilities({ signal });
  let at = await feed.begin(clientId);
  if (recover && !at.recovering) at = await feed.recover(at);
  let synced: Synced = { upserts: 0, ended: 0, pages: 0, recovered: at.recovering };
  for (;;) {
    const page = await client
      .page({
        signal,
        ...(at.cursor !== null && { updatedSince: at.cursor }),
        ...(at.etag !== null && { etag: at.etag }),
        ...(pageSize !== undefined && { limit: pageSize }),
      })
      .catch((error: unknown) => {
        if (error instanceof Problem && error.code === 'invalid_cursor') return null;
        throw error;
      });
    if (!page) {
      at = await feed.recover(at);
      synced = { ...synced, recovered: true };
      continue;
    }
    if (!page.value) return synced;
    const { checkpoint, counts } = await feed.apply(at, page.value, page.etag);
    at = checkpoint;
    if (!counts) continue;
    synced = { ...synced, upserts: synced.upserts + counts.upserts, ended: synced.ended + counts.ended, pages: synced.pages + 1 };
    progress?.(synced);
    if (!page.value.has_more) return synced;
  }
}
