import type { EntityManager } from '@mikro-orm/postgresql';
import { type AuditRecord, record } from '../audit/record.ts';
import type { Actor, OperatorActor } from '../shared/actor.ts';
import { DomainError } from '../shared/DomainError.ts';
import { locking, takeLock } from '../shared/locks.ts';
import { Certificate, type RevocationReason } from './Certificate.ts';
import { requestCrls } from './crl/requestCrls.ts';
import { withdrawP12Packages } from './p12/package/withdrawP12Packages.ts';

const lockSql = locking(
  'certificate',
  'no key update of x',
  (clause) => `
select i.id as "integrationId", i.operator_id as "operatorId" from certificate x join client k on k.no = x.client_no
  join integration i on i.id = k.integration_id
 where x.id = $1 and ($2::text is null or i.operator_id = $2) ${clause}`,
);

/** Whose certificate it is. */
export type CertificateOwner = { readonly integrationId: string; readonly operatorId: string };

/** Locks a certificate, of this operator unless it is null, and says whose it is; undefined if there is none. */
export async function lockCertificate(
  tx: EntityManager,
  certificateId: string,
  operatorId: string | null,
): Promise<CertificateOwner | undefined> {
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
    return revokeLocked(tx, { actor, certificateId, owner, reason, now });
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

/** Revokes a locked certificate with everything that goes with it. Errors: conflict if the certificate was never issued. */
export async function revokeLocked(
  tx: EntityManager,
  { actor, certificateId, owner, reason, details = { reason }, now }: RevokeLocked,
): Promise<Certificate> {
  const certificate = await tx.findOneOrFail(Certificate, { id: certificateId }, { refresh: true });
  if (certificate.status === 'failed') throw new DomainError('conflict', { detail: 'This certificate was never issued.' });
  if (certificate.status === 'revoked') return certificate;
  certificate.revoke(reason, now);
  await tx.flush();
  await withdrawP12Packages(tx, [certificateId], now);
  await requestCrls(tx);
  await record(tx, actor, now, {
    action: 'certificate.revoked',
    subject: { type: 'certificate', id: certificateId },
    ...owner,
    details,
  });
  return certificate;
}
