import { webhookLimits } from '../../outbox/webhookLimits.ts';
import { locking } from '../../shared/locks.ts';
import type { Query } from '../../shared/query.ts';
import { webhookEventTypes } from '../../outbox/eventTypes.ts';
import { numbersOf, textsOf } from './arrayLiteral.ts';
import { type ChartedOutcome } from './attemptChart.ts';
import { hasArrived } from '../../outbox/deliveryStatus.ts';
import { receivesNow } from '../../outbox/webhookEndpointStatus.ts';

/** How an endpoint is doing, as its row tells it. Instants are milliseconds since 1970. */
export type EndpointHealth = {
  readonly endpointNumber: number;
  /** Where the attempts went that say so. They say nothing about another URL. */
  readonly url: string;
  readonly failuresInRow: number;
  readonly failingSince: number | null;
  readonly lastSuccessAt: number | null;
  /** When the attempt ended that says so. */
  readonly notedAt: number;
};

/**
 * A statement of its own, after the results: an endpoint's row comes before deliveries in the order of locks. It waits for no row, so that
 * one that somebody holds keeps no other from being written. What another process has noted of a later attempt stays, and so does what belongs
 * to another URL. Returns the endpoints that need nothing more, those that do not exist any more included.
 */
const storeHealthSql = locking(
  'webhookEndpoint',
  'no key update of p',
  (clause) => `
with free as materialized (
  select h.* from unnest($1::int[], $2::smallint[], $3::float8[], $4::float8[], $5::float8[], $6::text[]) h(number, failures, failing, success, noted, url)
    join webhook_endpoint p on p.number = h.number order by p.number ${clause} skip locked),
stored as (
  update webhook_endpoint p
     set failures_in_row = f.failures, failing_since = to_timestamp(f.failing / 1000), last_success_at = greatest(p.last_success_at, to_timestamp(f.success / 1000))
    from free f
   where p.number = f.number and p.url = f.url and not coalesce(case when f.failing is null then p.failing_since else p.last_success_at end > to_timestamp(f.noted / 1000), false))
select number from free
 union all
select h.number from unnest($1::int[]) h(number) where not exists (select from webhook_endpoint p where p.number = h.number)`,
).text;

/** Stores the health of endpoints. Returns those whose rows somebody else holds at this moment: nothing has been stored of them. */
export async function storeHealth(query: Query, endpoints: readonly EndpointHealth[]): Promise<EndpointHealth[]> {
  const rows = await query<{ number: number }>(storeHealthSql, [
    numbersOf(endpoints.map(({ endpointNumber }) => endpointNumber)),
    numbersOf(endpoints.map(({ failuresInRow }) => Math.min(failuresInRow, 32_767))),
    numbersOf(endpoints.map(({ failingSince }) => failingSince)),
    numbersOf(endpoints.map(({ lastSuccessAt }) => lastSuccessAt)),
    numbersOf(endpoints.map(({ notedAt }) => notedAt)),
    textsOf(endpoints.map(({ url }) => url)),
  ]);
  const done = new Set(rows.map(({ number }) => number));
  return endpoints.filter(({ endpointNumber }) => !done.has(endpointNumber));
}

/**
 * An attempt that began after the first failure of a period had ended, and succeeded, has ended the period. Each type's newest deliveries by
 * webhook_delivery_list, of the endpoints in webhook_endpoint_failing.
 */
const endFailingSql = locking(
  'webhookEndpoint',
  'no key update of p',
  (clause) => `
with ended as materialized (
  select p.number, s.success
    from webhook_endpoint p cross join lateral (
      select max(d.finished_at) as success from unnest($1::text[]) t(type) cross join lateral (
        select finished_at from webhook_delivery
         where endpoint_number = p.number and ${hasArrived()} and type = t.type order by created_at desc, number desc limit 10) d) s
   where p.failing_since is not null and ${receivesNow('p')} and s.success > p.failing_since + $2 * interval '1 millisecond'
   order by p.number ${clause} skip locked)
update webhook_endpoint p set failures_in_row = 0, failing_since = null, last_success_at = greatest(p.last_success_at, e.success) from ended e where p.number = e.number`,
).text;

/** Ends the periods of failures that were ended by a success of which only the result was stored, because the process was killed. */
export async function endFailing(query: Query): Promise<void> {
  await query(endFailingSql, [textsOf(webhookEventTypes), 2 * webhookLimits.webhookDelivery.totalMs]);
}

/** Attempts of one endpoint that ended in one hour in one way. */
export type ChartedAttempts = {
  readonly endpointNumber: number;
  /** The beginning of the hour, in milliseconds since 1970. */
  readonly hour: number;
  readonly outcome: ChartedOutcome;
  readonly count: number;
  /** As many counts as `attemptDurationBounds` has bounds, and one more. */
  readonly durations: readonly number[];
};

const addToChartSql = `
insert into webhook_attempt_hour as h (endpoint_number, hour, outcome, count, durations)
select number, to_timestamp(hour / 1000), outcome, count, durations::int[]
  from unnest($1::int[], $2::float8[], $3::text[], $4::int[], $5::text[]) u(number, hour, outcome, count, durations) order by number, hour, outcome
    on conflict (endpoint_number, hour, outcome) do update
   set count = h.count + excluded.count,
       durations = (select array_agg(coalesce(before, 0) + coalesce(added, 0) order by place)
                      from unnest(h.durations, excluded.durations) with ordinality u(before, added, place))`;

/** Adds attempts to the hours of the endpoints’ charts. */
export async function addToChart(query: Query, attempts: readonly ChartedAttempts[]): Promise<void> {
  await query(addToChartSql, [
    numbersOf(attempts.map(({ endpointNumber }) => endpointNumber)),
    numbersOf(attempts.map(({ hour }) => hour)),
    textsOf(attempts.map(({ outcome }) => outcome)),
    numbersOf(attempts.map(({ count }) => count)),
    textsOf(attempts.map(({ durations }) => numbersOf(durations))),
  ]);
}
