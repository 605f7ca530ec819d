/** Which of a client's requests a page shows: those that all given conditions hold for, the first page or a later one. */
export type AskedRequests = {
  readonly clientNo: number;
  readonly count: number;
  readonly classes: readonly number[];
  readonly operation?: string | null;
  readonly problem?: string | null;
  readonly status?: number | null;
  readonly serial?: string | null;
  /** Requests that the reader has already. */
  readonly known?: readonly string[];
  /** Time and identifier of the last entry of the page before. */
  readonly last?: readonly [Date, string] | null;
};

/**
 * A page of a client's request log between two moments, newest first: the index ranges of the classes of status, merged while they are read,
 * or the one range of a problem. The moments leave out all other days' partitions and let those of the days be read one after the other.
 * Indexes: request_log_class, request_log_route where one operation is asked for, request_log_problem where one problem is.
 */
export function requestLogSql(asked: AskedRequests, [from, until]: LogRange): { readonly text: string; readonly values: unknown[] } {
  const values: unknown[] = [asked.clientNo, asked.count, from, until];
  const given = (value: unknown) => `$${values.push(value)}`;
  const { operation, problem, status, serial, known, last } = asked;
  const conditions = [
    'r.client_no = $1',
    ...(problem ? [`r.problem_code = ${given(problem)}`] : []),
    ...(operation ? [`r.route = ${given(operation)}`] : []),
    ...(status ? [`r.status = ${given(status)}`] : []),
    ...(serial ? [`r.serial = ${given(serial)}`] : []),
    ...(known?.length ? [`r.request_id <> all (${given(known)}::text[])`] : []),
    'r.occurred_at >= $3::timestamptz and r.occurred_at < $4::timestamptz',
    ...(last ? [`(r.occurred_at, r.request_id) < (${given(last[0])}::timestamptz, ${given(last[1])}::text)`] : []),
  ].join(' and ');
  const range = (condition: string) => `
    (select * from request_log r where ${conditions} and ${condition} order by r.occurred_at desc, r.request_id desc limit $2)`;
  const ranges = problem
    ? [range(`r.status / 100 in (${asked.classes.join(', ')})`)]
    : asked.classes.map((of) => range(`r.status / 100 = ${of}`));
  const text = `${columns} from (
    select * from (${ranges.join(' union all ')}) r order by r.occurred_at desc, r.request_id desc limit $2) r
  left join certificate x on x.id = r.certificate_id
  order by r.occurred_at desc, r.request_id desc`;
  return { text, values };
}

/** What is on record of a certificate `x`. */
export const certificateColumns = `
         (extract(epoch from x.not_before) * 1000)::float8 as not_before, (extract(epoch from x.not_after) * 1000)::float8 as not_after,
         (extract(epoch from x.usable_until) * 1000)::float8 as usable_until, (extract(epoch from x.revoked_at) * 1000)::float8 as revoked_at, x.revocation_reason`;

const columns = `
  select r.request_id, (extract(epoch from r.occurred_at) * 1000)::float8 as occurred_at, r.method, r.route as operation, r.status, r.problem_code, r.certificate_id, r.serial,
         r.duration_ms, ${certificateColumns}`;

/** One entry between two moments (`$3`, `$4`), by the primary key of each day. */
export const requestByIdSql = `${columns} from request_log r left join certificate x on x.id = r.certificate_id
 where r.client_no = $1 and r.request_id = $2 and r.occurred_at >= $3::timestamptz and r.occurred_at < $4::timestamptz`;

const day = 24 * 60 * 60 * 1000;
/** From the first moment until before the second. */
export type LogRange = readonly [Date, Date];

/**
 * Reads so many rows of a range of the log: first its last day (UTC), then, if that had fewer, the days before. One day fills the page of a
 * client that calls often, and planning a statement for one partition takes a fraction of the time that all take.
 */
export async function lastDayFirst<Row>(
  [from, until]: LogRange,
  count: number,
  read: (range: LogRange, count: number) => Promise<Row[]>,
): Promise<Row[]> {
  const midnight = new Date(Math.max(from.getTime(), Math.floor((until.getTime() - 1) / day) * day));
  const rows = await read([midnight, until], count);
  return rows.length === count || midnight <= from ? rows : [...rows, ...(await read([from, midnight], count - rows.length))];
}
