import { commonNameSql } from '../client/commonName.ts';

/** A counter that has come so far stays there: one that overflowed would fail its whole batch, which has everybody's requests. */
const highestCount = 2 ** 31 - 1;

/**
 * Writes a batch of finished requests ($1, JSON): log, counters and last times at once, in a transaction that does not wait for the disk. A request without a client is tied to the one
 * that its common name names, else to the one whose certificate has its serial; one that can be tied to nobody is dropped. Counted is
 * what was not logged before, so that a batch that is written again after a lost answer changes nothing. Counters and last times are
 * locked in the order of their keys, the same in every process. So is the evidence ($2): what a request shows is counted with the
 * request. The observations ($3) are what the next batch's requests are held against. Indexes: client_id_key,
 * certificate_issuer_id_serial_key, certificate_fingerprint_sha256_key, and the primary keys of the six tables.
 */
export const writeUsageSql = `
  with entry as materialized (
    select e.*, coalesce(e.client_number,
             (select k.number from client k where k.id = split_part(e.common_name, ':', 3) and e.common_name = ${commonNameSql({ environment: 'k.environment', id: 'k.id' })}),
             (select x.client_number from certificate_authority a join certificate x on x.issuer_id = a.id and x.serial = e.serial limit 1)) as tied_number,
           set_config('synchronous_commit', 'off', true) as commits
      from json_to_recordset($1::text::json) as e(client_number int, certificate_id text, fingerprint text, serial text, common_name text, occurred_at timestamptz,
           request_id text, method text, route text, status smallint, problem text, duration_ms real, logged boolean,
           certificate_accepted boolean)
  ), logged as (
    insert into request_log (client_number, occurred_at, request_id, method, route, status, problem_code, certificate_id, serial, duration_ms)
    select tied_number, occurred_at, request_id, method, route, status, problem,
           coalesce(certificate_id, (select x.id from certificate x where x.fingerprint_sha256 = fingerprint and x.client_number = tied_number)), serial, duration_ms
      from entry where tied_number is not null and logged
    on conflict do nothing
    returning client_number, occurred_at, route, status, request_id
  ), counted as (
    select client_number, occurred_at, route, status from logged
    union all
    select tied_number, occurred_at, route, status from entry where tied_number is not null and not logged
  ), counter as (
    insert into usage_counter (client_number, hour, route, status, count)
    select client_number, date_trunc('hour', occurred_at, 'UTC'), route, status, count(*) from counted group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (client_number, hour, route, status) do update set count = least(usage_counter.count::bigint + excluded.count, ${highestCount})
  ), shown as (
    select client_number, kind, min(at) as first_at, max(at) as last_at, count(*) as count
      from json_to_recordset($2::text::json) as e(client_number int, kind text, at timestamptz, request_id text, logged boolean)
     where not e.logged or e.request_id in (select request_id from logged) group by 1, 2
  ), evidence as materialized (
    select count_evidence(array_agg(client_number), array_agg(kind), array_agg(first_at), array_agg(last_at), array_agg(count)) from shown having count(*) > 0
  ), observation as (
    insert into client_observation (client_number, state)
    select client_number, state from json_to_recordset($3::text::json) as o(client_number int, state json) order by 1
    on conflict (client_number) do update set state = excluded.state
  ), used as (
    insert into certificate_activity (certificate_id, last_used_at)
    select certificate_id, max(occurred_at) from entry where certificate_id is not null and certificate_accepted group by 1 order by 1
    on conflict (certificate_id) do update set last_used_at = greatest(certificate_activity.last_used_at, excluded.last_used_at)
  )
  insert into client_activity (client_number, last_request_at, last_sync_at)
  select client_number, max(occurred_at), max(occurred_at) filter (where route = 'getSync' and status in (200, 304))
    -- Only what the statement reads is carried out.
    from counted cross join (select count(*) from evidence) e group by 1 order by 1
  on conflict (client_number) do update set last_request_at = greatest(client_activity.last_request_at, excluded.last_request_at),
    last_sync_at = greatest(client_activity.last_sync_at, excluded.last_sync_at)`;
