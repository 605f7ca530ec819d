import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../audit/record.ts';
import type { OperatorActor } from '../shared/actor.ts';
import { DomainError } from '../shared/DomainError.ts';
import { locking, takeLock } from '../shared/locks.ts';
import { Certificate, type RevocationReason } from './Certificate.ts';
import { requestCrls } from './crl/requestCrls.ts';

const lockSql = locking(
  'certificate',
  'no key update of x',
  (clause) => `
select i.id as integration_id from certificate x join client k on k.no = x.client_no join integration i on i.id = k.integration_id
 where x.id = $1 and i.operator_id = $2 ${clause}`,
);

/**
 * Revokes one of the actor's pending or issued certificates. The very next request with it is refused (docs/specification.md, “Revoking a
 * certificate”). Revoking it again changes nothing. Errors: not_found, conflict if the certificate was never issued.
 */
export function revokeCertificate(
  em: EntityManager,
  { actor, certificateId, reason, now }: { actor: OperatorActor; certificateId: string; reason: RevocationReason; now: Date },
): Promise<Certificate> {
  return em.transactional(async (tx) => {
    const [owner] = await takeLock<{ integration_id: string }>(tx, lockSql, [certificateId, actor.operatorId]);
    if (!owner) throw new DomainError('not_found', { detail: 'There is no such certificate.' });
    const certificate = await tx.findOneOrFail(Certificate, { id: certificateId }, { refresh: true });
    if (certificate.status === 'failed') throw new DomainError('conflict', { detail: 'This certificate was never issued.' });
    if (certificate.status === 'revoked') return certificate;
    certificate.revoke(reason, now);
    await requestCrls(tx);
    await record(tx, actor, now, {
      action: 'certificate.revoked',
      subject: { type: 'certificate', id: certificateId },
      integrationId: owner.integration_id,
      details: { reason },
    });
    return certificate;
  });
}
