import { holdSql } from '../../integration/integrationStatus.ts';
import { locking } from '../../shared/locks.ts';
import { deliveryLifecycle, deliveryTransitions, isHeld, waitsAtEndpoint } from '../../outbox/deliveryStatus.ts';
import { resultActions } from './deliveryResult.ts';
import { isPresent, receivesNow } from '../../outbox/webhookEndpointStatus.ts';

const moments = (column: string) => `to_timestamp(${column} / 1000)`;

/** SQL: what every action writes, and whether it may start. Several actions are in one statement, so it names the state of each. */
const written = `
         state = case r.action ${resultActions.map((action) => `when '${action}' then '${deliveryTransitions[action].to}'`).join(' ')} end,
         attempts = r.attempts, reason = r.reason, next_attempt_at = coalesce(${moments('r.next_attempt_at')}, d.next_attempt_at), wait_asked = r.wait_asked,
         finished_at = ${moments('r.finished_at')}`;
const mayStart = resultActions
  .map((action) => `r.action = '${action}' and ${deliveryLifecycle.mayStart(action, { row: 'd' })}`)
  .join(' or ');

/**
 * Stores results of deliveries with their attempts, in one statement. Rows are locked in the order of their numbers, as by every command that discards
 * them. A delivery that has been discarded or has ended meanwhile stays so, and keeps the attempt that was under way; a result that somebody
 * else was faster to store is not stored again. The locks are counted, so that all of them are taken before the first row is written; a join
 * with them compared each row with each.
 */
export const storeResultsSql = locking(
  'webhookDelivery',
  'no key update of d',
  (clause) => `
with r as materialized (
  select * from unnest($1::bigint[], $2::int[], $3::smallint[], $4::text[], $5::text[], $6::float8[], $7::float8[], $8::float8[], $9::int[], $10::int[], $11::int[], $12::int[], $13::int[],
                       $14::inet[], $15::smallint[], $16::text[], $17::text[], $18::text[], $19::boolean[], $20::text[], $21::text[], $22::bigint[], $23::text[])
       r(number, endpoint_number, attempts, action, reason, next_attempt_at, finished_at, started_at, dns_us, connect_us, tls_us, first_byte_us, total_us, address, status, error, response, key_id, wait_asked,
         url, payload_mode, revision, body_sha256)),
locked as materialized (select d.number from webhook_delivery d where d.number = any ($1::bigint[]) order by d.number ${clause}),
stored as (
  update webhook_delivery d set ${written}
    from r where d.number = r.number and (select count(*) from locked) is not null and d.attempts = r.attempts - case when r.started_at is null then 0 else 1 end and (${mayStart}))
insert into webhook_attempt (delivery_number, number, endpoint_number, started_at, dns_us, connect_us, tls_us, first_byte_us, total_us, address, status, error, response, key_id, url, payload_mode, revision, body_sha256)
select number, attempts, endpoint_number, ${moments('started_at')}, dns_us, connect_us, tls_us, first_byte_us, total_us, address, status, error, response, key_id, url, payload_mode, revision, body_sha256
  from r where started_at is not null
    on conflict do nothing`,
).text;

/**
 * Releases held deliveries whose reason no longer applies, at most `$2` of one endpoint and reason (index webhook_delivery_held): they are
 * due at `$1`. Returns how many.
 */
export const releaseHeldSql = locking(
  'webhookDelivery',
  'no key update',
  (clause) => `
with mine as materialized (
  select number from webhook_delivery where endpoint_number = $3::int and reason = $4 and ${isHeld()} order by number limit $2::int ${clause}),
released as (
  update webhook_delivery d set ${deliveryLifecycle.sets('releaseDelivery', { reason: 'null', nextAttemptAt: 'to_timestamp($1::float8 / 1000)' })}
    from mine where d.number = mine.number and ${deliveryLifecycle.mayStart('releaseDelivery', { row: 'd' })}
  returning 1)
select count(*)::int as count from released`,
).text;

/**
 * Endpoints and reasons with held deliveries, and whether nothing holds them any more (index webhook_delivery_held, one step for each pair).
 * What belongs to a removed endpoint is released too, and then discarded.
 */
export const heldSql = `
with recursive held as (
  (select endpoint_number, reason from webhook_delivery where ${isHeld()} order by endpoint_number, reason limit 1)
  union all
  select n.* from held cross join lateral (
    select endpoint_number, reason from webhook_delivery
     where ${isHeld()} and (endpoint_number, reason) > (held.endpoint_number, held.reason) order by endpoint_number, reason limit 1) n)
select h.endpoint_number, h.reason,
       p.number is null or not ${isPresent('p')} or
       case h.reason when 'endpoint_not_active' then ${receivesNow('p')}
                     when 'gate_closed' then c.environment = 'sandbox' or (i.production_gate_open and (select production_data_enabled from service_gate))
                     else h.reason is distinct from ${holdSql('i')} end as releasable
  from held h left join webhook_endpoint p on p.number = h.endpoint_number left join client c on c.number = p.client_number left join integration i on i.id = c.integration_id`;

/** How many deliveries are held, and how many are dead letters that somebody should look at; nobody counts beyond `$1` (indexes webhook_delivery_held, webhook_delivery_dead). */
export const waitingCountsSql = `
select (select count(*)::int from (select 1 from webhook_delivery where ${isHeld()} limit $1::int) h) as held,
       (select count(*)::int from (select 1 from webhook_endpoint p join webhook_delivery d on ${waitsAtEndpoint} where ${isPresent('p')} limit $1::int) d) as dead`;
