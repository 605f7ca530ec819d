import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../shared/sql.ts';

/** One of the service's authorities with the state of its revocation list, as administrators see it. */
export type AuthorityRecord = {
  readonly id: string;
  readonly kind: 'root' | 'issuing';
  /** Whether new certificates come from it. A root signs authorities only. */
  readonly issues: boolean;
  /** Whether the service has its private key; otherwise its revocation lists are imported. */
  readonly hasKey: boolean;
  readonly createdAt: Date;
  readonly notAfter: Date;
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

const milliseconds = (column: string, name: string) => `(extract(epoch from ${column}) * 1000)::float8 as "${name}"`;

/** Authorities are few: one root, and an issuing authority every few years. */
const authoritiesSql = `
select a.id, a.kind, a.kind = 'issuing' and a.retired_at is null as issues, a.has_key as "hasKey", coalesce(l.number, a.crl_number)::int as number, l.revoked,
       ${milliseconds('a.created_at', 'createdAt')}, ${milliseconds('a.not_after', 'notAfter')}, ${milliseconds('a.retired_at', 'retiredAt')}, ${milliseconds('a.revoked_at', 'revokedAt')},
       ${milliseconds('l.this_update', 'thisUpdate')}, ${milliseconds('l.next_update', 'nextUpdate')}
  from certificate_authority a left join certificate_revocation_list l on l.authority_id = a.id
 order by a.kind, a.created_at desc, a.id`;
type Row = Pick<AuthorityRecord, 'id' | 'kind' | 'issues' | 'hasKey'> & {
  readonly number: number;
  readonly revoked: number | null;
  readonly createdAt: number;
  readonly notAfter: number;
  readonly retiredAt: number | null;
  readonly revokedAt: number | null;
  readonly thisUpdate: number | null;
  readonly nextUpdate: number | null;
};

/** All authorities: the issuing ones, newest first, then the roots. */
export async function certificateAuthorities(em: EntityManager): Promise<AuthorityRecord[]> {
  return (await sql<Row>(em, authoritiesSql)).map(
    ({ number, revoked, thisUpdate, nextUpdate, createdAt, notAfter, retiredAt, revokedAt, ...row }) => ({
      ...row,
      createdAt: new Date(createdAt),
      notAfter: new Date(notAfter),
      retiredAt: retiredAt === null ? null : new Date(retiredAt),
      revokedAt: revokedAt === null ? null : new Date(revokedAt),
      crl:
        thisUpdate === null || nextUpdate === null
          ? null
          : { number, revoked: revoked ?? 0, thisUpdate: new Date(thisUpdate), nextUpdate: new Date(nextUpdate) },
    }),
  );
}
