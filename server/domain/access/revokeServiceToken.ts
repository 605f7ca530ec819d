import { lockRow } from '../shared/locks.ts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../audit/record.ts';
import type { Actor } from '../shared/actor.ts';
import { DomainError } from '../shared/DomainError.ts';
import { hasIdForm } from '../shared/ids.ts';
import { ServiceToken } from './ServiceToken.ts';

/** Ends a service token; its next request is refused. Revoking it again changes nothing. Errors: not_found. */
export function revokeServiceToken(
  em: EntityManager,
  { actor, serviceTokenId, now }: { actor: Actor; serviceTokenId: string; now: Date },
): Promise<ServiceToken> {
  return em.transactional(async (tx) => {
    const possible = hasIdForm('svt', serviceTokenId);
    if (possible) await lockRow(tx, 'serviceToken', serviceTokenId);
    const serviceToken = possible ? await tx.findOne(ServiceToken, serviceTokenId, { refresh: true }) : null;
    if (!serviceToken) throw new DomainError('not_found', { detail: 'There is no such service token.' });
    if (serviceToken.revokedAt) return serviceToken;
    serviceToken.revokedAt = now;
    await record(tx, actor, now, { action: 'service_token.revoked', subject: { type: 'service_token', id: serviceToken.id } });
    return serviceToken;
  });
}
