import { plannedOnce } from '../shared/sql.ts';

/** Which of a client's requests a page shows: those that all given conditions hold for, the first page or a later one. */
export type AskedRequests = {
  readonly clientNumber: number;
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

/** What is on record of a certificate `x`. */
export const certificateColumns = `
         x.not_before, x.not_after,
         x.usable_until, x.revoked_at, x.revocation_reason`;

const columns = `
  select r.request_id, r.occurred_at, r.method, r.route as operation, r.status, r.problem_code, r.certificate_id, r.serial,
         r.duration_ms, ${certificateColumns}`;

/**
 * The conditions of every page: a client (`$1`), from `$3` until before `$4` and before the entry of `$5` and `$6`, which leave out all other
 * days' partitions and let those of the days be read one after the other. The others hold only if they are given: `$8` status, `$9` serial
 * of the certificate, `$10` identifiers of entries that are left out.
 */
const conditions = `
  r.client_number = $1 and r.occurred_at >= $3::timestamptz and r.occurred_at < $4::timestamptz
    and (r.occurred_at, r.request_id) < ($5::timestamptz, $6::text)
    and ($8::int is null or r.status = $8) and ($9::text is null or r.serial = $9) and ($10::text[] is null or r.request_id <> all ($10))`;
const newestFirst = 'order by r.occurred_at desc, r.request_id desc';

const rangeOf = (condition: string) => `(select * from request_log r where ${conditions} and ${condition} ${newestFirst} limit $2)`;

/** The ranges of so many classes of status, which stand in `$7`, merged while they are read. */
const classRanges = (classes: number, isOfClass: string) =>
  Array.from({ length: classes }, (_, index) => rangeOf(`${isOfClass} = ($7::int[])[${index + 1}]`)).join(' union all ');

const pageOf = (ranges: string) => `${columns} from (
    select * from (${ranges}) r ${newestFirst} limit $2) r
  left join certificate x on x.id = r.certificate_id
  ${newestFirst}`;

/** By the number of classes: of all operations, and of the one in `$11`. */
const everyOperation = [1, 2, 3, 4].map((of) => plannedOnce(`request_log_classes_${of}`, pageOf(classRanges(of, 'r.status / 100'))));
const oneOperation = [1, 2, 3, 4].map((of) =>
  plannedOnce(`request_log_operation_classes_${of}`, pageOf(classRanges(of, 'r.route = $11 and r.status / 100::smallint'))),
);
const oneProblemSql = plannedOnce(
  'request_log_problem',
  pageOf(rangeOf('r.problem_code = $11 and r.status / 100 = any ($7::int[]) and ($12::text is null or r.route = $12)')),
);

/**
 * A page of a client's request log between two moments, newest first, of one to four classes.
 * Indexes: request_log_class, request_log_route where one operation is asked for, request_log_problem where one problem is.
 */
export function requestLogSql(asked: AskedRequests, [from, until]: LogRange): { readonly text: string; readonly values: unknown[] } {
  const { clientNumber, count, classes, operation, problem, status, serial, known, last } = asked;
  const optional = [status || null, serial || null, known?.length ? known : null];
  const common = [clientNumber, count, from, until, ...(last ?? [until, '']), classes, ...optional];
  if (problem) return { text: oneProblemSql, values: [...common, problem, operation || null] };
  const text = (operation ? oneOperation : everyOperation)[classes.length - 1];
  if (text === undefined) throw new Error('A page of the request log is one of one to four classes.');
  return { text, values: operation ? [...common, operation] : common };
}

/** One entry between two moments (`$3`, `$4`), by the primary key of each day. It is written once, so nothing is read after it. */
export const requestByIdSql = plannedOnce(
  'request_log_entry',
  `${columns} from request_log r left join certificate x on x.id = r.certificate_id
 where r.client_number = $1 and r.request_id = $2 and r.occurred_at >= $3::timestamptz and r.occurred_at < $4::timestamptz limit 1`,
);

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
