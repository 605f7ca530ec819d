import type { EntityManager } from '@mikro-orm/postgresql';
import { webhookLimits } from '../../outbox/webhookLimits.ts';
import { sql } from '../../shared/sql.ts';
import { replayableSql } from './replayable.sql.ts';
import { replayableSince } from './replayableSince.ts';
import { lockReplays, storeReplays } from './storeReplays.ts';
import { isPresent } from '../../outbox/webhookEndpointStatus.ts';

type Order = { readonly endpointNumber: number; readonly next: readonly string[]; readonly gone: boolean };

const orderSql = `
select r.endpoint_number as "endpointNumber", r.deliveries[1:$2]::text[] as next, not ${isPresent('p')} as gone
  from webhook_replay r join webhook_endpoint p on p.number = r.endpoint_number where r.id = $1 and r.finished_at is null`;
const progressSql = `
update webhook_replay set replayed = replayed + $2, deliveries = deliveries[$3::int + 1:], finished_at = case when cardinality(deliveries) <= $3::int then $4::timestamptz end
 where id = $1 returning finished_at is null as more`;
const endSql = `update webhook_replay set deliveries = '{}', finished_at = $2 where id = $1`;

/**
 * Carries out an order for many replays, a slice in each transaction, which also writes down what is left, so it can be repeated at any point.
 */
export async function carryOutReplay(em: EntityManager, { replayId, now }: { replayId: string; now: Date }): Promise<void> {
  while (await replaySlice(em, replayId, now));
}

/** Returns whether anything is left. */
function replaySlice(em: EntityManager, replayId: string, now: Date): Promise<boolean> {
  return em.transactional(async (tx) => {
    const slice = webhookLimits.replaySlice;
    const [named] = await sql<Order>(tx, orderSql, [replayId, slice]);
    if (!named) return false;
    await lockReplays(tx, named.endpointNumber);
    // Read again: another run of this job may have held the lock.
    const [order] = await sql<Order>(tx, orderSql, [replayId, slice]);
    if (!order) return false;
    if (order.gone) {
      await sql(tx, endSql, [replayId, now]);
      return false;
    }
    const rows = await sql<{ number: string }>(tx, replayableSql, [order.next, replayableSince(now)]);
    const numbers = rows.map(({ number }) => Number(number));
    await storeReplays(tx, order.endpointNumber, numbers, now);
    const [left] = await sql<{ more: boolean }>(tx, progressSql, [replayId, numbers.length, slice, now]);
    return left?.more === true;
  });
}
