import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from '../../../shared/DomainError.ts';
import { sql } from '../../../shared/sql.ts';

/** An authority's current revocation list without its bytes. */
type CurrentCrl = { readonly etag: string; readonly thisUpdate: Date; readonly nextUpdate: Date };

const times = `l.this_update as "thisUpdate", l.next_update as "nextUpdate"`;
type Times = { readonly thisUpdate: Date | null; readonly nextUpdate: Date | null };

const currentSql = (bytes: boolean) => `
select l.etag, ${times} ${bytes ? ', l.der' : ''} from certificate_authority a left join certificate_revocation_list l on l.authority_id = a.id where a.id = $1`;

/** The current list of an authority. Errors: not_found. */
export async function currentCrl(em: EntityManager, authorityId: string): Promise<CurrentCrl> {
  return read(em, authorityId, false);
}

/** The same with its bytes in DER, read at one moment. Errors: not_found. */
export async function currentCrlBytes(em: EntityManager, authorityId: string): Promise<CurrentCrl & { readonly der: Buffer }> {
  const { der = Buffer.alloc(0), ...list } = await read(em, authorityId, true);
  return { ...list, der };
}

async function read(em: EntityManager, authorityId: string, bytes: boolean): Promise<CurrentCrl & { readonly der?: Buffer }> {
  // Whatever is not an identifier need not reach the database, which refuses some characters.
  const found = /^[0-9a-z-]{1,64}$/.test(authorityId)
    ? await sql<{ etag: string | null; der?: Buffer } & Times>(em, currentSql(bytes), [authorityId])
    : [];
  const [list] = found;
  if (!list) throw new DomainError('not_found', { detail: 'There is no such certificate authority.' });
  const { etag, thisUpdate, nextUpdate } = list;
  if (etag === null || thisUpdate === null || nextUpdate === null)
    throw new DomainError('not_found', { detail: 'This certificate authority has not published a revocation list yet.' });
  return { ...list, etag, thisUpdate, nextUpdate };
}

/** An authority with the state of its revocation list, if it has one. */
type CrlState = {
  readonly authorityId: string;
  readonly kind: 'root' | 'issuing';
  readonly list: { readonly number: string; readonly thisUpdate: Date; readonly nextUpdate: Date; readonly revoked: number } | null;
};

const statesSql = `
select a.id as "authorityId", a.kind, coalesce(l.number, a.crl_number)::text as number, l.revoked, ${times}
  from certificate_authority a left join certificate_revocation_list l on l.authority_id = a.id
 where a.not_after > $1 order by a.created_at, a.id`;

/** The revocation lists of all authorities whose validity has not ended. */
export async function crlStates(em: EntityManager, now: Date): Promise<CrlState[]> {
  const rows = await sql<Pick<CrlState, 'authorityId' | 'kind'> & { number: string; revoked: number | null } & Times>(em, statesSql, [now]);
  return rows.map(({ authorityId, kind, number, revoked, thisUpdate, nextUpdate }) => ({
    authorityId,
    kind,
    list: revoked === null || thisUpdate === null || nextUpdate === null ? null : { number, thisUpdate, nextUpdate, revoked },
  }));
}
