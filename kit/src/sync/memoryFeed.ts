import type { Snapshot } from '../contract/contract.ts';
import { feedOn, type Feed } from './Feed.ts';
import { noCheckpoint, type Checkpoint, type Deletion, type FeedStore, type ResourceRow } from './FeedStore.ts';
import type { Handlers } from './Handlers.ts';
import { runAwaiting } from './steps.ts';

type Kept = Omit<Deletion, 'ids'> & { readonly acknowledgedAt?: string };

/** What a feed in memory holds. */
export class Memory {
  checkpoint: Checkpoint = noCheckpoint;
  resources = new Map<string, { readonly snapshot: Snapshot; readonly seen: number }>();
  /** The revocation that ended each id. */
  ended = new Map<string, string>();
  deletions = new Map<string, Kept>();
  events = new Set<string>();
}

/** Keeps a feed in memory, for tests: whatever it holds goes with the process. */
export function memoryFeed(handlers: Handlers<Memory> = {}, memory = new Memory()): Feed {
  const rowsWhere = (choose: (held: { readonly snapshot: Snapshot; readonly seen: number }) => boolean): ResourceRow[] =>
    [...memory.resources.values()]
      .filter(choose)
      .map(({ snapshot: { id, type, connection_id: connectionId } }) => ({ id, type, connectionId }));
  const change = (revocationId: string, changes: Partial<Kept>): boolean => {
    const kept = memory.deletions.get(revocationId);
    if (kept) memory.deletions.set(revocationId, { ...kept, ...changes });
    return kept !== undefined;
  };
  let last: Promise<unknown> = Promise.resolve();

  const store: FeedStore<Memory> = {
    transaction(steps) {
      const turn = last.then(async () => {
        const copyOf = (held: unknown) => (held instanceof Map ? new Map(held) : held instanceof Set ? new Set(held) : held);
        const before = Object.fromEntries(Object.entries(memory).map(([name, held]) => [name, copyOf(held)]));
        try {
          return await runAwaiting(steps(memory));
        } catch (error) {
          Object.assign(memory, before);
          throw error;
        }
      });
      last = turn.catch(() => {});
      return turn;
    },
    lockCheckpoint: () => memory.checkpoint,
    saveCheckpoint(_tx, checkpoint) {
      memory.checkpoint = checkpoint;
    },
    revisions: (_tx, ids) =>
      ids.flatMap((id) => {
        const held = memory.resources.get(id);
        return held ? [{ id, revision: held.snapshot.revision }] : [];
      }),
    endedAmong: (_tx, ids) => ids.filter((id) => memory.ended.has(id)),
    put(_tx, snapshots, recovery) {
      for (const snapshot of snapshots) {
        memory.resources.set(snapshot.id, { snapshot, seen: recovery ?? memory.resources.get(snapshot.id)?.seen ?? 0 });
      }
    },
    markSeen(_tx, ids, recovery) {
      for (const id of ids) {
        const held = memory.resources.get(id);
        if (held) memory.resources.set(id, { ...held, seen: recovery });
      }
    },
    end(_tx, ids, revocationId) {
      for (const id of ids) if (!memory.ended.has(id)) memory.ended.set(id, revocationId);
    },
    remove(_tx, ids) {
      const rows = rowsWhere(({ snapshot }) => ids.includes(snapshot.id));
      for (const { id } of rows) memory.resources.delete(id);
      return rows;
    },
    ofConnection: (_tx, connectionId) => rowsWhere(({ snapshot }) => snapshot.connection_id === connectionId),
    notSeenIn: (_tx, recovery) => rowsWhere(({ seen }) => seen < recovery),
    putDeletion(_tx, deletion) {
      const kept = memory.deletions.get(deletion.revocationId) ?? { ...deletion, deleted: false, refusedBy: null };
      memory.deletions.set(deletion.revocationId, { ...kept, complete: kept.complete || deletion.complete });
    },
    openDeletions: () =>
      [...memory.deletions.values()]
        .filter(({ acknowledgedAt }) => acknowledgedAt === undefined)
        .map((kept) => ({ ...kept, ids: [...memory.ended].filter(([, by]) => by === kept.revocationId).map(([id]) => id) }))
        .toSorted((one, other) => one.deadlineAt.localeCompare(other.deadlineAt)),
    markDeleted: (_tx, revocationId) => memory.deletions.get(revocationId)?.complete === true && change(revocationId, { deleted: true }),
    settle: (_tx, revocationId, outcome) => change(revocationId, outcome),
    putEvent(_tx, id) {
      const isNew = !memory.events.has(id);
      memory.events.add(id);
      return isNew;
    },
  };
  return feedOn(store, handlers);
}
