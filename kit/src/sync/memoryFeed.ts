import type { Snapshot } from '../contract/contract.ts';
import { feedOn, type Feed } from './Feed.ts';
import { noCheckpoint, type Checkpoint, type Deletion, type FeedStore, type ResourceRow } from './FeedStore.ts';
import type { Handlers } from './Handlers.ts';
import { runAwaiting } from './steps.ts';

type Held = { readonly snapshot: Snapshot; readonly seen: number };
type Kept = Omit<Deletion, 'ids'> & { readonly acknowledgedAt?: string };

/** What a feed in memory holds. */
export class Memory {
  checkpoint: Checkpoint = noCheckpoint;
  resources = new Map<string, Held>();
  /** The revocation that ended each id. */
  ended = new Map<string, string>();
  deletions = new Map<string, Kept>();
  events = new Set<string>();
}

/** Keeps a feed in memory, for tests: whatever it holds goes with the process. */
export function memoryFeed(handlers: Handlers<Memory> = {}, memory = new Memory()): Feed {
  const heldOf = (ids: readonly string[]): Held[] => ids.flatMap((id) => memory.resources.get(id) ?? []);
  const all = (): Held[] => [...memory.resources.values()];
  const rowOf = ({ snapshot: { id, type, connection_id: connectionId } }: Held): ResourceRow => ({ id, type, connectionId });
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
    revisions: (_tx, ids) => heldOf(ids).map(({ snapshot }) => snapshot),
    endedAmong: (_tx, ids) => ids.filter((id) => memory.ended.has(id)),
    put(_tx, snapshots, recovery) {
      for (const snapshot of snapshots) {
        memory.resources.set(snapshot.id, { snapshot, seen: recovery ?? heldOf([snapshot.id])[0]?.seen ?? 0 });
      }
    },
    markSeen(_tx, ids, recovery) {
      for (const { snapshot } of heldOf(ids)) memory.resources.set(snapshot.id, { snapshot, seen: recovery });
    },
    end(_tx, ids, revocationId) {
      for (const id of ids) if (!memory.ended.has(id)) memory.ended.set(id, revocationId);
    },
    remove(_tx, ids) {
      const rows = heldOf(ids).map(rowOf);
      for (const { id } of rows) memory.resources.delete(id);
      return rows;
    },
    ofConnection: (_tx, connectionId) =>
      all()
        .map(rowOf)
        .filter((row) => row.connectionId === connectionId),
    notSeenIn: (_tx, recovery) =>
      all()
        .filter(({ seen }) => seen < recovery)
        .map(rowOf),
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
