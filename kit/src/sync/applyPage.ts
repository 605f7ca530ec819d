import type { SyncPage, Tombstone } from '../contract/contract.ts';
import type { Checkpoint, FeedStore } from './FeedStore.ts';
import type { Handlers } from './Handlers.ts';
import { step, type Steps } from './steps.ts';

/** The checkpoint that counts now, and what the page has changed; null if it was not applied. */
export type Applied = { readonly checkpoint: Checkpoint; readonly counts: { readonly upserts: number; readonly ended: number } | null };

type Place<Tx> = { readonly store: FeedStore<Tx>; readonly handlers: Handlers<Tx> };

/** Applies a page whole, up to the cursor behind it. */
export function* applyPage<Tx>(
  tx: Tx,
  { from, page, etag, ...place }: Place<Tx> & { readonly from: Checkpoint; readonly page: SyncPage; readonly etag: string },
): Steps<Applied> {
  const upserts = yield* applyUpserts(tx, place, from, page);
  let ended = 0;
  // What a connection still has goes before the connection itself does.
  for (const tombstone of page.tombstones.toSorted((one, other) => Number(!one.resource) - Number(!other.resource))) {
    ended += yield* applyTombstone(tx, place, tombstone);
  }
  if (from.recovering && !page.has_more) {
    const left = (yield* step(place.store.notSeenIn(tx, from.recovery))).map(({ id }) => id);
    ended += yield* remove(tx, place, left);
  }
  const checkpoint = {
    ...from,
    cursor: page.next_cursor,
    etag: page.next_cursor === from.cursor ? etag : null,
    recovering: from.recovering && page.has_more,
  };
  yield* step(place.store.saveCheckpoint(tx, checkpoint));
  return { checkpoint, counts: { upserts, ended } };
}

function* applyUpserts<Tx>(tx: Tx, { store, handlers }: Place<Tx>, from: Checkpoint, { upserts }: SyncPage): Steps<number> {
  if (upserts.length === 0) return 0;
  const ids = upserts.map(({ id }) => id);
  // The page may have been read before access ended, and the end may have come by another way meanwhile.
  const ended = new Set(yield* step(store.endedAmong(tx, ids)));
  const held = new Map((yield* step(store.revisions(tx, ids))).map(({ id, revision }) => [id, revision]));
  const newer = upserts.filter(({ id, revision }) => !ended.has(id) && revision > (held.get(id) ?? 0));
  yield* step(store.put(tx, newer, from.recovery));
  if (from.recovering && held.size > 0) yield* step(store.markSeen(tx, [...held.keys()], from.recovery));
  if (handlers.upserted) for (const snapshot of newer) yield* step(handlers.upserted(tx, snapshot));
  return newer.length;
}

function* applyTombstone<Tx>(tx: Tx, place: Place<Tx>, tombstone: Tombstone): Steps<number> {
  const { revocation_id: revocationId, resource, subject, connection_id: connectionId } = tombstone;
  const ids = resource ? [resource.id] : (yield* step(place.store.ofConnection(tx, connectionId))).map(({ id }) => id);
  const removed = yield* endResources(tx, { ...place, ids, revocationId });
  yield* step(
    place.store.putDeletion(tx, {
      revocationId,
      subject,
      connectionId,
      revokedAt: tombstone.revoked_at,
      deadlineAt: tombstone.deletion_deadline_at,
      // The last one of a connection names no resource.
      complete: subject.type === 'resource' || !resource,
    }),
  );
  return removed;
}

/** Ends access to these resources for good. Returns how many of them were held. */
export function* endResources<Tx>(
  tx: Tx,
  { ids, revocationId, ...place }: Place<Tx> & { readonly ids: readonly string[]; readonly revocationId: string },
): Steps<number> {
  if (ids.length === 0) return 0;
  yield* step(place.store.end(tx, ids, revocationId));
  return yield* remove(tx, place, ids, revocationId);
}

function* remove<Tx>(tx: Tx, { store, handlers }: Place<Tx>, ids: readonly string[], revocationId?: string): Steps<number> {
  if (ids.length === 0) return 0;
  const removed = yield* step(store.remove(tx, ids));
  if (handlers.ended) {
    for (const row of removed) yield* step(handlers.ended(tx, { ...row, ...(revocationId !== undefined && { revocationId }) }));
  }
  return removed.length;
}
