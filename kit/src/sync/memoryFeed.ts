import type { Snapshot } from '../contract/contract.ts';
import { feedOn, type Feed } from './Feed.ts';
import type { Checkpoint, Deletion, FeedStore, ResourceRow, Handlers } from './FeedStore.ts';
import { runAwaiting, turns } from './steps.ts';

type Held = { readonly snapshot: Snapshot; seen: number };
type Kept = Omit<Deletion, 'ids' | 'complete' | 'deleted'> & { complete: boolean; deleted: boolean; readonly acknowledgedAt?: string };

/** What a feed in memory holds. */
export class Memory {
  checkpoint: Checkpoint = { clientId: null, cursor: null, etag: null, recovery: 0, recovering: false };
  resources = new Map<string, Held>();
  /** The revocation that ended each id. */
  ended = new Map<string, string>();
  deletions = new Map<string, Kept>();
  events = new Set<string>();
}

/** Keeps a feed in memory, for tests: whatever it holds goes with the process. */
export function memoryFeed(handlers: Handlers<Memory> = {}, memory = new Memory()): Feed {
  const heldOf = (ids: readonly string[]): Held[] => ids.flatMap((id) => memory.resources.get(id) ?? []);
  const rowOf = ({ snapshot: { id, type, connection_id: connectionId } }: Held): ResourceRow => ({ id, type, connectionId });
  const rowsWhere = (choose: (held: Held) => boolean) => [...memory.resources.values()].filter(choose).map(rowOf);
  const inTurn = turns();

  const store: FeedStore<Memory> = {
    transaction: (steps) =>
      inTurn(async () => {
        const before = structuredClone({ ...memory });
        try {
          return await runAwaiting(steps(memory));
        } catch (error) {
          Object.assign(memory, before);
          throw error;
        }
      }),
    lockCheckpoint: () => memory.checkpoint,
    saveCheckpoint: (_tx, checkpoint) => (memory.checkpoint = checkpoint),
    known: (_tx, ids) => [
      ...heldOf(ids).map(({ snapshot }) => snapshot),
      ...ids.filter((id) => memory.ended.has(id)).map((id) => ({ id, revision: null })),
    ],
    put(_tx, snapshots, recovery) {
      for (const snapshot of snapshots) {
        memory.resources.set(snapshot.id, { snapshot, seen: recovery ?? memory.resources.get(snapshot.id)?.seen ?? 0 });
      }
    },
    markSeen(_tx, ids, recovery) {
      for (const held of heldOf(ids)) held.seen = recovery;
    },
    end(_tx, ids, revocationId) {
      for (const id of ids) if (!memory.ended.has(id)) memory.ended.set(id, revocationId);
    },
    remove(_tx, ids) {
      const rows = heldOf(ids).map(rowOf);
      for (const { id } of rows) memory.resources.delete(id);
      return rows;
    },
    ofConnection: (_tx, connectionId) => rowsWhere(({ snapshot }) => snapshot.connection_id === connectionId),
    notSeenIn: (_tx, recovery) => rowsWhere(({ seen }) => seen < recovery),
    putDeletion(_tx, deletion) {
      const kept = memory.deletions.get(deletion.revocationId);
      if (kept) kept.complete ||= deletion.complete;
      else memory.deletions.set(deletion.revocationId, { ...deletion, deleted: false, refusedBy: null });
    },
    openDeletions: () =>
      [...memory.deletions.values()]
        .filter(({ acknowledgedAt }) => acknowledgedAt === undefined)
        .map((kept) => ({ ...kept, ids: [...memory.ended].filter(([, by]) => by === kept.revocationId).map(([id]) => id) }))
        .toSorted((one, other) => one.deadlineAt.localeCompare(other.deadlineAt)),
    markDeleted(_tx, revocationId) {
      const kept = memory.deletions.get(revocationId);
      if (kept?.complete) kept.deleted = true;
      return kept?.complete === true;
    },
    settle: (_tx, revocationId, outcome) => Object.assign(memory.deletions.get(revocationId) ?? {}, outcome),
    putEvent(_tx, id) {
      const isNew = !memory.events.has(id);
      memory.events.add(id);
      return isNew;
    },
  };
  return feedOn(store, handlers);
}
