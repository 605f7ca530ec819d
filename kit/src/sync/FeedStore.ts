import type { Snapshot } from '../contract/contract.ts';
import type { Awaitable, Steps } from './steps.ts';

/** How far the copy of a client’s feed has come. There is exactly one; in a new store, it is nulls, 0 and false. */
export type Checkpoint = {
  /** Whose feed it is. */
  readonly clientId: string | null;
  /** Where the next page begins; null at the beginning of the feed. */
  readonly cursor: string | null;
  /** The validator of the page that begins there, if that page has been read and was empty. */
  readonly etag: string | null;
  /** How many recovery syncs there have been; the first sync is one. */
  readonly recovery: number;
  /** Whether a recovery sync is under way: at its end, what it has not brought goes. */
  readonly recovering: boolean;
};

/** The checkpoint that counts now, and what the page has changed; null if it was not applied. */
export type Applied = { readonly checkpoint: Checkpoint; readonly counts: { readonly upserts: number; readonly ended: number } | null };

/** Where a snapshot keeps the text that it was sent as, if that is at hand. @internal */
export const sentText = Symbol('sentText');
/** @internal */
export const textOf = (snapshot: Snapshot & { readonly [sentText]?: string }): string => snapshot[sentText] ?? JSON.stringify(snapshot);

/** A resource as rows name it. */
export type ResourceRow = { readonly id: string; readonly type: string; readonly connectionId: string };

/** A revocation that obliges to delete. */
export type Deletion = {
  readonly revocationId: string;
  readonly subject: { readonly type: string; readonly id: string };
  readonly connectionId: string;
  readonly revokedAt: string;
  readonly deadlineAt: string;
  /** Every resource that it ended. */
  readonly ids: readonly string[];
  /** Whether all its tombstones have been applied. */
  readonly complete: boolean;
  /** Whether the caller has said that everything is deleted. */
  readonly deleted: boolean;
  /** Why it can never be acknowledged: the problem’s code. */
  readonly refusedBy: string | null;
};

/** Either is there. */
export type Outcome = { readonly acknowledgedAt?: string; readonly refusedBy?: string };

/**
 * What a database must be able to do to hold a feed. Everything but `transaction` runs inside one. Table by table: one checkpoint; resources
 * by id; ids that have ended, each with its revocation; deletions by revocation; ids of events. A database whose calls return promises runs
 * the steps with `runAwaiting`, any other with `runAtOnce`; `sqliteFeed` and `postgresFeed` are examples.
 */
export type FeedStore<Tx> = {
  /** Runs the steps in a transaction of their own: commits when they have ended, and rolls back and throws when they throw. */
  transaction<T>(steps: (tx: Tx) => Steps<T>): Awaitable<T>;
  /** Reads the checkpoint and keeps other transactions from doing so until this one ends. */
  lockCheckpoint(tx: Tx): Awaitable<Checkpoint>;
  saveCheckpoint(tx: Tx, checkpoint: Checkpoint): Awaitable<unknown>;
  /** Of these ids, those that are held, each with its revision, and those that have ended, with null. */
  known(tx: Tx, ids: readonly string[]): Awaitable<readonly { readonly id: string; readonly revision: number | null }[]>;
  /** Stores snapshots in place of what is held of them, as seen in this recovery sync; null leaves it at when they were last seen. */
  put(tx: Tx, snapshots: readonly Snapshot[], recovery: number | null): Awaitable<unknown>;
  /** Notes that this recovery sync has brought these resources. */
  markSeen(tx: Tx, ids: readonly string[], recovery: number): Awaitable<unknown>;
  /** Notes that these ids have ended, those that are known to have ended excepted. */
  end(tx: Tx, ids: readonly string[], revocationId: string): Awaitable<unknown>;
  /** Removes these resources, and returns those that were held. */
  remove(tx: Tx, ids: readonly string[]): Awaitable<readonly ResourceRow[]>;
  /** The resources that are held of a connection. */
  ofConnection(tx: Tx, connectionId: string): Awaitable<readonly ResourceRow[]>;
  /** The resources that were last seen before this recovery sync. */
  notSeenIn(tx: Tx, recovery: number): Awaitable<readonly ResourceRow[]>;
  /** Stores a deletion. If it is stored already, only makes it complete where this one is. */
  putDeletion(tx: Tx, deletion: Omit<Deletion, 'ids' | 'deleted' | 'refusedBy'>): Awaitable<unknown>;
  /** Those that are not acknowledged, the earliest deadline first. */
  openDeletions(tx: Tx): Awaitable<readonly Deletion[]>;
  /** Notes that the caller has deleted everything, where all tombstones have been applied; false where they have not. */
  markDeleted(tx: Tx, revocationId: string): Awaitable<boolean>;
  /** Notes how the acknowledgement has ended. */
  settle(tx: Tx, revocationId: string, outcome: Outcome): Awaitable<unknown>;
  /** Stores an event’s id; false if it is stored already. */
  putEvent(tx: Tx, id: string): Awaitable<boolean>;
};

/** A resource whose access has ended. Without `revocationId`, a recovery sync has not brought it any more. */
export type Ended = ResourceRow & { readonly revocationId?: string };

/** The caller’s own writes, in the transaction of the page that causes them. What they throw rolls the page back, and it comes again. */
export type Handlers<Tx> = {
  /** A new resource, or a newer revision of one. */
  readonly upserted?: (tx: Tx, snapshot: Snapshot) => unknown;
  /** Delete what is derived from it. */
  readonly ended?: (tx: Tx, resource: Ended) => unknown;
};
