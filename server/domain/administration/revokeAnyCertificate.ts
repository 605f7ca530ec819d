import type { EntityManager } from '@mikro-orm/postgresql';
import { Certificate, type RevocationReason } from '../certificate/Certificate.ts';
import { lockCertificate, revokeLocked } from '../certificate/revokeCertificate.ts';
import { Client } from '../client/Client.ts';
import { commonNameOf } from '../client/commonName.ts';
import { refuseOwn } from '../integration/refuseOwn.ts';
import { notify } from '../notification/notify.ts';
import type { OperatorActor } from '../shared/actor.ts';
import { DomainError } from '../shared/DomainError.ts';
import { goodReason } from '../shared/reason.ts';

type RevokeAnyCertificate = {
  readonly actor: OperatorActor;
  readonly certificateId: string;
  /** For revocation lists. */
  readonly revocationReason: RevocationReason;
  /** For the owner to read. */
  readonly reason: string;
  readonly now: Date;
};

/**
 * An administrator revokes somebody's pending or issued certificate and says why; the owner gets a mail. The very next request with it is
 * refused (docs/specification.md, “Revoking a certificate”). If its key may be compromised, its renewals go with it. Errors: invalid_request (reason), not_found, forbidden (own), conflict if it
 * was never issued or is already revoked.
 */
export function revokeAnyCertificate(
  em: EntityManager,
  { actor, certificateId, revocationReason, reason, now }: RevokeAnyCertificate,
): Promise<Certificate> {
  const words = goodReason(reason);
  return em.transactional(async (tx) => {
    const owner = await lockCertificate(tx, certificateId, null);
    if (!owner) throw new DomainError('not_found', { detail: 'There is no such certificate.' });
    refuseOwn(owner, actor, 'administers');
    const { status, clientNumber } = await tx.findOneOrFail(Certificate, { id: certificateId }, { refresh: true });
    if (status === 'revoked') throw new DomainError('conflict', { detail: 'This certificate is already revoked.' });
    const details = { revocationReason, reason: words };
    const { certificate, renewals } = await revokeLocked(tx, { actor, certificateId, owner, reason: revocationReason, details, now });
    const client = await tx.findOneOrFail(Client, { number: clientNumber });
    const { environment } = client;
    const serial = certificate.serial && { serial: certificate.serial };
    await notify(tx, {
      kind: 'certificates_revoked',
      subjectId: certificateId,
      ...owner,
      details: { environment, commonName: commonNameOf(client), certificates: 1 + renewals.length, which: 'one', reason: words, ...serial },
      now,
    });
    return certificate;
  });
}
