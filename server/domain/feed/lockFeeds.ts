import { locking, noteLock, takeLock } from '../shared/locks.ts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from '../shared/DomainError.ts';
import { sql } from '../shared/sql.ts';

/**
 * Index shared_resource_fan_out. Materialized, because PostgreSQL plans a semi-join with a large array badly. Always in the order of the
 * clients.
 */
const lockFeedsSql = locking(
  'feed',
  'update of f',
  (clause) => `
with affected as materialized (
  select distinct s.client_number from unnest($1::bigint[]) u(id) join shared_resource s on s.tracked_resource_id = u.id and s.revocation_id is null)
select f.client_number from client_feed f join affected using (client_number) order by f.client_number ${clause}`,
);

/**
 * Locks the feeds of every client with which these resources are shared, in the order of the clients. Take this lock after the ORM's flush;
 * only feed statements, outbox rows and the commit follow. It is a statement of its own, because a statement that has waited keeps its old
 * snapshot.
 */
export async function lockFeeds(tx: EntityManager, trackedResourceIds: readonly string[]): Promise<void> {
  await takeLock(tx, lockFeedsSql, [trackedResourceIds]);
}

/** What a writer knows about a client's feed once it holds the lock. */
type LockedFeed = { readonly head: number; readonly epoch: number };

const lockFeedSql = locking('feed', 'update', (clause) => `select head, epoch from client_feed where client_number = $1 ${clause}`);

/** Locks one client's feed. */
export async function lockFeed(tx: EntityManager, clientNumber: number): Promise<LockedFeed> {
  const [feed] = await takeLock<{ head: string; epoch: number }>(tx, lockFeedSql, [clientNumber]);
  if (!feed) throw new DomainError('internal_error', { detail: 'The client has no feed.' });
  return { head: Number(feed.head), epoch: feed.epoch };
}

/** Takes the next `count` positions of a client's feed under its lock (`take_positions`): base + 1 … base + count. */
export async function takePositions(
  tx: EntityManager,
  clientNumber: number,
  count: number,
): Promise<{ readonly base: number; readonly epoch: number }> {
  noteLock(tx, 'feed');
  const [feed] = await sql<{ base: string; epoch: number }>(tx, 'select base, epoch from take_positions($1, $2)', [clientNumber, count]);
  if (!feed) throw new DomainError('internal_error', { detail: 'The client has no feed.' });
  return { base: Number(feed.base), epoch: feed.epoch };
}

/**
 * Begins a new epoch of a client's feed in the caller's transaction: earlier cursors become invalid, and every reported revision of what
 * stays shared rises at this time.
 */
export async function raiseEpoch(tx: EntityManager, clientNumber: number, now: Date): Promise<void> {
  noteLock(tx, 'feed');
  await sql(tx, 'update client_feed set epoch = epoch + 1, epoch_at = $2 where client_number = $1', [clientNumber, now]);
}
