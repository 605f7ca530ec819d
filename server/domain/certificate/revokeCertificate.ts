import type { EntityManager } from '@mikro-orm/postgresql';
import { type AuditRecord, recordAll } from '../audit/record.ts';
import type { Actor, OperatorActor } from '../shared/actor.ts';
import { DomainError } from '../shared/DomainError.ts';
import { locking, takeLock } from '../shared/locks.ts';
import { Certificate, type RevocationReason } from './Certificate.ts';
import { requestCrls } from './crl/requestCrls.ts';
import { withdrawP12Packages } from './p12/package/withdrawP12Packages.ts';
import { revokeRenewals } from './renewalsOf.ts';
import { restoreEnds } from './restoreEnds.ts';
import { certificateFacts } from './certificateFacts.ts';
import { factsIn } from '../shared/lifecycle.ts';

const lockClientSql = locking(
  'client',
  'no key update of k',
  (clause) => `
select 1 from certificate x join client k on k.number = x.client_number join integration i on i.id = k.integration_id
 where x.id = $1 and ($2::text is null or i.operator_id = $2) ${clause}`,
);

/** The certificate, and those of its client that hold a slot, by certificate_client with its expression as it stands there. */
const lockSql = locking(
  'certificate',
  'no key update of x',
  (clause) => `
select i.id as "integrationId", i.operator_id as "operatorId"
  from certificate c join client k on k.number = c.client_number join integration i on i.id = k.integration_id
  join certificate x on x.client_number = c.client_number and (x.id = c.id or (x.slot is not null) = true)
 where c.id = $1 and ($2::text is null or i.operator_id = $2) order by x.id ${clause}`,
);

/** Whose certificate it is. */
export type CertificateOwner = { readonly integrationId: string; readonly operatorId: string };

/**
 * Locks a certificate, of this operator unless it is null, with what its client has beside it, whose end may follow from its own, and says
 * whose it is; undefined if there is none. Its client is locked first, so that nothing is renewed from it at this moment.
 */
export async function lockCertificate(
  tx: EntityManager,
  certificateId: string,
  operatorId: string | null,
): Promise<CertificateOwner | undefined> {
  await takeLock(tx, lockClientSql, [certificateId, operatorId]);
  const [owner] = await takeLock<CertificateOwner>(tx, lockSql, [certificateId, operatorId]);
  return owner;
}

/**
 * Revokes one of the actor's pending or issued certificates. The very next request with it is refused (docs/specification.md, “Revoking a
 * certificate”). Revoking it again changes nothing. Errors: not_found, conflict if the certificate was never issued.
 */
export function revokeCertificate(
  em: EntityManager,
  { actor, certificateId, reason, now }: { actor: OperatorActor; certificateId: string; reason: RevocationReason; now: Date },
): Promise<Certificate> {
  return em.transactional(async (tx) => {
    const owner = await lockCertificate(tx, certificateId, actor.operatorId);
    if (!owner) throw new DomainError('not_found', { detail: 'There is no such certificate.' });
    const { certificate } = await revokeLocked(tx, { actor, certificateId, owner, reason, now });
    return certificate;
  });
}

type RevokeLocked = {
  readonly actor: Actor;
  readonly certificateId: string;
  readonly owner: CertificateOwner;
  readonly reason: RevocationReason;
  /** For the audit trail; the reason alone if absent. */
  readonly details?: AuditRecord['details'];
  readonly now: Date;
};

/** What was revoked: a certificate, and the renewals that went with it. */
type Revoked = { readonly certificate: Certificate; readonly renewals: readonly string[] };

/**
 * Revokes a locked certificate with everything that goes with it. If its key may be compromised, so do its renewals: anyone with the key may
 * have requested them. Errors: conflict if the certificate was never issued.
 */
export async function revokeLocked(
  tx: EntityManager,
  { actor, certificateId, owner, reason, details = { reason }, now }: RevokeLocked,
): Promise<Revoked> {
  const certificate = await tx.findOneOrFail(Certificate, { id: certificateId }, { refresh: true });
  if (factsIn(certificateFacts, certificate.status).isVoid)
    throw new DomainError('conflict', { detail: 'This certificate was never issued.' });
  if (certificate.status === 'revoked') return { certificate, renewals: [] };
  certificate.revoke(reason, now);
  await tx.flush();
  const renewals = reason === 'key_compromise' ? await revokeRenewals(tx, { certificateId, reason, now }) : [];
  await restoreEnds(tx, { clientNumbers: [certificate.clientNumber], now });
  await withdrawP12Packages(tx, [certificateId], now);
  await requestCrls(tx);
  const entryOf = (id: string, more: AuditRecord['details'] = {}) =>
    ({ action: 'certificate.revoked', subject: { type: 'certificate', id }, ...owner, details: { ...details, ...more } }) as const;
  await recordAll(tx, actor, now, [entryOf(certificateId), ...renewals.map((id) => entryOf(id, { renewedFrom: certificateId }))]);
  return { certificate, renewals };
}
