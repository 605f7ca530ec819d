import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../audit/record.ts';
import { lockOwnClient, type LockedClient } from '../client/lockOwnClient.ts';
import { enqueue } from '../jobs.ts';
import type { OperatorActor } from '../shared/actor.ts';
import { DomainError, refuseInvalid } from '../shared/DomainError.ts';
import { newId } from '../shared/ids.ts';
import { limits } from '../shared/limits.ts';
import { sql } from '../shared/sql.ts';
import { Certificate } from './Certificate.ts';
import { checkCsr } from './csrRules.ts';

/**
 * Takes a certificate request (PKCS#10, PEM) for the client and queues its issuance; at most two certificates of a client are pending or
 * usable (specification, “Certificate issuance”). Errors: not_found, invalid_request (input.csr, in words), conflict.
 */
export function requestCertificate(
  em: EntityManager,
  { actor, clientId, csr, now }: { actor: OperatorActor; clientId: string; csr: string; now: Date },
): Promise<Certificate> {
  return em.transactional(async (tx) => {
    const client = await lockOwnClient(tx, actor, clientId);
    refuseByStatus(client);
    const verdict = checkCsr(csr, client.commonName);
    if (!verdict.accepted) throw new DomainError('invalid_request', { fields: [{ path: 'input.csr', message: verdict.message }] });
    await refuseForeignKey(tx, client, verdict.publicKeyDer);
    const certificate = tx.create(Certificate, {
      id: newId('crt'),
      clientNo: client.no,
      slot: await takeSlot(tx, client, now),
      source: 'csr',
      status: 'pending',
      csrDer: verdict.csrDer,
      publicKeyDer: verdict.publicKeyDer,
      keyType: verdict.keyType,
      issuerId: null,
      serial: null,
      fingerprintSha256: null,
      pem: null,
      requestedAt: now,
      requestedBy: actor.operatorId,
      issuedAt: null,
      notBefore: null,
      notAfter: null,
      usableUntil: null,
      failure: null,
      revokedAt: null,
      revocationReason: null,
      crlPublishedAt: null,
    });
    tx.persist(certificate);
    await enqueue(tx, 'issueCertificate', { certificateId: certificate.id });
    await record(tx, actor, now, {
      action: 'certificate.requested',
      subject: { type: 'certificate', id: certificate.id },
      integrationId: client.integrationId,
      details: { environment: client.environment, keyType: verdict.keyType },
    });
    return certificate;
  });
}

/** Production certificates can be prepared from the approval on, also while production is suspended (specification, “Integration status”). */
const productionStatuses: ReadonlySet<string> = new Set(['approved', 'active', 'suspended']);

function refuseByStatus({ environment, integrationStatus }: LockedClient): void {
  if (integrationStatus === 'retired') throw new DomainError('conflict', { detail: 'A retired integration gets no certificates.' });
  if (environment === 'sandbox' || productionStatuses.has(integrationStatus)) return;
  throw new DomainError('conflict', { detail: 'Production certificates are issued once the integration is approved.' });
}

/** Private keys are never shared between environments or integrations, and a key that was given away is never used again. */
async function refuseForeignKey(tx: EntityManager, client: LockedClient, publicKeyDer: Buffer): Promise<void> {
  // Requests with one key wait for each other, whichever clients they are for; else none would see the other.
  await sql(tx, "select pg_advisory_xact_lock(hashtextextended(encode(sha256($1), 'hex'), 0))", [publicKeyDer]);
  const [used] = await sql<{ compromised: boolean }>(
    tx,
    `select revocation_reason is not distinct from 'key_compromise' as compromised from certificate
      where sha256(public_key_der) = sha256($1) and (client_no <> $2 or revocation_reason = 'key_compromise') limit 1`,
    [publicKeyDer, client.no],
  );
  if (!used) return;
  const message = used.compromised
    ? 'A certificate with this key was revoked because the key was given away. Make a new key and a new request.'
    : 'This key is in use by another client. Make a key of its own for every integration and environment.';
  refuseInvalid([{ path: 'input.csr', message }]);
}

/** One of the client's two places, under the client's lock; certificates that are no longer usable give theirs back first. */
async function takeSlot(tx: EntityManager, client: LockedClient, now: Date): Promise<number> {
  await sql(
    tx,
    "update certificate set slot = null where client_no = $1 and slot is not null and status = 'issued' and usable_until <= $2",
    [client.no, now],
  );
  const taken = await sql<{ slot: number }>(tx, 'select slot from certificate where client_no = $1 and slot is not null', [client.no]);
  const slot = Array.from({ length: limits.certificatesPerClient }, (_, index) => index + 1).find((place) =>
    taken.every((row) => row.slot !== place),
  );
  if (slot !== undefined) return slot;
  throw new DomainError('conflict', {
    detail: `This client already has ${limits.certificatesPerClient} certificates that are pending or usable. Revoke the old one, then request again.`,
  });
}
