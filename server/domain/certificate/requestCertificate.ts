import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../audit/record.ts';
import { lockOwnClient } from '../client/lockOwnClient.ts';
import type { OperatorActor } from '../shared/actor.ts';
import { DomainError } from '../shared/DomainError.ts';
import { enqueue } from '../shared/jobs.ts';
import type { Certificate } from './Certificate.ts';
import { csrRefusals } from './csr/csrRefusals.ts';
import { checkCsr } from './csr/csrRules.ts';
import { placeRequest, refuseByStatus, wasCertifiedBefore } from './placeRequest.ts';

/**
 * Accepts a certificate request (PKCS#10, PEM) for the client and queues its issuance. At most two certificates of a client are pending or
 * usable (docs/specification.md, “Rotation”). A key is certified only once, whoever requests it, unless the issuance fails. Errors:
 * not_found, invalid_request (input.csr, in words), conflict (by status), certificate_limit_reached, rate_limit_exceeded.
 */
export async function requestCertificate(
  em: EntityManager,
  { actor, clientId, csr, now }: { actor: OperatorActor; clientId: string; csr: string; now: Date },
): Promise<Certificate> {
  try {
    return await em.transactional(async (tx) => {
      const client = await lockOwnClient(tx, actor, clientId);
      refuseByStatus(client);
      const verdict = await checkCsr(csr, client.commonName);
      if (!verdict.accepted) throw new DomainError('invalid_request', { fields: [{ path: 'input.csr', message: verdict.message }] });
      const { csrDer, publicKeyDer, keyType } = verdict;
      const requested = { source: 'csr', csrDer, publicKeyDer, keyType, requestedAt: now, requestedBy: actor.operatorId } as const;
      const certificate = await placeRequest(tx, client, requested);
      await enqueue(tx, 'issueCertificate', { certificateId: certificate.id });
      await record(tx, actor, now, {
        action: 'certificate.requested',
        subject: { type: 'certificate', id: certificate.id },
        integrationId: client.integrationId,
        details: { environment: client.environment, keyType },
      });
      return certificate;
    });
  } catch (error) {
    throw keyUsedBefore(error);
  }
}

/** Nobody is told whose key it was. */
function keyUsedBefore(error: unknown): unknown {
  if (!wasCertifiedBefore(error)) return error;
  return new DomainError('invalid_request', { fields: [{ path: 'input.csr', message: csrRefusals.keyUsedBefore() }] });
}
