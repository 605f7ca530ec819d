import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import { lockOwnClient } from '../../client/lockOwnClient.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { enqueue } from '../../shared/jobs.ts';
import type { LookupKeys } from '../../shared/keySet.ts';
import { certificateLimits } from '../certificateLimits.ts';
import { claimTokenHmac } from '../../shared/lookupKeys.ts';
import { sql } from '../../shared/sql.ts';
import type { Certificate } from '../Certificate.ts';
import { placeRequest, refuseByStatus } from '../request/placeRequest.ts';
import { newClaimToken } from './claimTokens.ts';
import { recipientKeyOf } from './sealPackage.ts';

/** The kind of key that a worker makes for a package. */
const keyType = 'EC P-256';

type RequestP12 = { readonly actor: OperatorActor; readonly clientId: string; readonly lookupKeys: LookupKeys; readonly now: Date };

/**
 * Requests a certificate whose key a worker makes and hands over once, in a package (docs/specification.md, “P12 packages”). The claim token
 * is answered here and stored nowhere: anyone who loses it cannot open the package. Errors: not_found, conflict, certificate_limit_reached,
 * rate_limit_exceeded.
 */
export async function requestP12(
  em: EntityManager,
  { actor, clientId, lookupKeys, now }: RequestP12,
): Promise<{ certificate: Certificate; claimToken: string }> {
  const claimToken = newClaimToken();
  const certificate = await em.transactional(async (tx) => {
    const client = await lockOwnClient(tx, actor, clientId);
    refuseByStatus(client, 'certificates');
    const requested = {
      source: 'p12',
      csrDer: null,
      publicKeyDer: null,
      keyType,
      requestedAt: now,
      requestedBy: actor.operatorId,
    } as const;
    const placed = await placeRequest(tx, client, requested);
    const { id: certificateId } = placed;
    const recipientKey = await recipientKeyOf(claimToken, { certificateId, environment: client.environment });
    await sql(tx, 'insert into p12_package (certificate_id, recipient_key, claim_token_hmac) values ($1, $2, $3)', [
      certificateId,
      recipientKey,
      claimTokenHmac(lookupKeys.current, certificateId, claimToken),
    ]);
    await enqueue(tx, 'makeP12', { certificateId }, { attempts: certificateLimits.p12Attempts });
    await record(tx, actor, now, {
      action: 'certificate.requested',
      subject: { type: 'certificate', id: certificateId },
      integrationId: client.integrationId,
      details: { environment: client.environment, keyType, source: 'p12' },
    });
    return placed;
  });
  return { certificate, claimToken };
}
