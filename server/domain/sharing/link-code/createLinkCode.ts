import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import type { ServiceTokenActor } from '../../shared/actor.ts';
import { DomainError, refuseInvalid } from '../../shared/DomainError.ts';
import type { LookupKeys } from '../../shared/keySet.ts';
import { userRef } from '../../shared/lookupKeys.ts';
import { lockUser } from '../lockUser.ts';
import { pinNamedResources } from '../pinNamedResources.ts';
import { sharingClientOf } from '../sharingClient.ts';
import { issueLinkCode, type IssuedLinkCode } from './issueLinkCode.ts';
import {
  consentErrors,
  inSequence,
  keyErrors,
  participationErrors,
  refuseUnlessSharable,
  scopeNameErrors,
  unreadableErrors,
  userErrors,
} from '../sharingRules.ts';

type CreateLinkCode = {
  readonly actor: ServiceTokenActor;
  readonly lookupKeys: LookupKeys;
  readonly integrationId: string;
  /** The order-tracking service's reference to the user, and its keys for orders and vehicles. */
  readonly user: string;
  readonly orders: readonly string[];
  readonly vehicles: readonly string[];
  /** What the user has consented to. */
  readonly scopes: readonly string[];
  /** Whether the user takes part in this integration's statistics. */
  readonly statisticsOptedIn: boolean;
  readonly now: Date;
};

/**
 * Creates a link code that gives one integration exactly these orders of the user and these stock vehicles, under the scopes to which the
 * user has consented (docs/specification.md, “Sharing through tooling”). The environment is the token's. Errors: invalid_request by field,
 * not_found (integration), conflict (integration not active, or retired), production_data_disabled.
 */
export async function createLinkCode(em: EntityManager, input: CreateLinkCode): Promise<IssuedLinkCode> {
  const { actor, lookupKeys, integrationId, user, orders, vehicles, statisticsOptedIn, now } = input;
  const { environment } = actor;
  const empty = orders.length + vehicles.length === 0;
  refuseInvalid([
    ...userErrors(user),
    ...(empty ? [{ path: 'input.orders', message: 'Name at least one order or vehicle.' }] : []),
    ...keyErrors(input),
    ...scopeNameErrors(input.scopes),
    ...unreadableErrors(input, input.scopes),
  ]);
  const scopes = inSequence(input.scopes);
  return em.transactional(async (tx) => {
    const client = await sharingClientOf(tx, integrationId, environment);
    if (!client) throw new DomainError('not_found', { detail: 'There is no such integration.' });
    refuseUnlessSharable(client);
    refuseInvalid([...consentErrors(input.scopes, client), ...participationErrors('input.statisticsOptedIn', statisticsOptedIn, client)]);
    const reference = userRef(lookupKeys, environment, user);
    await lockUser(tx, reference, 'shared');
    const pinned = await pinNamedResources(tx, { named: input, lookupKeys, environment, userRef: reference });
    const issued = await issueLinkCode(tx, {
      client,
      userRef: reference,
      trackedResourceIds: pinned.map(({ trackedResourceId }) => trackedResourceId),
      scopes,
      statisticsOptedIn,
      profileVersion: client.profileVersion,
      lookupKeys,
      now,
    });
    await record(tx, actor, now, {
      action: 'link_code.created',
      subject: { type: 'link_code', id: issued.id },
      integrationId,
      details: { resources: pinned.length, scopes: scopes.join(' '), statisticsOptedIn },
    });
    return issued;
  });
}
