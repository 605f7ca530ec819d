import type { Query } from '../../shared/query.ts';
import { numbersOf, textsOf } from './arrayLiteral.ts';
import { type ChartedOutcome } from './attemptChart.ts';

/** How an endpoint is doing, as its row tells it. Instants are milliseconds since 1970. */
export type EndpointHealth = {
  readonly endpointNo: number;
  readonly failuresInRow: number;
  readonly failingSince: number | null;
  readonly lastSuccessAt: number | null;
};

/** Statements of their own, after the results: an endpoint's row comes before deliveries in the order of locks. */
const storeHealthSql = `
update webhook_endpoint p
   set failures_in_row = h.failures, failing_since = to_timestamp(h.failing / 1000), last_success_at = greatest(p.last_success_at, to_timestamp(h.success / 1000))
  from (select * from unnest($1::int[], $2::smallint[], $3::float8[], $4::float8[]) u(no, failures, failing, success) order by no) h
 where p.no = h.no`;

/** Stores the health of endpoints. */
export async function storeHealth(query: Query, endpoints: readonly EndpointHealth[]): Promise<void> {
  await query(storeHealthSql, [
    numbersOf(endpoints.map(({ endpointNo }) => endpointNo)),
    numbersOf(endpoints.map(({ failuresInRow }) => Math.min(failuresInRow, 32_767))),
    numbersOf(endpoints.map(({ failingSince }) => failingSince)),
    numbersOf(endpoints.map(({ lastSuccessAt }) => lastSuccessAt)),
  ]);
}

/** Attempts of one endpoint that ended in one hour in one way. */
export type ChartedAttempts = {
  readonly endpointNo: number;
  /** The beginning of the hour, in milliseconds since 1970. */
  readonly hour: number;
  readonly outcome: ChartedOutcome;
  readonly count: number;
  /** As many counts as `attemptDurationBounds` has bounds, and one more. */
  readonly durations: readonly number[];
};

const addToChartSql = `
insert into webhook_attempt_hour as h (endpoint_no, hour, outcome, count, durations)
select no, to_timestamp(hour / 1000), outcome, count, durations::int[]
  from unnest($1::int[], $2::float8[], $3::text[], $4::int[], $5::text[]) u(no, hour, outcome, count, durations) order by no, hour, outcome
    on conflict (endpoint_no, hour, outcome) do update
   set count = h.count + excluded.count,
       durations = (select array_agg(coalesce(before, 0) + coalesce(added, 0) order by place)
                      from unnest(h.durations, excluded.durations) with ordinality u(before, added, place))`;

/** Adds attempts to the hours of the endpoints’ charts. */
export async function addToChart(query: Query, attempts: readonly ChartedAttempts[]): Promise<void> {
  await query(addToChartSql, [
    numbersOf(attempts.map(({ endpointNo }) => endpointNo)),
    numbersOf(attempts.map(({ hour }) => hour)),
    textsOf(attempts.map(({ outcome }) => outcome)),
    numbersOf(attempts.map(({ count }) => count)),
    textsOf(attempts.map(({ durations }) => numbersOf(durations))),
  ]);
}
