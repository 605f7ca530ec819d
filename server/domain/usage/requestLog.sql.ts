/** Which of a client's requests a page shows: those of these classes of status, of one operation or of all, the first page or a later one. */
type Asked = { readonly classes: readonly number[]; readonly operation: boolean; readonly beyond: boolean };

/**
 * A page of a client's request log between two moments, newest first: the index ranges of the classes of status, merged while they are read.
 * `$1` client, `$2` rows wanted, `$3` and `$4` from and until, which leave out all other days' partitions and let those of the days be read
 * one after the other; then the operation, and time and identifier of the last entry of the page before, where there are any. Indexes:
 * request_log_class, or request_log_route where one operation is asked for.
 */
export function requestLogSql({ classes, operation, beyond }: Asked): string {
  const [time, id] = operation ? ['$6', '$7'] : ['$5', '$6'];
  const range = (of: number) => `
    (select * from request_log r where r.client_no = $1 and r.status / 100 = ${of} ${operation ? 'and r.route = $5' : ''} and ${between}
           ${beyond ? `and (r.occurred_at, r.request_id) < (${time}::timestamptz, ${id}::text)` : ''} order by r.occurred_at desc, r.request_id desc limit $2)`;
  return `${columns} from (
    select * from (${classes.map(range).join(' union all ')}) r order by r.occurred_at desc, r.request_id desc limit $2) r
  left join certificate x on x.id = r.certificate_id
  order by r.occurred_at desc, r.request_id desc`;
}

const between = 'r.occurred_at >= $3::timestamptz and r.occurred_at < $4::timestamptz';

const columns = `
  select r.request_id, (extract(epoch from r.occurred_at) * 1000)::float8 as occurred_at, r.method, r.route as operation, r.status, r.problem_code, r.certificate_id, r.serial,
         r.duration_ms, (extract(epoch from x.not_before) * 1000)::float8 as not_before, (extract(epoch from x.not_after) * 1000)::float8 as not_after,
         (extract(epoch from x.usable_until) * 1000)::float8 as usable_until, (extract(epoch from x.revoked_at) * 1000)::float8 as revoked_at, x.revocation_reason`;

/** One entry between two moments (`$3`, `$4`), by the primary key of each day. */
export const requestByIdSql = `${columns} from request_log r left join certificate x on x.id = r.certificate_id
 where r.client_no = $1 and r.request_id = $2 and ${between}`;

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
