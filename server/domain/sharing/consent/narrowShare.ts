import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import type { ServiceTokenActor } from '../../shared/actor.ts';
import { refuseInvalid } from '../../shared/DomainError.ts';
import type { LookupKeys } from '../../shared/keySet.ts';
import { readScopes, type Scope } from '../../shared/scopes.ts';
import { sql } from '../../shared/sql.ts';
import type { ResourceType } from '../../tracking/allowlist.ts';
import { findShares } from '../findShares.ts';
import { findConnection, lockLiveConnection } from '../lockConnection.ts';
import { lockUser } from '../lockUser.ts';
import { sourceKeysOf } from '../pinNamedResources.ts';
import { revokeResources, type RevokedResource } from '../revocation/revokeResources.ts';
import { sharingClient } from '../sharingClient.ts';
import { keyErrors, scopeNameErrors } from '../sharingRules.ts';
import { changeConsent } from './changeConsent.ts';
import { changeParticipation } from './changeParticipation.ts';

type NarrowShare = {
  readonly actor: ServiceTokenActor;
  readonly lookupKeys: LookupKeys;
  readonly connectionId: string;
  /** What to remove: orders and stock vehicles by key, and scopes. */
  readonly orders: readonly string[];
  readonly vehicles: readonly string[];
  readonly scopes: readonly string[];
  readonly now: Date;
};

/** Index shared_resource_live. */
const liveSharesSql = `
select id, type from shared_resource where client_number = $1 and connection_id = $2 and revocation_id is null`;

/**
 * Removes resources and scopes from a live connection (docs/specification.md, “Shares and consent”). Each resource that is removed, or
 * whose type can no longer be read, gets a revocation of its own. The connection stays, even without any resource. Remaining resources that
 * look different take new revisions. Without `statistics.orders.read`, the user no longer takes part in the integration's statistics. What
 * was removed before is ignored. Errors: invalid_request by field, not_found, conflict (a revoked connection).
 */
export async function narrowShare(
  em: EntityManager,
  input: NarrowShare,
): Promise<{ connectionId: string; scopes: Scope[]; revoked: RevokedResource[] }> {
  const { actor, lookupKeys, connectionId, now } = input;
  refuseInvalid([...keyErrors(input), ...scopeNameErrors(input.scopes)]);
  return em.transactional(async (tx) => {
    const { clientNumber, integrationId, operatorId, userRef } = await findConnection(tx, connectionId, actor.environment);
    const client = await sharingClient(tx, clientNumber);
    if (input.scopes.includes('statistics.orders.read')) {
      await lockUser(tx, userRef, 'exclusive');
      await changeParticipation(tx, { actor, client, userRef, optedIn: false, now });
    }
    const before = await lockLiveConnection(tx, { clientNumber, connectionId });
    const { scopes: clientScopes } = await sharingClient(tx, clientNumber);
    const keys = sourceKeysOf(input, { lookupKeys, environment: actor.environment });
    const named = await findShares(tx, { clientNumber, connectionId, environment: actor.environment, keys });
    refuseInvalid(
      named.flatMap(({ path, id }) => (id === null ? [{ path, message: 'This connection has never shared this resource.' }] : [])),
    );
    const scopes = before.scopes.filter((scope) => !input.scopes.includes(scope));
    const live = await sql<{ id: string; type: ResourceType }>(tx, liveSharesSql, [clientNumber, connectionId]);
    const lost = live.filter(({ id, type }) => !scopes.includes(readScopes[type]) || named.some((share) => share.id === id));
    if (lost.length === 0 && scopes.length === before.scopes.length) return { connectionId, scopes, revoked: [] };

    const revoked = await revokeResources(tx, { shares: lost.map(({ id }) => ({ clientNumber, id })), now });
    await changeConsent(tx, { clientNumber, connectionId, scopes, clientScopes, now });
    await record(tx, actor, now, {
      action: 'share.narrowed',
      subject: { type: 'connection', id: connectionId },
      operatorId,
      integrationId,
      details: { revokedResources: revoked.length, scopes: scopes.join(' ') },
    });
    return { connectionId, scopes, revoked };
  });
}
