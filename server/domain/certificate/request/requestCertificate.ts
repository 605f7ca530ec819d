import type { EntityManager } from '@mikro-orm/postgresql';
import { withinAttempts } from '../../account/attempts.ts';
import { seeOwnClient } from '../../client/lockOwnClient.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { DomainError } from '../../shared/DomainError.ts';
import { sql } from '../../shared/sql.ts';
import { presentTrace } from '../../shared/traces.ts';
import { Certificate } from '../Certificate.ts';
import { csrRefusals } from '../csr/csrRefusals.ts';
import { type AcceptedCsr, checkCsr } from '../csr/csrRules.ts';
import { refuseByLimits, refuseByStatus, wasCertifiedBefore } from './placeRequest.ts';

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
 * not_found, invalid_request (input.csr, in words), conflict (by status, or by what this release does not know), certificate_limit_reached, rate_limit_exceeded.
 */
export async function requestCertificate(
  em: EntityManager,
  { actor, clientId, csr, judge = checkCsr, now }: RequestCertificate,
): Promise<Certificate> {
  const { commonName } = await refuse(em, { actor, clientId, now });
  // Judging a key takes a while, so nothing is locked meanwhile, and what is refused counts: it could be sent again and again.
  return withinAttempts(em, [{ kind: 'refused_csr_operator', source: actor.operatorId }], now, async () => {
    const verdict = await judge(csr, commonName);
    if (!verdict.accepted) throw new DomainError('invalid_request', { fields: [{ path: 'input.csr', message: verdict.message }] });
    return store(em, { actor, clientId, request: verdict, now });
  });
}

/** What can be refused without looking at the request. Nothing is locked: it is judged again when the request is stored. */
async function refuse(em: EntityManager, { actor, clientId, now }: Pick<RequestCertificate, 'actor' | 'clientId' | 'now'>) {
  const client = await seeOwnClient(em, actor, clientId);
  refuseByStatus(client, 'certificates');
  await refuseByLimits(em, client, now);
  return client;
}

type Judged = Pick<RequestCertificate, 'actor' | 'clientId' | 'now'> & { readonly request: AcceptedCsr };

const requestSql = 'select request_certificate($1, $2, $3, $4, $5, $6, $7::inet, $8::timestamptz, $9) as id';

async function store(em: EntityManager, { actor, clientId, request, now }: Judged): Promise<Certificate> {
  const { csrDer, publicKeyDer, keyType } = request;
  const { operatorId, requestId, ip } = actor;
  try {
    const parameters = [clientId, operatorId, csrDer, publicKeyDer, keyType, requestId, ip, now, presentTrace() ?? null];
    const [stored] = await sql<{ id: string | null }>(em, requestSql, parameters);
    if (stored?.id) return await em.findOneOrFail(Certificate, stored.id);
  } catch (error) {
    throw keyUsedBefore(error);
  }
  // It was overtaken by what now refuses it.
  await refuse(em, { actor, clientId, now });
  // What did is over, or only the release that made the function knows it.
  throw new DomainError('conflict', { detail: 'The certificate could not be requested. Request it again in a few minutes.' });
}

/** Nobody is told whose key it was. */
function keyUsedBefore(error: unknown): unknown {
  if (!wasCertifiedBefore(error)) return error;
  return new DomainError('invalid_request', { fields: [{ path: 'input.csr', message: csrRefusals.keyUsedBefore() }] });
}
