import type { EntityManager } from '@mikro-orm/postgresql';
import type { RevocationReason } from '../certificate/Certificate.ts';
import { readableClient, type ClientReader } from '../client/ownClient.ts';
import type { FieldError } from '../shared/DomainError.ts';
import type { ErrorCode } from '../shared/errorCatalogue.ts';
import { hasIdForm } from '../shared/ids.ts';
import { limits } from '../shared/limits.ts';
import { timeAndIdCursors } from '../shared/lists/cursors.ts';
import { page, type Page, type PageRequest } from '../shared/lists/page.ts';
import { sql } from '../shared/sql.ts';
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
  readonly certificate: {
    readonly id: string;
    readonly notBefore: Date | null;
    readonly notAfter: Date | null;
    readonly usableUntil: Date | null;
    readonly revokedAt: Date | null;
    readonly revocationReason: RevocationReason | null;
  } | null;
};

export type RequestFilter = {
  readonly requestId?: string | null;
  readonly statusClass?: StatusClass | null;
  /** An operation's name. */
  readonly operation?: string | null;
  readonly onlyProblems?: boolean | null;
};

type Row = {
  request_id: string;
  occurred_at: number;
  method: string;
  operation: string;
  status: number;
  problem_code: ErrorCode | null;
  certificate_id: string | null;
  serial: string | null;
  duration_ms: number;
  not_before: number | null;
  not_after: number | null;
  usable_until: number | null;
  revoked_at: number | null;
  revocation_reason: RevocationReason | null;
};

/** The clocks of two processes differ by less. */
const ahead = 60_000;

/**
 * A page of the requests of a client that the reader may look at (`readableClient`), newest first, of the last 7 days: older ones go a day
 * at a time, so some are still there. Errors: not_found, invalid_request.
 */
export function requests(
  em: EntityManager,
  { reader, clientId, filter, now, ...request }: { reader: ClientReader; clientId: string; filter: RequestFilter; now: Date } & PageRequest,
): Promise<Page<LoggedRequest>> {
  const from = new Date(now.getTime() - limits.requestLogKept + 1);
  return page(request, {
    cursors: timeAndIdCursors<LoggedRequest>('req', ({ occurredAt }) => occurredAt),
    errors: filterErrors(filter),
    read: async (count, after) => {
      const { no } = await readableClient(em, reader, clientId);
      const { requestId, operation } = filter;
      const classes = classesOf(filter);
      const until = new Date(after ? after[0].getTime() + 1 : now.getTime() + ahead);
      if (requestId) {
        const found = (await sql<Row>(em, requestByIdSql, [no, requestId, from, until])).map(requestOf);
        return found.filter((each) => classes.includes(Math.floor(each.status / 100)) && (!operation || each.operation === operation));
      }
      // Nothing both succeeds and is a problem.
      if (classes.length === 0) return [];
      const text = requestLogSql({ classes, operation: Boolean(operation), beyond: after !== null });
      const given = [...(operation ? [operation] : []), ...(after ?? [])];
      const rows = await lastDayFirst([from, until], count, (range, most) => sql<Row>(em, text, [no, most, ...range, ...given]));
      return rows.map(requestOf);
    },
  });
}

function filterErrors({ requestId, operation }: RequestFilter): FieldError[] {
  const found: FieldError[] = [];
  if (requestId && !hasIdForm('req', requestId))
    found.push({ path: 'filter.requestId', message: 'A request ID is req_ followed by 26 characters, as in the X-Request-Id header.' });
  if (operation && !/^[a-zA-Z]{1,60}$/.test(operation))
    found.push({ path: 'filter.operation', message: 'Use the name of an operation in the OpenAPI description.' });
  return found;
}

function classesOf({ statusClass, onlyProblems }: RequestFilter): number[] {
  const wanted = statusClass ? [statusClass] : onlyProblems ? (['refused', 'failed'] as const) : statusClasses;
  return wanted.filter((each) => !onlyProblems || each === 'refused' || each === 'failed').map((each) => statusClasses.indexOf(each) + 2);
}

function requestOf(row: Row): LoggedRequest {
  return {
    id: row.request_id,
    occurredAt: new Date(row.occurred_at),
    method: row.method,
    operation: row.operation,
    status: row.status,
    problem: row.problem_code,
    serial: row.serial,
    durationMs: row.duration_ms,
    certificate:
      row.certificate_id === null
        ? null
        : {
            id: row.certificate_id,
            notBefore: dateOf(row.not_before),
            notAfter: dateOf(row.not_after),
            usableUntil: dateOf(row.usable_until),
            revokedAt: dateOf(row.revoked_at),
            revocationReason: row.revocation_reason,
          },
  };
}

function dateOf(milliseconds: number | null): Date | null {
  return milliseconds === null ? null : new Date(milliseconds);
}
