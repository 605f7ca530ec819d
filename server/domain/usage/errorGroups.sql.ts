import { certificateColumns } from './requestLog.sql.ts';
import { isRefusal } from './traffic.ts';

const problems = (of: number) => `
    (select occurred_at, request_id, status, route, problem_code, serial, certificate_id from request_log r
      where r.client_number = $1 and r.status / 100 = ${of} and r.occurred_at >= $2::timestamptz and r.occurred_at < $3::timestamptz
        and ${isRefusal}
      order by r.occurred_at desc, r.request_id desc limit $4)`;

const answers = (of: number) => `
    (select r.occurred_at from request_log r
      where r.client_number = $1 and r.route = g.operation and r.status / 100::smallint = ${of} and r.occurred_at > g.last and r.occurred_at >= $2::timestamptz
        and r.occurred_at < $3::timestamptz order by r.occurred_at, r.request_id limit 1)`;

/**
 * The refused and failed requests of a client (`$1`) between two moments (`$2`, `$3`), at most so many (`$4`), by problem, operation and
 * serial, with the first answer of the operation after the last of them. Indexes: request_log_class, request_log_route and the primary keys
 * of certificate and usage_counter.
 */
export const errorGroupsSql = `
  with problem as materialized (
    select * from (${[4, 5].map(problems).join(' union all ')}) r order by occurred_at desc, request_id desc limit $4
  ), grouped as (
    select problem_code as problem, status, route as operation, serial, max(certificate_id) as certificate_id, count(*)::int as count,
           min(occurred_at) as first, max(occurred_at) as last
      from problem group by 1, 2, 3, 4 order by last desc limit 100
  )
  select g.problem, g.status, g.operation, g.serial, g.certificate_id, g.count, g.first as first_at,
         g.last as last_at,
         (select min(a.occurred_at) from (${[2, 3].map(answers).join(' union all ')}) a) as answered_at,
         (select count(*)::int from problem) as read,
         (select coalesce(sum(count), 0)::float8 from usage_counter u where u.client_number = $1 and u.hour >= $2) as requests, ${certificateColumns}
    from grouped g left join certificate x on x.id = g.certificate_id`;
