import type { EntityManager } from '@mikro-orm/postgresql';
import { webhookLimits } from '../../outbox/webhookLimits.ts';
import { sql } from '../../shared/sql.ts';
import type { DeliveryReason } from '../../outbox/deliveryFacts.ts';
import { deliveryLifecycle, isOfEndpoint } from '../../outbox/deliveryStatus.ts';
import type { OutboundErrorKind } from '../WebhookTransport.ts';

/** The dead letters of an endpoint that ended alike: for the same reason, after the same answer or failure. */
export type FailureGroup = {
  readonly reason: DeliveryReason | null;
  /** Of the last attempt’s answer. */
  readonly status: number | null;
  /** What kept the last attempt from an answer. */
  readonly error: OutboundErrorKind | null;
  readonly count: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
};

/** Indexes: webhook_delivery_dead, and the primary key of webhook_attempt. */
const groupsSql = `
  select d.reason, a.status, a.error, count(*)::int as count, min(d.finished_at) as "firstAt",
         max(d.finished_at) as "lastAt"
    from (select d.number, d.reason, d.attempts, d.finished_at from webhook_endpoint p join webhook_delivery d on ${isOfEndpoint}
           where p.number = $1 and ${deliveryLifecycle.isIn(['dead'], { row: 'd' })} and d.replayed_at is null order by d.finished_at desc limit $2) d
    left join webhook_attempt a on a.delivery_number = d.number and a.number = d.attempts
   group by 1, 2, 3 order by count(*) desc, max(d.finished_at) desc`;

/**
 * An endpoint's dead letters that have not been replayed, by what went wrong, the most frequent first. At most the last 1,000 count. Those of test
 * events are among them, because their sender looks for the cause.
 */
export async function failureGroups(em: EntityManager, endpointNumber: number): Promise<FailureGroup[]> {
  return sql<FailureGroup>(em, groupsSql, [endpointNumber, webhookLimits.webhookSlice]);
}
