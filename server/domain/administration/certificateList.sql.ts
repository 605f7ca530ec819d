import {
  certificateLifecycle,
  certificateStatuses,
  type CertificateStatus,
  type ShownCertificateStatus,
} from '../certificate/certificateStatus.ts';
import type { NamedCertificates } from '../shared/lists/search.ts';
import { certificateFacts } from '../certificate/certificateFacts.ts';

/** Which certificates a list shows and in which order. By age: newest request first. By end: those whose time is up first, or last. */
export type CertificateView = {
  readonly by: 'age' | 'end';
  readonly direction: 'asc' | 'desc';
  readonly statuses: readonly CertificateStatus[];
  /** The usable time of what is shown ends after `from` and not after `until`. */
  readonly from: Date | null;
  readonly until: Date | null;
};

const working = certificateStatuses.filter((status) => certificateFacts[status].stage === 'working');

const millisecondsOfDay = 24 * 60 * 60 * 1000;

/**
 * What to show for a status as pages know it, and for a number of days within which certificates stop working. Issued certificates are in
 * the order of their ends, because the question is what ends next or has ended last.
 */
export function certificateView(
  { status, days }: { status: ShownCertificateStatus | null; days: number | null },
  now: Date,
): CertificateView {
  const until = days === null ? null : new Date(now.getTime() + days * millisecondsOfDay);
  if (days !== null || (status && certificateFacts[status].stage === 'working'))
    return { by: 'end', direction: 'asc', statuses: working, from: now, until };
  if (status === 'expired') return { by: 'end', direction: 'desc', statuses: working, from: null, until: now };
  return { by: 'age', direction: 'desc', statuses: status === null ? certificateStatuses : [status], from: null, until: null };
}

type Asked = {
  readonly view: CertificateView;
  /** What a search has found; null without a search. */
  readonly named: NamedCertificates | null;
  readonly sources: readonly string[];
  /** '' stands for certificates that no authority has begun to issue. */
  readonly authorities: readonly string[];
  /** Where the page before ended. */
  readonly last: readonly [Date, string] | null;
  readonly count: number;
};

/**
 * A page of the list. Without a search, the ranges of certificate_listed or certificate_listed_end for each status, source and authority,
 * merged while they are read. With one, the primary key or certificate_client, and what these find is sorted.
 */
export function certificateListSql({ view, named, sources, authorities, last, count }: Asked): { text: string; values: unknown[] } {
  const values: unknown[] = [];
  const place = (value: unknown): string => `$${values.push(value)}`;
  const { by, direction, from, until, statuses } = view;
  // Exactly the expressions of the indexes.
  const time = by === 'age' ? 'c.requested_at' : `coalesce(c.usable_until, 'infinity')`;
  const issuer = `coalesce(c.issuer_id, '')`;
  const limit = place(count);
  const beyond = direction === 'asc' ? '>' : '<';
  const conditions = [
    ...(from === null ? [] : [`${time} > ${place(from)}::timestamptz`]),
    ...(until === null ? [] : [`${time} <= ${place(until)}::timestamptz`]),
    ...(last === null ? [] : [`(${time}, c.id) ${beyond} (${place(last[0])}::timestamptz, ${place(last[1])}::text)`]),
  ];
  const ordered = `order by at ${direction}, c.id ${direction} limit ${limit}`;
  const select = (...more: readonly string[]) =>
    `select c.id, ${time} as at from certificate c where ${[...more, ...conditions].join(' and ')} ${ordered}`;
  if (named !== null) {
    const which =
      named.certificateIds.length > 0
        ? `c.id = any (${place(named.certificateIds)}::text[])`
        : `c.client_number = any (${place(named.clientNumbers)}::int[])`;
    const among = [`c.source = any (${place(sources)}::text[])`, `${issuer} = any (${place(authorities)}::text[])`];
    return { text: select(which, certificateLifecycle.isIn(statuses, { row: 'c' }), ...among), values };
  }
  const [sourcePlaces, authorityPlaces] = [sources.map(place), authorities.map(place)];
  const ranges = statuses.flatMap((status) =>
    sourcePlaces.flatMap((source) =>
      authorityPlaces.map((authority) =>
        select(certificateLifecycle.isIn([status], { row: 'c' }), `c.source = ${source}`, `${issuer} = ${authority}`),
      ),
    ),
  );
  return { text: `select c.id from (${ranges.map((range) => `(${range})`).join(' union all ')}) c ${ordered}`, values };
}
