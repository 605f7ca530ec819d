import { KitError, type AccessEnded } from '../client/errors.ts';
import type { Snapshot, SyncPage } from '../contract/contract.ts';
import { changesOn } from './applyPage.ts';
import type { Applied, Checkpoint, Deletion, FeedStore, Outcome, Handlers } from './FeedStore.ts';
import { afterwards, step, type Awaitable, type Steps } from './steps.ts';

/** A client’s feed in the caller’s database. */
export type Feed = {
  /** Takes the store for this client; throws if it is another’s. */
  readonly begin: (clientId: string) => Awaitable<Checkpoint>;
  /** Begins a recovery sync, unless somebody else has moved on from this checkpoint. Returns the one that counts now. */
  readonly recover: (from: Checkpoint) => Awaitable<Checkpoint>;
  /** Applies a page that was read from this checkpoint. If somebody else has moved on from it, `counts` is null and nothing is applied. */
  readonly apply: (from: Checkpoint, page: SyncPage, etag: string) => Awaitable<Applied>;
  /** Applies a snapshot that was read by itself or came by webhook, if it is newer than the one that is held. What is new comes by sync. */
  readonly refresh: (snapshot: Snapshot) => Awaitable<boolean>;
  /** Applies the answer 410. The deletion itself comes by sync. */
  readonly end: (ended: AccessEnded) => Awaitable<null>;
  /** What is to be deleted outside the database: all its tombstones have been applied. The earliest deadline comes first. */
  readonly dueDeletions: () => Awaitable<readonly Deletion[]>;
  /** Says that every copy is deleted, and everything derived from it. */
  readonly markDeleted: (deletion: Pick<Deletion, 'revocationId'>) => Awaitable<void>;
  /** What is deleted and waits to be acknowledged. */
  readonly deletedDeletions: () => Awaitable<readonly Deletion[]>;
  /** What the service will never take an acknowledgement for, with the code that says why. Once it is deleted, record it in the portal. */
  readonly refusedDeletions: () => Awaitable<readonly Deletion[]>;
  readonly settleDeletion: (revocationId: string, outcome: Outcome) => Awaitable<void>;
  /** Commits an event’s id; false if it was committed before. */
  readonly commitEvent: (event: { readonly id: string }) => Awaitable<boolean>;
};

/** A feed on any store. */
export function feedOn<Tx>(store: FeedStore<Tx>, handlers: Handlers<Tx>): Feed {
  /** One thing in a transaction of its own. */
  const once = <T>(work: (tx: Tx) => Awaitable<T>) =>
    store.transaction(function* (tx): Steps<T> {
      return yield* step(work(tx));
    });
  const open = (choose: (deletion: Deletion) => boolean) =>
    once((tx) => afterwards(store.openDeletions(tx), (deletions) => deletions.filter(choose)));
  /** The same, while no other transaction reads the checkpoint. */
  const locked = <T>(work: (tx: Tx, held: Checkpoint) => Steps<T>) =>
    store.transaction(function* (tx): Steps<T> {
      return yield* work(tx, yield* step(store.lockCheckpoint(tx)));
    });
  const { applyPage, end } = changesOn(store, handlers);
  return {
    begin: (clientId) =>
      locked(function* (tx, held) {
        if (held.clientId === clientId) return held;
        if (held.clientId !== null) throw new KitError('other_client', `This store belongs to ${held.clientId}.`);
        const first = { ...held, clientId, recovery: 1, recovering: true };
        yield* step(store.saveCheckpoint(tx, first));
        return first;
      }),
    recover: (from) =>
      locked(function* (tx, held) {
        if (!samePlace(held, from)) return held;
        const next = { ...held, cursor: null, etag: null, recovery: held.recovery + 1, recovering: true };
        yield* step(store.saveCheckpoint(tx, next));
        return next;
      }),
    apply: (from, page, etag) =>
      locked(function* (tx, held) {
        // Pages that were read from another place may be older than what is stored now.
        if (!samePlace(held, from)) return { checkpoint: held, counts: null };
        return yield* applyPage(tx, held, page, etag);
      }),
    refresh: (snapshot) =>
      locked(function* (tx) {
        const [known] = yield* step(store.known(tx, [snapshot.id]));
        if ((known?.revision ?? Infinity) >= snapshot.revision) return false;
        // It does not count as seen: the read may be older than the recovery sync that is under way.
        yield* step(store.put(tx, [snapshot], null));
        yield* step(handlers.upserted?.(tx, snapshot));
        return true;
      }),
    end: ({ id, revocationId }) =>
      locked(function* (tx) {
        yield* end(tx, [id], revocationId);
        return null;
      }),
    dueDeletions: () => open(({ complete, deleted, refusedBy }) => complete && !deleted && refusedBy === null),
    deletedDeletions: () => open(({ deleted, refusedBy }) => deleted && refusedBy === null),
    refusedDeletions: () => open(({ refusedBy }) => refusedBy !== null),
    markDeleted: ({ revocationId }) =>
      once((tx) =>
        afterwards(store.markDeleted(tx, revocationId), (isMarked): void => {
          if (isMarked) return;
          const nextStep = 'Sync to the end first, then mark what `dueDeletions` returns.';
          throw new KitError('invalid_argument', `Not every tombstone of ${revocationId} has been applied.`, { nextStep });
        }),
      ),
    settleDeletion: (revocationId, outcome) => once((tx) => afterwards(store.settle(tx, revocationId, outcome), () => {})),
    commitEvent: ({ id }) => once((tx) => store.putEvent(tx, id)),
  };
}

const samePlace = (one: Checkpoint, other: Checkpoint): boolean =>
  one.clientId === other.clientId && one.cursor === other.cursor && one.recovery === other.recovery;
