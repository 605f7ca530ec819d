import type { EntityManager } from '@mikro-orm/postgresql';
import { withinAttempts } from '../account/attempts.ts';
import { record } from '../audit/record.ts';
import { lockOwnClient, seeOwnClient } from '../client/lockOwnClient.ts';
import type { OperatorActor } from '../shared/actor.ts';
import { DomainError } from '../shared/DomainError.ts';
import { enqueue } from '../shared/jobs.ts';
import type { Certificate } from './Certificate.ts';
import { issuingQueue } from './certificateLimits.ts';
import { csrRefusals } from './csr/csrRefusals.ts';
import { type AcceptedCsr, checkCsr } from './csr/csrRules.ts';
import { placeRequest, refuseByLimits, refuseByStatus, wasCertifiedBefore } from './placeRequest.ts';

type RequestCertificate = {
  readonly actor: OperatorActor;
  readonly clientId: string;
  readonly csr: string;
  /** `checkCsr`, unless the caller does something beside it. */
  readonly judge?: typeof checkCsr;
  readonly now: Date;
};

/**
 * Accepts a certificate request (PKCS#10, PEM) for the client and queues its issuance. At most two certificates of a client are pending or
 * usable (docs/specification.md, “Rotation”). A key is certified only once, no matter who requests it, unless the issuance fails. Errors:
 * not_found, invalid_request (input.csr, in words), conflict (by status), certificate_limit_reached, rate_limit_exceeded.
 */
export async function requestCertificate(
  em: EntityManager,
  { actor, clientId, csr, judge = checkCsr, now }: RequestCertificate,
): Promise<Certificate> {
  const seen = await seeOwnClient(em, actor, clientId);
  refuseByStatus(seen);
  await refuseByLimits(em, seen, now);
  // Judging a key takes a while, so nothing is locked meanwhile, and what is refused counts: it could be sent again and again.
  return withinAttempts(em, [{ kind: 'refused_csr_operator', source: actor.operatorId }], now, async () => {
    const verdict = await judge(csr, seen.commonName);
    if (!verdict.accepted) throw new DomainError('invalid_request', { fields: [{ path: 'input.csr', message: verdict.message }] });
    return store(em, { actor, clientId, request: verdict, now });
  });
}

type Judged = Pick<RequestCertificate, 'actor' | 'clientId' | 'now'> & { readonly request: AcceptedCsr };

async function store(em: EntityManager, { actor, clientId, request, now }: Judged): Promise<Certificate> {
  const { csrDer, publicKeyDer, keyType } = request;
  try {
    return await em.transactional(async (tx) => {
      const client = await lockOwnClient(tx, actor, clientId);
      refuseByStatus(client);
      const requested = { source: 'csr', csrDer, publicKeyDer, keyType, requestedAt: now, requestedBy: actor.operatorId } as const;
      const certificate = await placeRequest(tx, client, requested);
      await enqueue(tx, 'issueCertificate', { certificateId: certificate.id }, { key: certificate.id, queue: issuingQueue });
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
