import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import type { ServiceTokenActor } from '../../shared/actor.ts';
import { DomainError } from '../../shared/DomainError.ts';
import type { LookupKeys } from '../../shared/keySet.ts';
import { sourceKey } from '../../shared/lookupKeys.ts';
import type { ResourceType } from '../../tracking/allowlist.ts';
import { findShares } from '../findShares.ts';
import { findConnection } from '../lockConnection.ts';
import { revokeConnection } from './revokeConnection.ts';
import { revokeResource } from './revokeResource.ts';
import type { Revocation } from './revokeResources.ts';

type RevokeShare = {
  readonly actor: ServiceTokenActor;
  readonly lookupKeys: LookupKeys;
  readonly connectionId: string;
  /** One resource by the order-tracking service's key. If null, the whole connection. */
  readonly resource: { readonly type: ResourceType; readonly key: string } | null;
  readonly now: Date;
};

/**
 * Revokes one resource of a connection, or the connection with everything that it shares (docs/specification.md, “Revocation”). It takes
 * effect with the very next request. The deletion deadline is seven days from now. For what is already revoked, it returns that revocation.
 * Errors: not_found.
 */
export function revokeShare(em: EntityManager, { actor, lookupKeys, connectionId, resource, now }: RevokeShare): Promise<Revocation> {
  return em.transactional(async (tx) => {
    const { environment } = actor;
    const { clientNumber, integrationId, operatorId } = await findConnection(tx, connectionId, environment);
    const resourceId = resource && (await findShare(tx, { clientNumber, connectionId, environment, lookupKeys, resource }));
    const revocation = resourceId
      ? await revokeResource(tx, { clientNumber, resourceId, now })
      : await revokeConnection(tx, { clientNumber, connectionId, now });
    if (!revocation) throw new DomainError('not_found', { detail: 'There is no such share.' });
    const { revocationId, deletionDeadlineAt, alreadyRevoked } = revocation;
    if (!alreadyRevoked) {
      await record(tx, actor, now, {
        action: resourceId ? 'resource.revoked' : 'connection.revoked',
        subject: { type: resourceId ? 'shared_resource' : 'connection', id: resourceId ?? connectionId },
        operatorId,
        integrationId,
        details: { revocationId },
      });
    }
    return { revocationId, deletionDeadlineAt };
  });
}

type Wanted = Pick<RevokeShare, 'lookupKeys' | 'connectionId'> & {
  clientNumber: number;
  environment: ServiceTokenActor['environment'];
  resource: NonNullable<RevokeShare['resource']>;
};

async function findShare(tx: EntityManager, { lookupKeys, resource: { type, key }, ...connection }: Wanted): Promise<string> {
  const keys = [{ path: 'input.resource', type, sourceKey: sourceKey(lookupKeys, connection.environment, type, key) }];
  const [share] = await findShares(tx, { ...connection, keys });
  if (!share?.id) throw new DomainError('not_found', { detail: 'This connection has never shared this resource.' });
  return share.id;
}
