import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import type { ServiceTokenActor } from '../../shared/actor.ts';
import { refuseInvalid } from '../../shared/DomainError.ts';
import type { LookupKeys } from '../../shared/keySet.ts';
import { limits } from '../../shared/limits.ts';
import type { Scope } from '../../shared/scopes.ts';
import { sql } from '../../shared/sql.ts';
import { grantResources, type GrantedResource } from '../grantResources.ts';
import { findConnection, lockLiveConnection } from '../lockConnection.ts';
import { pinNamedResources } from '../pinNamedResources.ts';
import { sharingClient } from '../sharingClient.ts';
import { consentErrors, inSequence, keyErrors, refuseUnlessSharable, scopeNameErrors, unreadableErrors } from '../sharingRules.ts';
import { changeConsent } from './changeConsent.ts';

type ExtendShare = {
  readonly actor: ServiceTokenActor;
  readonly lookupKeys: LookupKeys;
  readonly connectionId: string;
  /** Keys of more orders of the connection's user, and of more stock vehicles. */
  readonly orders: readonly string[];
  readonly vehicles: readonly string[];
  /** More scopes to which the user consents. */
  readonly scopes: readonly string[];
  readonly now: Date;
};

/** Index shared_resource_live. */
const liveResourcesSql = `
select tracked_resource_id from shared_resource where client_number = $1 and connection_id = $2 and revocation_id is null`;

/**
 * Adds orders, vehicles and scopes to a live connection, with a new consent of its user to the current profile version
 * (docs/specification.md, “Shares and consent”). What is already shared stays as it is. What was revoked before gets a new ID at revision
 * 1. Resources that look different under more scopes take new revisions. Errors: invalid_request by field, not_found, conflict (revoked, or
 * an integration that cannot get more), production_data_disabled.
 */
export async function extendShare(
  em: EntityManager,
  input: ExtendShare,
): Promise<{ connectionId: string; scopes: Scope[]; granted: GrantedResource[] }> {
  const { actor, lookupKeys, connectionId, now } = input;
  const { environment } = actor;
  refuseInvalid([...keyErrors(input), ...scopeNameErrors(input.scopes)]);
  return em.transactional(async (tx) => {
    const { clientNumber, userRef, integrationId, operatorId } = await findConnection(tx, connectionId, environment);
    const pinned = await pinNamedResources(tx, { named: input, lookupKeys, environment, userRef });
    const before = await lockLiveConnection(tx, { clientNumber, connectionId });
    const client = await sharingClient(tx, clientNumber);
    refuseUnlessSharable(client);
    const scopes = inSequence([...before.scopes, ...input.scopes]);
    refuseInvalid([
      ...consentErrors(input.scopes, client),
      ...unreadableErrors(
        input,
        scopes.filter((scope) => client.grantableScopes.includes(scope)),
      ),
    ]);
    const live = await sql<{ tracked_resource_id: string }>(tx, liveResourcesSql, [clientNumber, connectionId]);
    const added = pinned.filter(({ trackedResourceId }) => !live.some((share) => share.tracked_resource_id === trackedResourceId));
    refuseCount(live.length + added.length);
    const widened = scopes.length - before.scopes.length;
    if (added.length + widened === 0) return { connectionId, scopes, granted: [] };

    await sql(tx, 'update connection set profile_version = $3 where client_number = $1 and id = $2', [
      clientNumber,
      connectionId,
      client.profileVersion,
    ]);
    await changeConsent(tx, { clientNumber, connectionId, scopes, clientScopes: client.scopes, now });
    const granted = await grantResources(tx, { clientNumber, connectionId, scopes, resources: added, now });
    await record(tx, actor, now, {
      action: 'share.extended',
      subject: { type: 'connection', id: connectionId },
      operatorId,
      integrationId,
      details: { resources: added.length, scopes: scopes.join(' ') },
    });
    return { connectionId, scopes, granted };
  });
}

function refuseCount(count: number): void {
  const message = `A connection shares at most ${limits.resourcesPerShare} resources at a time.`;
  refuseInvalid(count <= limits.resourcesPerShare ? [] : [{ path: 'input.orders', message }]);
}
