import type { EntityManager } from '@mikro-orm/postgresql';
import { noteLock } from '../shared/locks.ts';
import { sql } from '../shared/sql.ts';
import { emitEvent } from '../outbox/emitEvent.ts';

/** Which sections of a tracked resource have changed in this transaction. */
export type ChangedResource = { readonly trackedResourceId: string; readonly core: boolean; readonly shipping: boolean };

/** A share whose reported revision has risen. */
type MovedRow = { client_number: number; id: string; connection_id: string; type: 'order' | 'vehicle' };

const publishSql = 'select * from publish_changes($1::bigint[], $2::bool[], $3::bool[], $4::timestamptz)';

/**
 * Publishes changes of tracked resources to every feed that may see them (`publish_changes`), with their `resource.updated` events, in the transaction that has
 * changed these resources and still locks them (READ COMMITTED). Only the commit should follow.
 */
export async function publish(tx: EntityManager, changes: readonly ChangedResource[], now: Date): Promise<void> {
  if (changes.length === 0) return;
  await refuseOtherIsolation(tx);
  noteLock(tx, 'feed');
  const moved = await sql<MovedRow>(tx, publishSql, [
    changes.map((change) => change.trackedResourceId),
    changes.map((change) => change.core),
    changes.map((change) => change.shipping),
    now,
  ]);
  await emitEvent(
    tx,
    moved.map((row) => ({
      type: 'resource.updated',
      clientNumber: row.client_number,
      connectionId: row.connection_id,
      resource: { id: row.id, type: row.type },
    })),
    now,
  );
}

/** With a snapshot older than the locks, shares that were granted meanwhile would be missed, and an update would be lost. */
async function refuseOtherIsolation(tx: EntityManager): Promise<void> {
  const [row] = await sql<{ level: string }>(tx, `select current_setting('transaction_isolation') as level`);
  if (row?.level !== 'read committed') throw new Error(`A feed is published under READ COMMITTED, not ${row?.level}.`);
}
