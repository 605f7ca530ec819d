import type { EntityManager } from '@mikro-orm/postgresql';
import { noteLock } from '../shared/locks.ts';
import { sql } from '../shared/sql.ts';
import type { RevocationReason } from './Certificate.ts';
import { certificateLifecycle, type CertificateStatus } from './certificateStatus.ts';

/** A pending or usable certificate that was renewed from another one through EST, or from what had been renewed from that one. */
export type CertificateRenewal = {
  readonly id: string;
  readonly keyName: string;
  readonly serial: string | null;
  readonly status: CertificateStatus;
};

/**
 * By certificate_renews, whatever has become of those in between: `$1` are certificates, `$2` is the moment. A renewal is a chain, because
 * each certificate is requested after the one that requests it.
 */
const chainSql = `
with recursive chain (origin, id) as (
  select x.renews, x.id from certificate x where x.renews = any ($1::text[])
   union all select c.origin, x.id from chain c join certificate x on x.renews = c.id)`;
const isLive = `${certificateLifecycle.mayStart('revokeCertificate', { row: 'x' })} and (x.usable_until is null or x.usable_until > $2)`;

const renewalsSql = `${chainSql}
select c.origin, x.id, x.key_name as "keyName", x.serial, x.status from chain c join certificate x on x.id = c.id
 where ${isLive} order by x.requested_at, x.id`;

/** The renewals of each of these certificates that are pending or usable, in their order. */
export async function renewalsOf(em: EntityManager, ids: readonly string[], now: Date): Promise<CertificateRenewal[][]> {
  const rows = await sql<CertificateRenewal & { readonly origin: string }>(em, renewalsSql, [[...ids], now]);
  return ids.map((id) => rows.filter(({ origin }) => origin === id).map(({ origin: _origin, ...renewal }) => renewal));
}

/** What only an overlap has ended is revoked too, as the certificate itself would be. */
const revokeSql = `${chainSql}
update certificate x set ${certificateLifecycle.sets('revokeCertificate', { slot: 'null', revokedAt: '$2', revocationReason: '$3' })}
  from chain c where x.id = c.id and ${certificateLifecycle.mayStart('revokeCertificate', { row: 'x' })} and (x.not_after is null or x.not_after > $2)
returning x.id`;

/** Revokes all renewals of a certificate whose client is locked, so that no other one can come. Returns which there were. */
export async function revokeRenewals(
  tx: EntityManager,
  { certificateId, reason, now }: { readonly certificateId: string; readonly reason: RevocationReason; readonly now: Date },
): Promise<string[]> {
  noteLock(tx, 'certificate');
  const revoked = await sql<{ id: string }>(tx, revokeSql, [[certificateId], now, reason]);
  return revoked.map(({ id }) => id).toSorted();
}
