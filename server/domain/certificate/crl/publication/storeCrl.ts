import type { EntityManager } from '@mikro-orm/postgresql';
import { locking, takeLock } from '../../../shared/locks.ts';
import { sql } from '../../../shared/sql.ts';

const lockAuthoritySql = locking(
  'authority',
  'no key update',
  (clause) => `select crl_number::text as number from certificate_authority where id = $1 ${clause}`,
);

const lastSql = `select this_update as "thisUpdate" from certificate_revocation_list where authority_id = $1`;

/** Locks an authority, so that only the caller gives it a new list, and returns the number and the time of its last one. */
export async function lockCrl(tx: EntityManager, authorityId: string): Promise<{ readonly number: bigint; readonly thisUpdate?: Date }> {
  const [authority] = await takeLock<{ number: string }>(tx, lockAuthoritySql, [authorityId]);
  if (!authority) throw new Error(`There is no authority ${authorityId}.`);
  // Read after the lock, so that it shows what another worker has just stored.
  const [last] = await sql<{ thisUpdate: Date }>(tx, lastSql, [authorityId]);
  return { number: BigInt(authority.number), ...last };
}

const storeSql = `
insert into certificate_revocation_list (authority_id, der, etag, this_update, next_update, revoked, number) values ($1, $2, $3, $4, $5, $6, $7)
    on conflict (authority_id) do update set der = excluded.der, etag = excluded.etag, this_update = excluded.this_update,
       next_update = excluded.next_update, revoked = excluded.revoked, number = excluded.number`;

/** Makes a list the current one of an authority that `lockCrl` has locked. */
export async function storeCrl(
  tx: EntityManager,
  authorityId: string,
  list: {
    readonly der: Buffer;
    readonly etag: string;
    readonly number: bigint;
    readonly thisUpdate: Date;
    readonly nextUpdate: Date;
    readonly revoked: number;
  },
): Promise<void> {
  const { der, etag, number, thisUpdate, nextUpdate, revoked } = list;
  await sql(tx, 'update certificate_authority set crl_number = $2 where id = $1', [authorityId, number.toString()]);
  await sql(tx, storeSql, [authorityId, der, etag, thisUpdate, nextUpdate, revoked, number.toString()]);
}
