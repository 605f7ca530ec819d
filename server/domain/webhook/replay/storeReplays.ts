import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { newId } from '../../shared/ids.ts';
import { webhookLimits } from '../../outbox/webhookLimits.ts';
import { lockAdvisory, locking, takeLock } from '../../shared/locks.ts';
import { sql } from '../../shared/sql.ts';
import { deliveryLifecycle, hasArrived, replayableDeliveryStates, storedDeliveryColumns } from '../../outbox/deliveryStatus.ts';
import { releaseDeliveries } from '../../outbox/wakePump.ts';

/** Replays to one endpoint take turns, so that no event is replayed twice at the same time. */
export const lockReplays = (tx: EntityManager, endpointNumber: number): Promise<void> =>
  lockAdvisory(tx, 'webhookReplay', 'exclusive', String(endpointNumber));

/** All that this endpoint was ever sent of an event and that is over. By webhook_delivery_event. */
const formerSql = locking(
  'webhookDelivery',
  'no key update of d',
  (clause) => `
select d.number::float8 as number, d.event_id as "eventId", ${hasArrived('d')} or d.delivered_before as delivered
  from webhook_delivery c join webhook_delivery d on d.event_id = c.event_id and d.endpoint_number = c.endpoint_number
 where c.number = any ($1::bigint[]) and ${deliveryLifecycle.isIn(replayableDeliveryStates, { row: 'd' })} order by d.number ${clause}`,
);

/** Primary keys. A replay has a window of its own. */
const replaySql = `
with marked as (update webhook_delivery set replayed_at = $5 where number = any ($1::bigint[]) and replayed_at is null)
insert into webhook_delivery (id, endpoint_number, event_id, type, test, ${storedDeliveryColumns}, connection_id, resource_id, replay_of, delivered_before)
select r.id, c.endpoint_number, c.event_id, c.type, c.test, $5, $6, $5, c.connection_id, c.resource_id, c.id, r.delivered
  from unnest($2::bigint[], $3::text[], $4::boolean[]) r(number, id, delivered) join webhook_delivery c on c.number = r.number order by c.number`;

/**
 * Stores a new delivery of the same event for each of these, which are over, and marks what it replaces. Whether it may be sent is found
 * out when it is due, as always. The caller holds `lockReplays`. Returns the new IDs, in the order of the numbers given.
 */
export async function storeReplays(tx: EntityManager, endpointNumber: number, numbers: readonly number[], now: Date): Promise<string[]> {
  if (numbers.length === 0) return [];
  const former = await takeLock<{ number: number; eventId: string; delivered: boolean }>(tx, formerSql, [numbers]);
  const delivered = new Set(former.filter((each) => each.delivered).map(({ eventId }) => eventId));
  const events = new Map(former.map(({ number, eventId }) => [number, eventId]));
  const random = randomBytes(16 * numbers.length);
  const ids = numbers.map((_, index) => newId('dlv', random.subarray(16 * index, 16 * (index + 1))));
  await sql(tx, replaySql, [
    former.map(({ number }) => number),
    numbers,
    ids,
    numbers.map((number) => delivered.has(events.get(number) ?? '')),
    now,
    new Date(now.getTime() + webhookLimits.webhookReplayWindow),
  ]);
  await releaseDeliveries(tx, { endpointNumber });
  return ids;
}
