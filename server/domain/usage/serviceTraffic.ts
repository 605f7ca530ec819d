import type { EntityManager } from '@mikro-orm/postgresql';
import type { ErrorCode } from '../shared/errorCatalogue.ts';
import { refuseInvalid } from '../shared/DomainError.ts';
import { usageLimits } from './usageLimits.ts';
import { countErrors } from '../shared/lists/page.ts';
import { sql } from '../shared/sql.ts';
import { isRefusal, lastHours, type HourOfTraffic } from './traffic.ts';

/** By usage_counter_hour. */
const trafficSql = `
select u.hour, sum(u.count)::float8 as total, coalesce(sum(u.count) filter (where ${isRefusal}), 0)::float8 as failed,
       coalesce(sum(u.count) filter (where u.status >= 500), 0)::float8 as broken
  from usage_counter u where u.hour >= $1 and u.hour <= $2 group by u.hour`;

/** The requests of all clients in each of the last 24 hours, the oldest first and the present one last. */
export async function serviceTraffic(em: EntityManager, now: Date): Promise<HourOfTraffic[]> {
  const hours = lastHours(now);
  const rows = await sql<HourOfTraffic>(em, trafficSql, [hours[0], hours.at(-1)]);
  const found = new Map(rows.map((row) => [row.hour.getTime(), row]));
  return hours.map((hour) => {
    const { total = 0, failed = 0, broken = 0 } = found.get(hour.getTime()) ?? {};
    return { hour, total, failed, broken };
  });
}

/** Why requests of the last 24 hours were refused: how many, and of how many integrations. */
type RefusalsOfService = {
  readonly problem: ErrorCode;
  readonly requests: number;
  /** Whether there may be more: of each client, only so many of the latest are read. */
  readonly more: boolean;
  readonly integrations: number;
};

/** The clients by usage_counter_hour, and their latest refusals by request_log_class, of the days in question. */
const refusalsSql = `
with refused as materialized (
  select u.client_number as number, array_agg(distinct u.status / 100) as classes from usage_counter u where u.hour >= $1 and u.hour <= $2 and ${isRefusal} group by u.client_number
), latest as materialized (
  select k.integration_id, l.problem_code, count(*) over (partition by c.number) >= $4 as more
    from refused c join client k on k.number = c.number cross join lateral unnest(c.classes) class
   cross join lateral (select r.problem_code from request_log r
                        where r.client_number = c.number and r.status / 100 = class and ${isRefusal} and r.occurred_at >= $1 and r.occurred_at < $3
                        order by r.occurred_at desc, r.request_id desc limit $4) l
)
select problem_code as problem, count(*)::int as requests, bool_or(more) as more, count(distinct integration_id)::int as integrations
  from latest where problem_code is not null group by problem_code order by requests desc, problem_code limit $5`;

/** The most frequent reasons for refusals of the last 24 hours. Errors: invalid_request (`first`). */
export async function serviceRefusals(em: EntityManager, { now, first }: { now: Date; first: number }): Promise<RefusalsOfService[]> {
  refuseInvalid(countErrors(first));
  const hours = lastHours(now);
  // The clocks of two processes differ by less.
  const end = new Date(now.getTime() + 60_000);
  return sql<RefusalsOfService>(em, refusalsSql, [hours[0], hours.at(-1), end, usageLimits.refusalsCounted, first]);
}
