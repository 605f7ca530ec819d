import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../audit/record.ts';
import { lockFeed } from '../feed/lockFeeds.ts';
import type { ServiceTokenActor } from '../shared/actor.ts';
import { DomainError, refuseInvalid } from '../shared/DomainError.ts';
import { userRef } from '../shared/lookupKeys.ts';
import { sql } from '../shared/sql.ts';
import { lockUser } from './lockUser.ts';
import { sharingClientOf } from './sharingClient.ts';
import { participationErrors, userErrors } from './sharingRules.ts';

type SetStatisticsParticipation = {
  readonly actor: ServiceTokenActor;
  readonly lookupKey: Buffer;
  readonly integrationId: string;
  readonly user: string;
  readonly optedIn: boolean;
  readonly now: Date;
};

type Choice = { readonly id: string; readonly before: boolean };

/** Index link_code_user. Waits for redemptions under way: what they take is a connection afterwards. */
const lockLiveLinkCodesSql = `
select id, statistics_opted_in as before from link_code
 where environment = $2 and user_ref = $3 and client_no = $1 and redeemed_at is null and cancelled_at is null and expires_at > $4::timestamptz
 order by id for no key update`;

/** Index connection_user. */
const findConnectionsSql = `
select id, statistics_opted_in as before from connection where user_ref = $2 and client_no = $1 and revocation_id is null order by id`;

/**
 * Lets a user take part in one integration's statistics, or no longer, whatever else is shared with it (specification, “What the service
 * does”): it holds for all live connections of the two, from the next generation on, and for those that the user's live link codes
 * will make. Errors: invalid_request, not_found when the user shares nothing with the integration and has no live link code for it.
 */
export async function setStatisticsParticipation(
  em: EntityManager,
  { actor, lookupKey, integrationId, user, optedIn, now }: SetStatisticsParticipation,
): Promise<{ connectionIds: string[]; statisticsOptedIn: boolean }> {
  refuseInvalid(userErrors(user));
  return em.transactional(async (tx) => {
    const client = await sharingClientOf(tx, integrationId, actor.environment);
    if (!client) throw new DomainError('not_found', { detail: 'There is no such integration.' });
    refuseInvalid(participationErrors('input.optedIn', optedIn, client));
    const reference = userRef(lookupKey, actor.environment, user);
    await lockUser(tx, reference, 'exclusive');
    const linkCodes = await sql<Choice>(tx, lockLiveLinkCodesSql, [client.no, actor.environment, reference, now]);
    // Connections change only under the feed's lock.
    await lockFeed(tx, client.no);
    const connections = await sql<Choice>(tx, findConnectionsSql, [client.no, reference]);
    if (connections.length + linkCodes.length === 0) {
      throw new DomainError('not_found', { detail: 'This user shares nothing with this integration.' });
    }
    const connectionIds = connections.map(({ id }) => id);
    const changed = 'set statistics_opted_in = $2 where statistics_opted_in <> $2 and id = any($1::text[])';
    await sql(tx, `update link_code ${changed}`, [linkCodes.map(({ id }) => id), optedIn]);
    await sql(tx, `update connection ${changed} and client_no = $3`, [connectionIds, optedIn, client.no]);
    const subjects = [
      ...linkCodes.map((linkCode) => ({ ...linkCode, type: 'link_code' })),
      ...connections.map((connection) => ({ ...connection, type: 'connection' })),
    ];
    for (const { type, id, before } of subjects) {
      if (before === optedIn) continue;
      await record(tx, actor, now, {
        action: 'statistics_participation.set',
        subject: { type, id },
        operatorId: client.operatorId,
        integrationId,
        details: { optedIn },
      });
    }
    return { connectionIds, statisticsOptedIn: optedIn };
  });
}
