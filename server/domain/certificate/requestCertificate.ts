import { UniqueConstraintViolationException, type EntityManager } from '@mikro-orm/postgresql';
import { record } from '../audit/record.ts';
import { lockOwnClient, type LockedClient } from '../client/lockOwnClient.ts';
import { productionStatuses } from '../integration/integrationStatus.ts';
import type { OperatorActor } from '../shared/actor.ts';
import { DomainError } from '../shared/DomainError.ts';
import { newId } from '../shared/ids.ts';
import { enqueue } from '../shared/jobs.ts';
import { limits } from '../shared/limits.ts';
import { noteLock } from '../shared/locks.ts';
import { sql } from '../shared/sql.ts';
import { begin } from '../shared/stateMachine.ts';
import { Certificate } from './Certificate.ts';
import { certificateLifecycle, certificateTransitions } from './certificateStatus.ts';
import { csrRefusals } from './csrRefusals.ts';
import { type AcceptedCsr, checkCsr } from './csrRules.ts';
import { nextKeyNames } from './keyNames.ts';

/**
 * Accepts a certificate request (PKCS#10, PEM) for the client and queues its issuance. At most two certificates of a client are pending or
 * usable (docs/specification.md, “Rotation”). A key is certified only once, whoever requests it, unless the issuance fails. Errors:
 * not_found, invalid_request (input.csr, in words), conflict.
 */
export async function requestCertificate(
  em: EntityManager,
  { actor, clientId, csr, now }: { actor: OperatorActor; clientId: string; csr: string; now: Date },
): Promise<Certificate> {
  try {
    return await em.transactional(async (tx) => {
      const client = await lockOwnClient(tx, actor, clientId);
      refuseByStatus(client);
      const verdict = checkCsr(csr, client.commonName);
      if (!verdict.accepted) throw new DomainError('invalid_request', { fields: [{ path: 'input.csr', message: verdict.message }] });
      const certificate = pendingCertificate(tx, verdict, {
        clientNo: client.no,
        slot: await takeSlot(tx, client, now),
        keyName: (await nextKeyNames(tx, [client], now))[0] ?? '',
        requestedAt: now,
        requestedBy: actor.operatorId,
      });
      tx.persist(certificate);
      await tx.flush();
      await enqueue(tx, 'issueCertificate', { certificateId: certificate.id });
      await record(tx, actor, now, {
        action: 'certificate.requested',
        subject: { type: 'certificate', id: certificate.id },
        integrationId: client.integrationId,
        details: { environment: client.environment, keyType: verdict.keyType },
      });
      return certificate;
    });
  } catch (error) {
    throw keyUsedBefore(error);
  }
}

type Request = Pick<Certificate, 'clientNo' | 'slot' | 'keyName' | 'requestedAt' | 'requestedBy'>;

function pendingCertificate(tx: EntityManager, { csrDer, publicKeyDer, keyType }: AcceptedCsr, request: Request): Certificate {
  const { clientNo, keyName, ...written } = request;
  return tx.create(Certificate, {
    ...begin(certificateTransitions, 'requestCertificate', written),
    clientNo,
    keyName,
    id: newId('crt'),
    source: 'csr',
    csrDer,
    publicKeyDer,
    keyType,
    issuerId: null,
    serial: null,
    fingerprintSha256: null,
    pem: null,
    issuedAt: null,
    notBefore: null,
    notAfter: null,
    usableUntil: null,
    failure: null,
    revokedAt: null,
    revocationReason: null,
    crlPublishedAt: null,
  });
}

function refuseByStatus({ environment, integrationStatus }: LockedClient): void {
  if (integrationStatus === 'retired') throw new DomainError('conflict', { detail: 'A retired integration cannot get certificates.' });
  if (environment === 'sandbox' || productionStatuses.some((status) => status === integrationStatus)) return;
  throw new DomainError('conflict', { detail: 'Production certificates can be requested once the integration is approved.' });
}

/** The index `certificate_certified_key` decides, also between requests at the same moment. Nobody is told whose key it was. */
function keyUsedBefore(error: unknown): unknown {
  if (!(error instanceof UniqueConstraintViolationException)) return error;
  return new DomainError('invalid_request', { fields: [{ path: 'input.csr', message: csrRefusals.keyUsedBefore() }] });
}

const freeSlotSql = `
update certificate set ${certificateLifecycle.sets('freeSlot', { slot: 'null' })}
 where client_no = $1 and slot is not null and ${certificateLifecycle.mayStart('freeSlot')} and usable_until <= $2`;

/** One of the client's two slots, under the client's lock; certificates that are no longer usable free theirs first. */
async function takeSlot(tx: EntityManager, client: LockedClient, now: Date): Promise<number> {
  noteLock(tx, 'certificate');
  await sql(tx, freeSlotSql, [client.no, now]);
  const taken = await sql<{ slot: number }>(tx, 'select slot from certificate where client_no = $1 and slot is not null', [client.no]);
  const slot = Array.from({ length: limits.certificatesPerClient }, (_, index) => index + 1).find((each) =>
    taken.every((row) => row.slot !== each),
  );
  if (slot !== undefined) return slot;
  throw new DomainError('conflict', {
    detail: `This client already has ${limits.certificatesPerClient} certificates that are pending or usable. Revoke the old one, then request again.`,
  });
}
