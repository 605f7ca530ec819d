import type { EntityManager } from '@mikro-orm/postgresql';
import type { LockedClient } from '../../client/lockOwnClient.ts';
import type { CertificatePermission } from '../../integration/integrationFacts.ts';
import { factsOf } from '../../integration/integrationStatus.ts';
import { DomainError } from '../../shared/DomainError.ts';
import { certificateLimits } from '../certificateLimits.ts';
import { noteLock } from '../../shared/locks.ts';
import { secondsUntil } from '../../shared/secondsUntil.ts';
import { sql } from '../../shared/sql.ts';
import { Certificate } from '../Certificate.ts';
import { isSpent, oldestOfTooMany } from './placeCertificate.function.ts';

const day = 24 * 60 * 60 * 1000;

const refusals: Readonly<Record<Exclude<CertificatePermission, 'yes'>, string>> = {
  notOnceRetired: 'A retired integration cannot get certificates.',
  notBeforeApproval: 'Production certificates can be requested once the integration is approved.',
};

/** Errors: conflict, if the client's integration may not get certificates for this environment in the way that is `asked` for. */
export function refuseByStatus(
  { environment, integrationStatus }: Pick<LockedClient, 'environment' | 'integrationStatus'>,
  asked: 'certificates' | 'renewals',
): void {
  const permission = factsOf(integrationStatus, environment)[asked];
  if (permission !== 'yes') throw new DomainError('conflict', { detail: refusals[permission] });
}

/** What is known of a certificate when it is requested. Its key is unknown if a worker will make it. */
type RequestedCertificate = Pick<Certificate, 'source' | 'csrDer' | 'publicKeyDer' | 'keyType' | 'requestedAt' | 'requestedBy'>;

const placeCertificateSql = 'select place_certificate($1, $2, $3, $4, $5, $6::timestamptz, $7, null) as id';

/**
 * Stores a pending certificate in one of the locked client's slots (docs/specification.md, “Rotation”), under the next name for its
 * files (`place_certificate`). Errors: certificate_limit_reached, rate_limit_exceeded; one that `wasCertifiedBefore` knows.
 */
export async function placeRequest(
  tx: EntityManager,
  client: LockedClient,
  { source, csrDer, publicKeyDer, keyType, requestedAt, requestedBy }: RequestedCertificate,
): Promise<Certificate> {
  await refuseByLimits(tx, client, requestedAt);
  noteLock(tx, 'certificate');
  const [placed] = await sql<{ id: string | null }>(tx, placeCertificateSql, [
    client.number,
    source,
    csrDer,
    publicKeyDer,
    keyType,
    requestedAt,
    requestedBy,
  ]);
  if (!placed?.id) throw noSlot();
  return tx.findOneOrFail(Certificate, placed.id);
}

/** By certificate_client. What is usable no longer takes no slot. */
const taken = `(select count(*)::int from certificate where client_number = $1 and slot is not null and not (${isSpent('$2')}))`;

/** Whether another certificate of the client can be stored. */
export async function hasFreeSlot(em: EntityManager, clientNumber: number, now: Date): Promise<boolean> {
  const [row] = await sql<{ taken: number }>(em, `select ${taken} as taken`, [clientNumber, now]);
  return row !== undefined && row.taken < certificateLimits.certificatesPerClient;
}

const limitsSql = `select ${taken} as taken, ${oldestOfTooMany('$1', '$2')} as oldest`;

/** Refuses what would be refused when it is stored, without a lock. Errors: certificate_limit_reached, rate_limit_exceeded. */
export async function refuseByLimits(em: EntityManager, { number, environment }: LockedClient, now: Date): Promise<void> {
  const [row] = await sql<{ taken: number; oldest: Date | null }>(em, limitsSql, [number, now]);
  if (row?.oldest)
    throw new DomainError('rate_limit_exceeded', {
      detail: `At most ${certificateLimits.certificateRequestsPerClientPerDay} ${environment} certificates can be requested within a day. Those in use keep working.`,
      retryAfterSeconds: secondsUntil(row.oldest, new Date(now.getTime() - day)),
    });
  if (row && row.taken >= certificateLimits.certificatesPerClient) throw noSlot();
}

/** Whether a request was not stored because its key was certified before: the index decides, also between requests at the same moment. */
export function wasCertifiedBefore(error: unknown): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === 'certificate_certified_key';
}

/** Both slots are taken. */
export function noSlot(): DomainError {
  return new DomainError('certificate_limit_reached', {
    detail: `This client already has ${certificateLimits.certificatesPerClient} certificates that are pending or usable. Revoke the old one, then request again.`,
  });
}
