import type { EntityManager } from '@mikro-orm/postgresql';
import { type AuthorityStatus, authorityStatusSql } from '../certificate/authorityStatus.ts';
import { sql } from '../shared/sql.ts';

/** One of the service's authorities with the state of its revocation list, as administrators see it. */
export type AuthorityRecord = {
  readonly id: string;
  readonly kind: 'root' | 'issuing';
  readonly status: AuthorityStatus;
  /** Whether new certificates come from it. A root signs authorities only. */
  readonly issues: boolean;
  /** Whether the service has its private key; otherwise its revocation lists are imported. */
  readonly hasKey: boolean;
  readonly createdAt: Date;
  readonly notAfter: Date;
  /** From when on it issues no more, if that is known: the next one has been imported, or it was revoked or given up. */
  readonly retiredAt: Date | null;
  /** Since when it is not trusted any more. */
  readonly revokedAt: Date | null;
  /** Null before the first list. */
  readonly crl: {
    readonly number: number;
    readonly thisUpdate: Date;
    readonly nextUpdate: Date;
    readonly revoked: number;
  } | null;
};

/** Authorities are few: one root, and an issuing authority every few years. */
const authoritiesSql = `
select a.id, a.kind, ${authorityStatusSql('$1', 'a')} as status, a.has_key as "hasKey", coalesce(l.number, a.crl_number)::int as number, l.revoked,
       a.created_at as "createdAt", a.not_after as "notAfter", a.retired_at as "retiredAt", a.revoked_at as "revokedAt",
       l.this_update as "thisUpdate", l.next_update as "nextUpdate"
  from certificate_authority a left join certificate_revocation_list l on l.authority_id = a.id
 order by a.kind, a.created_at desc, a.id`;
type Row = Pick<AuthorityRecord, 'id' | 'kind' | 'status' | 'hasKey'> & {
  readonly number: number;
  readonly revoked: number | null;
  readonly createdAt: Date;
  readonly notAfter: Date;
  readonly retiredAt: Date | null;
  readonly revokedAt: Date | null;
  readonly thisUpdate: Date | null;
  readonly nextUpdate: Date | null;
};

/** All authorities: the issuing ones, newest first, then the roots. */
export async function certificateAuthorities(em: EntityManager, now: Date): Promise<AuthorityRecord[]> {
  return (await sql<Row>(em, authoritiesSql, [now])).map(({ number, revoked, thisUpdate, nextUpdate, ...row }) => ({
    ...row,
    issues: row.status === 'issuing',
    crl: thisUpdate === null || nextUpdate === null ? null : { number, revoked: revoked ?? 0, thisUpdate, nextUpdate },
  }));
}
