import type { EntityManager } from '@mikro-orm/postgresql';
import { readableClient, type ClientReader } from '../client/ownClient.ts';
import type { FieldError } from '../shared/DomainError.ts';
import { errorCatalogue, type ErrorCode } from '../shared/errorCatalogue.ts';
import { hasIdForm } from '../shared/ids.ts';
import { limits } from '../shared/limits.ts';
import { usageLimits } from './usageLimits.ts';
import { timeAndIdCursors } from '../shared/lists/cursors.ts';
import { page, type Page, type PageRequest } from '../shared/lists/page.ts';
import { sql } from '../shared/sql.ts';
import { certificateOf, type CertificateRow, type RequestCertificate } from './requestCertificate.ts';
import { lastDayFirst, requestByIdSql, requestLogSql } from './requestLog.sql.ts';

/** 2xx, 3xx, 4xx and 5xx. */
export const statusClasses = ['succeeded', 'unchanged', 'refused', 'failed'] as const;
export type StatusClass = (typeof statusClasses)[number];

/** A request as it stands in the log, with what is on record of its certificate now. */
export type LoggedRequest = {
  readonly id: string;
  readonly occurredAt: Date;
  readonly method: string;
  /** The operation; `path` when only the method was wrong, `nothing` when there was no such path. */
  readonly operation: string;
  readonly status: number;
  readonly problem: ErrorCode | null;
  readonly serial: string | null;
  readonly durationMs: number;
  /** Null when the presented certificate is not on record. */
  readonly certificate: RequestCertificate | null;
};

type RequestFilter = {
  readonly requestId?: string | null;
  readonly statusClass?: StatusClass | null;
  readonly status?: number | null;
  /** An operation's name. */
  readonly operation?: string | null;
  /** A code of the error catalogue. */
  readonly problem?: string | null;
  /** The serial of the presented certificate, lower-case hexadecimal. */
  readonly serial?: string | null;
  readonly onlyProblems?: boolean | null;
  readonly from?: Date | null;
  /** Until before this moment. */
  readonly to?: Date | null;
};

type Row = CertificateRow & {
  request_id: string;
  occurred_at: Date;
  method: string;
  operation: string;
  status: number;
  problem_code: ErrorCode | null;
  serial: string | null;
  duration_ms: number;
};

type Asked = {
  reader: ClientReader;
  clientId: string;
  filter: RequestFilter;
  /** Requests that the reader has already, which are left out: at most 100. */
  known?: readonly string[] | null | undefined;
  /** Only requests of the last so many seconds, at most an hour's. That is also as far as is looked back for a reader who has some already. */
  within?: number | null | undefined;
  now: Date;
} & PageRequest;

/** The clocks of two processes differ by less. */
const ahead = 60_000;

/**
 * A page of the requests of a client that the reader may look at (`readableClient`), newest first, of the last 7 days: older ones go a day
 * at a time, so some are still there. Errors: not_found, invalid_request.
 */
export function requests(
  em: EntityManager,
  { reader, clientId, filter, known, within, now, ...request }: Asked,
): Promise<Page<LoggedRequest>> {
  const back = within ? within * 1000 : known ? usageLimits.liveLogReach : usageLimits.requestLogKept - 1;
  const earliest = now.getTime() - back;
  const latest = now.getTime() + ahead;
  return page(request, {
    cursors: timeAndIdCursors<LoggedRequest>('req', ({ occurredAt }) => occurredAt),
    errors: [...filterErrors(filter), ...knownErrors(known ?? []), ...withinErrors(within ?? null)],
    read: async (count, last) => {
      const { number: clientNumber } = await readableClient(em, reader, clientId);
      const { requestId, operation } = filter;
      const classes = classesOf(filter);
      const from = new Date(Math.max(earliest, filter.from?.getTime() ?? earliest));
      const until = new Date(Math.min(latest, filter.to?.getTime() ?? latest, last ? last[0].getTime() + 1 : latest));
      if (requestId) {
        const found = await lastDayFirst([from, until], 1, (range) => sql<Row>(em, requestByIdSql, [clientNumber, requestId, ...range]));
        return found
          .map(requestOf)
          .filter((each) => classes.includes(Math.floor(each.status / 100)) && (!operation || each.operation === operation));
      }
      // Nothing both succeeds and is a problem.
      if (classes.length === 0 || until <= from) return [];
      const asked = { ...filter, clientNumber, classes, last, ...(known && { known }) };
      const rows = await lastDayFirst([from, until], count, (range, most) => {
        const { text, values } = requestLogSql({ ...asked, count: most }, range);
        return sql<Row>(em, text, values);
      });
      return rows.map(requestOf);
    },
  });
}

function filterErrors({ requestId, operation, problem, serial, status, from, to }: RequestFilter): FieldError[] {
  const found: FieldError[] = [];
  const refuse = (name: string, message: string) => found.push({ path: `filter.${name}`, message });
  if (requestId && !hasIdForm('req', requestId))
    refuse('requestId', 'A request ID is req_ followed by 26 characters, as in the X-Request-Id header.');
  if (operation && !/^[a-zA-Z]{1,60}$/.test(operation)) refuse('operation', 'Use the name of an operation in the OpenAPI description.');
  if (problem && !Object.hasOwn(errorCatalogue, problem)) refuse('problem', 'Use the code of a problem, such as rate_limit_exceeded.');
  if (serial && !/^[0-9a-f]{1,64}$/.test(serial)) refuse('serial', 'A serial has hexadecimal digits in lower case.');
  if (typeof status === 'number' && !(status >= 200 && status <= 599)) refuse('status', 'A status is a number from 200 to 599.');
  if (from && to && to <= from) refuse('to', 'The end must be later than the beginning.');
  return found;
}

function knownErrors(known: readonly string[]): FieldError[] {
  if (known.length <= limits.pageSize && known.every((id) => hasIdForm('req', id))) return [];
  return [{ path: 'known', message: `Give at most ${limits.pageSize} request IDs.` }];
}

function withinErrors(within: number | null): FieldError[] {
  const most = usageLimits.liveLogReach / 1000;
  return within === null || (within >= 1 && within <= most) ? [] : [{ path: 'within', message: `Ask for 1 to ${most} seconds.` }];
}

function classesOf({ statusClass, status, onlyProblems }: RequestFilter): number[] {
  const wanted = statusClass ? [statusClass] : onlyProblems ? (['refused', 'failed'] as const) : statusClasses;
  return wanted
    .filter((each) => !onlyProblems || each === 'refused' || each === 'failed')
    .map((each) => statusClasses.indexOf(each) + 2)
    .filter((each) => !status || each === Math.floor(status / 100));
}

function requestOf(row: Row): LoggedRequest {
  return {
    id: row.request_id,
    occurredAt: row.occurred_at,
    method: row.method,
    operation: row.operation,
    status: row.status,
    problem: row.problem_code,
    serial: row.serial,
    durationMs: row.duration_ms,
    certificate: certificateOf(row),
  };
}
