import type { EntityManager } from '@mikro-orm/postgresql';
import { readScopeSql } from '../shared/scopes.ts';
import { sql } from '../shared/sql.ts';
import { emitEvent } from '../outbox/emitEvent.ts';
import { lockFeeds } from './lockFeeds.ts';
import { readBit, shippingBit } from './visibleSql.ts';

/** Which sections of a tracked resource have changed in this transaction. */
export type ChangedResource = { readonly trackedResourceId: string; readonly core: boolean; readonly shipping: boolean };

/** A share whose reported revision has risen. */
type MovedRow = { client_number: number; id: string; connection_id: string; type: 'order' | 'vehicle' };

/**
 * Moves every share that may see a change to the next positions of its client's feed (index shared_resource_fan_out, then primary keys). A
 * share sees what both its consent and the client's scopes allow: it always needs the scope of its type, and for shipping also that scope.
 * The feeds are locked, so their heads can be read with the shares, by key. A join with 3,000 shares may be planned as a loop over all
 * clients for each of them, which takes half of the statement's time.
 */
const publishSql = `
with changed as (select * from unnest($1::bigint[], $2::bool[], $3::bool[]) u(tracked_resource_id, core, shipping)),
moved as materialized (
  select s.client_number, s.id,
         (select head from client_feed f where f.client_number = s.client_number) + row_number() over (partition by s.client_number order by s.id) as position
    from shared_resource s join changed c using (tracked_resource_id) join client k on k.number = s.client_number
   where s.revocation_id is null and (s.consented & ${readBit('s.type')}) <> 0
     and ${readScopeSql('s.type')} = any (k.scopes)
     and (c.core or (c.shipping and (s.consented & ${shippingBit}) <> 0 and 'shipping.read' = any (k.scopes)))),
heads as (
  update client_feed f set head = m.head from (select client_number, max(position) as head from moved group by client_number) m where f.client_number = m.client_number)
update shared_resource s set position = m.position, revision = s.revision + 1, updated_at = $4
  from moved m where s.client_number = m.client_number and s.id = m.id
returning s.client_number, s.id, s.connection_id, s.type`;

/**
 * Publishes changes of tracked resources to every feed that may see them, with their `resource.updated` events, in the transaction that has
 * changed these resources and still locks them (READ COMMITTED). Only the commit should follow.
 */
export async function publish(tx: EntityManager, changes: readonly ChangedResource[], now: Date): Promise<void> {
  if (changes.length === 0) return;
  await refuseOtherIsolation(tx);
  const ids = changes.map((change) => change.trackedResourceId);
  await lockFeeds(tx, ids);
  const moved = await sql<MovedRow>(tx, publishSql, [
    ids,
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
