import type { EntityManager } from '@mikro-orm/postgresql';
import { webhookLimits } from './webhookLimits.ts';
import { locking, takeLock } from '../shared/locks.ts';
import { sql } from '../shared/sql.ts';
import type { DiscardReason } from './deliveryFacts.ts';
import { deliveryLifecycle, isHeld, openDeliveryStates, waitsForAttempt } from './deliveryStatus.ts';
import { notifyPump } from './notifyPump.ts';
import { isPresent } from './webhookEndpointStatus.ts';

/** What access has ended to: a resource of a connection, or, without one, the whole connection. */
type EndedSubject = { readonly clientNumber: number; readonly connectionId: string; readonly resourceId?: string };

/**
 * Locks the deliveries that `mine` names in the order in which the workers write their results, so that neither waits for the other. The
 * workers read the endpoints that `told` gives again, by default those of which something was discarded.
 */
const discardSql = (mine: string, told = 'discarded') => `
with mine as materialized (${mine}),
discarded as (
  update webhook_delivery d set ${deliveryLifecycle.sets('discardDelivery', { reason: '$1', finishedAt: '$2' })}
    from mine where d.number = mine.number and ${deliveryLifecycle.mayStart('discardDelivery', { row: 'd' })} returning d.endpoint_number)
${notifyPump('webhook_recheck', told)}`;

const open = deliveryLifecycle.isIn(openDeliveryStates);

/** Index webhook_endpoint_client. */
const presentSql = (clientNumbers: string) => `
select number as endpoint_number, client_number from webhook_endpoint
 where client_number = any(${clientNumbers}::int[]) and ${isPresent()}`;
const withEndpointsSql = `select distinct client_number as "clientNumber" from (${presentSql('$1')}) p`;

/**
 * Index webhook_delivery_subject, once for each subject. Without `offset 0` PostgreSQL joins them with all open deliveries, because it expects
 * few of these. Replays and test events are stored without the feed, so one that this does not see yet may be read before the commit:
 * the workers are told of every endpoint that could have got it.
 */
const discardSubjectsSql = locking('webhookDelivery', 'no key update', (clause) =>
  discardSql(
    `
  select number from webhook_delivery where number = any(array(
    select q.number from unnest($3::text[], $4::text[]) s(connection_id, resource_id) cross join lateral (
      (select number from webhook_delivery where ${open} and connection_id = s.connection_id and resource_id = s.resource_id)
      union all (select number from webhook_delivery where ${open} and connection_id = s.connection_id and s.resource_id is null) offset 0) q))
   order by number ${clause}`,
    `(${presentSql('$5')}) p`,
  ),
);

/**
 * Discards what still waits to be delivered about subjects to which access has ended, in the transaction that ends it: every open delivery
 * of an event about a resource, in both modes (docs/specification.md, “Delivery”). The caller holds the feeds, so no new
 * event can follow. At the commit, the workers drop what they have read for the clients’ endpoints and check it again. One statement for all
 * subjects of a transaction. What belongs to removed endpoints is left to the workers.
 */
export async function discardDeliveries(
  tx: EntityManager,
  { subjects, reason, now }: { subjects: readonly EndedSubject[]; reason: DiscardReason; now: Date },
): Promise<void> {
  const clientNumbers = [...new Set(subjects.map(({ clientNumber }) => clientNumber))];
  if (clientNumbers.length === 0) return;
  const clients = await sql<{ clientNumber: number }>(tx, withEndpointsSql, [clientNumbers]);
  const concerned = subjects.filter(({ clientNumber }) => clients.some((client) => client.clientNumber === clientNumber));
  if (concerned.length === 0) return;
  await takeLock(tx, discardSubjectsSql, [
    reason,
    now,
    concerned.map(({ connectionId }) => connectionId),
    concerned.map(({ resourceId }) => resourceId ?? null),
    clients.map(({ clientNumber }) => clientNumber),
  ]);
}

/** Indexes webhook_delivery_due and webhook_delivery_held, in their order, so that neither is left for one of all endpoints. */
const waitingSql = `
select q.number from unnest($1::int[]) p(number) cross join lateral (
  (select number from webhook_delivery where endpoint_number = p.number and ${waitsForAttempt()} order by next_attempt_at, number limit $2)
  union all (select number from webhook_delivery where endpoint_number = p.number and ${isHeld()} order by reason, number limit $2)) q
 limit $2`;

/** The open deliveries of these endpoints, by their numbers, as far as one transaction should write them. The workers do the rest. */
export async function waitingDeliveries(tx: EntityManager, endpointNumbers: readonly number[]): Promise<string[]> {
  const rows = await sql<{ number: string }>(tx, waitingSql, [endpointNumbers, webhookLimits.deliveriesDiscardedAtOnce]);
  return rows.map(({ number }) => number);
}

const discardNumbersSql = locking('webhookDelivery', 'no key update', (clause) =>
  discardSql(`select number from webhook_delivery where number = any($3::bigint[]) order by number ${clause}`),
);

/** Discards deliveries by their numbers, whatever they are about, if they are still open. */
export async function discardWaiting(
  tx: EntityManager,
  { numbers, reason, now }: { numbers: readonly string[]; reason: DiscardReason; now: Date },
): Promise<void> {
  if (numbers.length > 0) await takeLock(tx, discardNumbersSql, [reason, now, numbers]);
}
