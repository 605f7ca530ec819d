import type { EntityManager } from '@mikro-orm/postgresql';
import type { ErrorCode } from '../shared/errorCatalogue.ts';
import { usageLimits } from './usageLimits.ts';
import { countErrors } from '../shared/lists/page.ts';
import { refuseInvalid } from '../shared/DomainError.ts';
import { sql } from '../shared/sql.ts';
import { errorGroupsSql } from './errorGroups.sql.ts';
import { certificateOf, type CertificateRow, type RequestCertificate } from './requestCertificate.ts';

/** A client's refused and failed requests with one cause: the same problem, operation and certificate. */
export type ErrorGroup = {
  /** Tells it apart from the client's other groups, and stays the same while it grows. */
  readonly id: string;
  /** Null if the answer had none. */
  readonly problem: ErrorCode | null;
  readonly status: number;
  readonly operation: string;
  readonly serial: string | null;
  readonly certificate: RequestCertificate | null;
  readonly count: number;
  /** Whether there were more before `firstAt` than are counted. */
  readonly more: boolean;
  /** Of all the client's requests in the time, from 0 to 1; null if not all of the group are counted. */
  readonly share: number | null;
  readonly firstAt: Date;
  readonly lastAt: Date;
  /** When the operation was first answered after the last of them. */
  readonly answeredAt: Date | null;
  readonly open: boolean;
};

const hour = 60 * 60 * 1000;
/** The clocks of two processes differ by less. */
const ahead = 60_000;

type Row = CertificateRow & {
  readonly problem: ErrorCode | null;
  readonly status: number;
  readonly operation: string;
  readonly serial: string | null;
  readonly count: number;
  readonly first_at: Date;
  readonly last_at: Date;
  readonly answered_at: Date | null;
  readonly read: number;
  readonly requests: number;
};

/**
 * Why a client's requests were refused or failed since a moment (its hour, in UTC; at most 7 days ago, and without one the last 24 hours),
 * by cause: open groups first, then the most frequent. Of a client with more than 5,000 such requests, the last 5,000 count. The caller may
 * see the client. Errors: invalid_request (`first`).
 */
export async function errorGroups(
  em: EntityManager,
  { clientNumber, since, first, now }: { clientNumber: number; since?: Date | null | undefined; first: number; now: Date },
): Promise<ErrorGroup[]> {
  refuseInvalid(countErrors(first));
  const earliest = now.getTime() - usageLimits.requestLogKept + 1;
  const asked = Math.floor((since?.getTime() ?? now.getTime() - 23 * hour) / hour) * hour;
  const from = new Date(Math.max(earliest, asked));
  const most = usageLimits.problemsGrouped;
  const rows = await sql<Row>(em, errorGroupsSql, [clientNumber, from, new Date(now.getTime() + ahead), most]);
  return rows
    .map((row) => groupOf(row, now))
    .toSorted(
      (one, other) => Number(other.open) - Number(one.open) || other.count - one.count || other.lastAt.getTime() - one.lastAt.getTime(),
    )
    .slice(0, first);
}

/**
 * Whether what went wrong still does, as far as the log tells. Once the operation has been answered again, a group closes an hour after its
 * last request: a client that polls may meet its error only now and then. While nothing was answered, it stays open for a day.
 */
function isOpenGroup({ lastAt, answeredAt }: Pick<ErrorGroup, 'lastAt' | 'answeredAt'>, now: Date): boolean {
  const quiet = now.getTime() - lastAt.getTime();
  return quiet < (answeredAt ? usageLimits.errorGroupCloses.answered : usageLimits.errorGroupCloses.unanswered);
}

function groupOf(row: Row, now: Date): ErrorGroup {
  const { problem, status, operation, serial, count } = row;
  const times = { lastAt: row.last_at, answeredAt: row.answered_at };
  const more = row.read >= usageLimits.problemsGrouped;
  return {
    id: [problem ?? status, operation, serial ?? ''].join(' '),
    problem,
    status,
    operation,
    serial,
    count,
    more,
    certificate: certificateOf(row),
    // What a refused flood did not get into the log was counted all the same.
    share: more ? null : Math.min(1, count / Math.max(row.requests, count)),
    firstAt: row.first_at,
    ...times,
    open: isOpenGroup(times, now),
  };
}
