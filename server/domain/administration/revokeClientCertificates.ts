import type { EntityManager } from '@mikro-orm/postgresql';
import { recordAll } from '../audit/record.ts';
import type { RevocationReason } from '../certificate/Certificate.ts';
import { certificateLifecycle } from '../certificate/certificateStatus.ts';
import { requestCrls } from '../certificate/crl/requestCrls.ts';
import { withdrawP12Packages } from '../certificate/p12/package/withdrawP12Packages.ts';
import { lockClient } from '../client/lockClient.ts';
import { commonNameOf } from '../client/commonName.ts';
import { refuseOwn } from '../integration/refuseOwn.ts';
import { notify } from '../notification/notify.ts';
import type { OperatorActor } from '../shared/actor.ts';
import { DomainError } from '../shared/DomainError.ts';
import { noteLock } from '../shared/locks.ts';
import { goodReason } from '../shared/reason.ts';
import { sql } from '../shared/sql.ts';

type RevokeClientCertificates = {
  readonly actor: OperatorActor;
  readonly clientId: string;
  /** For revocation lists. */
  readonly revocationReason: RevocationReason;
  /** For the owner to read. */
  readonly reason: string;
  readonly now: Date;
};

/** By certificate_client. What has reached its own end needs no revocation, but what only an overlap has ended does. */
const revokeSql = `
update certificate set ${certificateLifecycle.sets('revokeCertificate', { slot: 'null', revokedAt: '$2', revocationReason: '$3' })}
 where client_number = $1 and ${certificateLifecycle.mayStart('revokeCertificate')} and (not_after is null or not_after > $2) returning id`;

/**
 * An administrator revokes all certificates of a client that are pending or valid, and says why; the owner gets one mail. The very next
 * request is refused. The client stays, and its owner can request new certificates. Returns how many there were. Errors: invalid_request
 * (reason), not_found, forbidden (own), conflict if there are none.
 */
export function revokeClientCertificates(
  em: EntityManager,
  { actor, clientId, revocationReason, reason, now }: RevokeClientCertificates,
): Promise<number> {
  const words = goodReason(reason);
  return em.transactional(async (tx) => {
    const client = await lockClient(tx, clientId);
    const { number, integrationId, operatorId } = client;
    refuseOwn(client, actor, 'administers');
    noteLock(tx, 'certificate');
    const revoked = await sql<{ id: string }>(tx, revokeSql, [number, now, revocationReason]);
    if (revoked.length === 0) throw new DomainError('conflict', { detail: 'This client has no certificate that could be revoked.' });
    await withdrawP12Packages(
      tx,
      revoked.map(({ id }) => id),
      now,
    );
    await requestCrls(tx);
    await recordAll(
      tx,
      actor,
      now,
      revoked.map(({ id }) => ({
        action: 'certificate.revoked',
        subject: { type: 'certificate', id },
        operatorId,
        integrationId,
        details: { revocationReason, reason: words },
      })),
    );
    const commonName = commonNameOf(client);
    await notify(tx, {
      kind: 'certificates_revoked',
      subjectId: `${clientId} ${now.toISOString()}`,
      operatorId,
      integrationId,
      details: { environment: client.environment, commonName, certificates: revoked.length, which: 'all', reason: words },
      now,
    });
    return revoked.length;
  });
}
