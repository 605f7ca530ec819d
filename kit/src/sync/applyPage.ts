import type { SyncPage, Tombstone } from '../contract/contract.ts';
import type { Applied, Checkpoint, FeedStore, Ended, Handlers } from './FeedStore.ts';
import { step, type Steps } from './steps.ts';

/** What happens to a feed’s rows in a transaction. */
export function changesOn<Tx>(store: FeedStore<Tx>, handlers: Handlers<Tx>) {
  /** Applies a page whole, up to the cursor behind it. */
  function* applyPage(tx: Tx, from: Checkpoint, page: SyncPage, etag: string): Steps<Applied> {
    const { next_cursor: cursor, has_more: more } = page;
    const upserts = yield* applyUpserts(tx, from, page);
    let ended = 0;
    // What a connection still has goes before the connection itself does.
    for (const tombstone of page.tombstones.toSorted((one, other) => Number(!one.resource) - Number(!other.resource))) {
      ended += yield* applyTombstone(tx, tombstone);
    }
    if (from.recovering && !more) ended += yield* remove(tx, idsOf(yield* step(store.notSeenIn(tx, from.recovery))));
    const checkpoint = { ...from, cursor, etag: cursor === from.cursor ? etag : null, recovering: from.recovering && more };
    yield* step(store.saveCheckpoint(tx, checkpoint));
    return { checkpoint, counts: { upserts, ended } };
  }

  function* applyUpserts(tx: Tx, from: Checkpoint, { upserts }: SyncPage): Steps<number> {
    if (upserts.length === 0) return 0;
    // The page may have been read before access ended, and the end may have come by another way meanwhile.
    const known = new Map((yield* step(store.known(tx, idsOf(upserts)))).map(({ id, revision }) => [id, revision ?? Infinity]));
    const newer = known.size === 0 ? upserts : upserts.filter(({ id, revision }) => revision > (known.get(id) ?? 0));
    yield* step(store.put(tx, newer, from.recovery));
    if (from.recovering && known.size > 0) yield* step(store.markSeen(tx, [...known.keys()], from.recovery));
    if (handlers.upserted) for (const snapshot of newer) yield* step(handlers.upserted(tx, snapshot));
    return newer.length;
  }

  function* applyTombstone(tx: Tx, { revocation_id: revocationId, resource, subject, ...tombstone }: Tombstone): Steps<number> {
    const connectionId = tombstone.connection_id;
    const ids = resource ? [resource.id] : idsOf(yield* step(store.ofConnection(tx, connectionId)));
    const removed = yield* end(tx, ids, revocationId);
    // The last one of a connection names no resource.
    const complete = subject.type === 'resource' || !resource;
    const times = { revokedAt: tombstone.revoked_at, deadlineAt: tombstone.deletion_deadline_at };
    yield* step(store.putDeletion(tx, { revocationId, subject, connectionId, ...times, complete }));
    return removed;
  }

  /** Ends access to these resources for good. Returns how many of them were held. */
  function* end(tx: Tx, ids: readonly string[], revocationId: string): Steps<number> {
    if (ids.length > 0) yield* step(store.end(tx, ids, revocationId));
    return yield* remove(tx, ids, { revocationId });
  }

  function* remove(tx: Tx, ids: readonly string[], why: Pick<Ended, 'revocationId'> = {}): Steps<number> {
    if (ids.length === 0) return 0;
    const removed = yield* step(store.remove(tx, ids));
    if (handlers.ended) for (const row of removed) yield* step(handlers.ended(tx, { ...row, ...why }));
    return removed.length;
  }

  return { applyPage, end };
}

const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);
