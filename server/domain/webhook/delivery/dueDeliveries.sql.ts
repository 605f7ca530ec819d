import { holdSql } from '../../integration/integrationStatus.ts';
import { changedAt, clientScopeBits, readBit, shippingBit } from '../../feed/visibleSql.ts';
import { instant } from '../../shared/instant.ts';
import type { DiscardReason } from '../../outbox/deliveryFacts.ts';
import { type EventSubject, eventSubjects } from '../../outbox/eventTypeFacts.ts';
import { isAbout } from '../../outbox/storeEvents.function.ts';
import { deliveryLifecycle, isHeld, openDeliveryStates, waitsForAttempt } from '../../outbox/deliveryStatus.ts';
import { isPresent, receivesNow } from '../../outbox/webhookEndpointStatus.ts';
import { latestGenerations } from '../../statistics/latestGeneration.sql.ts';
import { isNeverHeld } from './stillTried.sql.ts';

/** SQL: an instant in milliseconds since 1970, because parsing dates would cost more than reading the rows. */
const milliseconds = (column: string) => `date_part('epoch', ${column}) * 1000`;
const moment = (parameter: string) => `to_timestamp(${parameter}::float8 / 1000)`;

/** SQL: what is true of an endpoint and its client, for a lateral join. Production needs both gates, as capabilities reports them. */
const endpointFacts = (number: string) => `(
  select p.number as known, p.id as endpoint_id, i.operator_id, p.url, p.payload_mode, p.event_types, p.failures_in_row, p.failing_since, p.last_success_at, c.number as client_number, c.environment,
         ${clientScopeBits} as bits, 'statistics.orders.read' = any(c.scopes) as statistics, f.epoch, f.epoch_at, not ${isPresent('p')} as removed,
         case when not ${receivesNow('p')} then 'endpoint_not_active' end as inactive,
         coalesce(${holdSql('i')}, case when c.environment = 'production' and not (i.production_gate_open and (select production_data_enabled from service_gate)) then 'gate_closed' end) as closed
    from webhook_endpoint p join client c on c.number = p.client_number join integration i on i.id = c.integration_id join client_feed f on f.client_number = c.number
   where p.number = ${number})`;

const granting = isAbout('resource', 'e.type');

/** SQL: when what an event tells of is of no use any more, and the reason for which its deliveries are discarded then. The first that holds counts. */
export const outOfDate = {
  revocation: { sandbox_replaced: 'r.deletion_deadline_at is null' },
  connection: {
    sandbox_replaced: '(select 1 from connection where client_number = e.client_number and id = e.connection_id limit 1) is null',
  },
  resource: {
    access_revoked: '(s.id is null or s.revocation_id is not null)',
    not_visible: `(s.consented & w.bits & ${readBit('s.type')}) = 0`,
  },
  generation: {
    not_visible: 'not w.statistics',
    generation_replaced: `e.generation_id is distinct from (${latestGenerations('id', 'w.client_number')})`,
  },
  integration: {},
} satisfies Readonly<Record<EventSubject, Readonly<Partial<Record<DiscardReason, string>>>>>;
const discarded = eventSubjects
  .flatMap((subject) =>
    Object.entries(outOfDate[subject]).map(([reason, holds]) => `when ${isAbout(subject, 'e.type')} and ${holds} then '${reason}'`),
  )
  .join('\n            ');

/**
 * SQL: everything that decides about the delivery `d` of the endpoint `w`, and what it tells of. What each row needs is looked up by
 * key: `limit` keeps a plan from reading a whole table. A revoked connection needs no look-up, because revoking it revokes each of its
 * resources. Only regenerating a sandbox deletes connections and revocations; their events stay on record.
 */
const columns = `
       d.number::float8 as number, d.endpoint_number, d.test, d.state, case when ${isHeld('d')} then d.reason end as held_for, d.attempts, ${milliseconds('d.window_ends_at')} as window_ends_at,
       case when w.known is null or w.removed or e.client_number <> w.client_number then 'endpoint_gone'
            when e.id is null then 'event_gone'
            when e.type <> all (w.event_types) then 'not_subscribed'
            ${discarded} end as discard,
       coalesce(w.inactive, case when not ${isNeverHeld('e.type')} then w.closed end) as hold,
       w.endpoint_id, w.operator_id, w.url, w.payload_mode, w.failures_in_row, ${milliseconds('w.failing_since')} as failing_since, ${milliseconds('w.last_success_at')} as last_success_at,
       case when e.client_number = w.client_number then w.environment else (select environment from client where number = e.client_number) end as environment,
       e.id as event_id, e.type, ${milliseconds('e.occurred_at')} as occurred_at, e.connection_id, e.resource_id, e.resource_type, e.revocation_id, e.generation_id,
       r.deletion_deadline_at`;
