import { locking } from '../shared/locks.ts';
import { latestGenerations } from './latestGeneration.sql.ts';

/** One publication of a client after the other, and none while an erasure replaces keys in its basis. */
export const lockPublicationsSql = locking(
  'client',
  'no key update',
  (clause) => `select scopes, environment from client where number = $1 ${clause}`,
);

/**
 * The orders that count for a client `$1`: shared and live in a live connection whose user takes part, each once per user, ordered since
 * `$2` (indexes connection_pkey, shared_resource_live, tracked_resource_pkey). The day of delivery is that of the change that made the
 * order delivered (tracked_change_pkey, read backwards, only for orders that still are); an order whose tracking began after its
 * delivery has none, for its first item tells when it was first seen.
 */
export const statisticsRowsSql = `
with taking_part as materialized (
  select distinct c.user_ref, s.tracked_resource_id as id
    from connection c join shared_resource s on s.client_number = c.client_number and s.connection_id = c.id and s.revocation_id is null and s.type = 'order'
   where c.client_number = $1::int and c.revocation_id is null and c.statistics_opted_in),
facts as materialized (
  select p.user_ref, p.id, t.history_complete, f.*
    from taking_part p join tracked_resource t using (id)
   cross join lateral json_to_record(t.core::json) as f(market text, model text, status text, ordered_on text, production json))
select encode(f.user_ref, 'hex') as "user", f.market, f.model, f.status, f.ordered_on as "orderedOn", f.production->>'completed_on' as "builtOn",
       d.day as "deliveredOn"
  from facts f
  left join lateral (
    select to_char(h.occurred_at at time zone 'UTC', 'YYYY-MM-DD') as day from tracked_change h
     where f.status = 'delivered' and h.tracked_resource_id = f.id and h.section = 'core'
       and case when h.changes like '%"delivered"%' then exists (
             select 1 from json_array_elements(h.changes::json) change
              where change->>'path' = 'status' and change->>'to' = 'delivered' and (f.history_complete or change->>'from' is not null)) else false end
     order by h.sequence desc limit 1) d on true
 where f.ordered_on is null or f.ordered_on >= $2`;

export const formerGenerationSql = latestGenerations('published_at, groups, basis', '$1');

export const insertGenerationSql = `
insert into statistics_generation (client_number, id, published_at, period_from, period_to, minimum_group_size, groups, basis)
values ($1, $2, $3, $4, $5, $6, $7, $8)`;

/** Personal and of no more use once there is a newer generation. */
export const forgetFormerBasesSql = `update statistics_generation set basis = '{}' where client_number = $1 and id <> $2 and basis <> '{}'`;
