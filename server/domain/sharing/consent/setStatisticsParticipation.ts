import type { EntityManager } from '@mikro-orm/postgresql';
import type { ServiceTokenActor } from '../../shared/actor.ts';
import { DomainError, refuseInvalid } from '../../shared/DomainError.ts';
import type { LookupKeys } from '../../shared/keySet.ts';
import { userRef } from '../../shared/lookupKeys.ts';
import { sql } from '../../shared/sql.ts';
import { lockUser } from '../lockUser.ts';
import { sharingClientOf } from '../sharingClient.ts';
import { participationErrors, userErrors } from '../sharingRules.ts';
import { changeParticipation } from './changeParticipation.ts';

type SetStatisticsParticipation = {
  readonly actor: ServiceTokenActor;
  readonly lookupKeys: LookupKeys;
  readonly integrationId: string;
  readonly user: string;
  readonly optedIn: boolean;
  readonly now: Date;
};

/** Index connection_user. */
const findConnectionsSql = `
select id from connection where user_ref = $2 and client_number = $1 and revocation_id is null order by id`;

/**
 * Lets a user take part in one integration's statistics, or no longer, whatever else they share with it (docs/specification.md, “Shares and
 * consent”). From the next generation on, it applies to all live connections of the two, and to those that the user's live link codes will
 * create. Errors: invalid_request, not_found if the user shares nothing with the integration and has no live link code for it.
 */
export async function setStatisticsParticipation(
  em: EntityManager,
  { actor, lookupKeys, integrationId, user, optedIn, now }: SetStatisticsParticipation,
): Promise<{ connectionIds: string[]; statisticsOptedIn: boolean }> {
  refuseInvalid(userErrors(user));
  return em.transactional(async (tx) => {
    const client = await sharingClientOf(tx, integrationId, actor.environment);
    if (!client) throw new DomainError('not_found', { detail: 'There is no such integration.' });
    refuseInvalid(participationErrors('input.optedIn', optedIn, client));
    const reference = userRef(lookupKeys, actor.environment, user);
    await lockUser(tx, reference, 'exclusive');
    const { liveLinkCodes } = await changeParticipation(tx, { actor, client, userRef: reference, optedIn, now });
    const connections = await sql<{ id: string }>(tx, findConnectionsSql, [client.number, reference]);
    if (connections.length + liveLinkCodes === 0) {
      throw new DomainError('not_found', { detail: 'This user does not share anything with this integration.' });
    }
    return { connectionIds: connections.map(({ id }) => id), statisticsOptedIn: optedIn };
  });
}