const joins = `
  left join lateral (select * from webhook_event where id = d.event_id limit 1) e on true
  left join lateral (
    select ${milliseconds('deletion_deadline_at')} as deletion_deadline_at from revocation where client_number = e.client_number and id = e.revocation_id limit 1) r on true
  left join lateral (
    select id, type, revocation_id, consented, revision, updated_at, tracked_resource_id from shared_resource
     where ${granting} and client_number = e.client_number and id = e.resource_id limit 1) s on true`;

/** SQL: what a full payload shows, besides; only for what is sent. */
const snapshot = 't.core, t.history_complete, t.shipping, t.revision, t.updated_at, t.scopes';
const snapshotJoin = `
  left join lateral (
    select x.core, x.history_complete, case when s.consented & w.bits & ${shippingBit} <> 0 then x.shipping end as shipping,
           (s.revision + w.epoch)::text as revision, ${instant(changedAt('s', 'w'))} as updated_at, s.consented & w.bits as scopes
      from tracked_resource x
     where w.payload_mode = 'full_payload' and s.revocation_id is null and (s.consented & w.bits & ${readBit('s.type')}) <> 0 and x.id = s.tracked_resource_id limit 1) t on true`;

/**
 * What is due of these endpoints at `$5`, in the order in which it became due (index webhook_delivery_due): as many deliveries of each as it
 * has room for, without those that are claimed. Finished entries at the front of the index are skipped by the floor.
 */
export const dueDeliveriesSql = `
with w as materialized (
  select u.number as asked, u.room, u.in_hand::bigint[] as in_hand, ${moment('u.floor')} as floor, p.*
    from unnest($1::int[], $2::int[], $3::text[], $4::float8[]) u(number, room, in_hand, floor) left join lateral ${endpointFacts('u.number')} p on true)
select ${columns}, ${snapshot}, ${milliseconds('d.next_attempt_at')} as due_at
  from w
 cross join lateral (
    select * from webhook_delivery q
     where q.endpoint_number = w.asked and ${waitsForAttempt('q')} and q.next_attempt_at <= ${moment('$5')} and q.next_attempt_at >= w.floor and q.number <> all (w.in_hand)
     order by q.next_attempt_at, q.number limit w.room) d ${joins} ${snapshotJoin}`;

/** Deliveries whose window was over at `$1`, at most `$3` and without those that are claimed (`$2`; index webhook_delivery_window). */
export const windowsOverSql = `
with d as materialized (
  select * from webhook_delivery where ${deliveryLifecycle.isIn(openDeliveryStates)} and window_ends_at <= ${moment('$1')} and number <> all ($2::bigint[])
   order by window_ends_at limit $3::int)
select ${columns}, 0 as due_at
  from d left join lateral ${endpointFacts('d.endpoint_number')} w on true ${joins}`;

/** One delivery by its number, in whatever state, with its check and all that would be sent now. */
export const deliveryNowSql = `
select ${columns}, ${snapshot}, 0 as due_at
  from webhook_delivery d left join lateral ${endpointFacts('d.endpoint_number')} w on true ${joins} ${snapshotJoin}
 where d.number = $1`;

/**
 * Every endpoint with pending deliveries, and when its next one is due (index webhook_delivery_due, one step for each endpoint). It starts from
 * the deliveries, because even an endpoint that was removed a moment ago may have got one.
 */
export const nextDueSql = `
with recursive next as (
  (select endpoint_number, next_attempt_at from webhook_delivery where ${waitsForAttempt()} order by endpoint_number, next_attempt_at, number limit 1)
  union all
  select n.* from next cross join lateral (
    select endpoint_number, next_attempt_at from webhook_delivery
     where ${waitsForAttempt()} and endpoint_number > next.endpoint_number order by endpoint_number, next_attempt_at, number limit 1) n)
select endpoint_number, ${milliseconds('next_attempt_at')} as due_at from next`;
