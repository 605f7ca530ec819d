import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../audit/record.ts';
import { lockFeed } from '../feed/lockFeeds.ts';
import type { ServiceTokenActor } from '../shared/actor.ts';
import { DomainError, refuseInvalid } from '../shared/DomainError.ts';
import { userRef } from '../shared/lookupKeys.ts';
import { sql } from '../shared/sql.ts';
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

/** Index connection_user. */
const findConnectionsSql = `
select id, statistics_opted_in from connection where user_ref = $2 and client_no = $1 and revocation_id is null order by id`;

/**
 * Lets a user take part in one integration's statistics, or no longer, whatever else is shared with it (specification, “What the service
 * does”): it holds for all live connections of the two, from the next generation on. Errors: invalid_request, not_found when the user
 * shares nothing with the integration.
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
    // Connections change only under the feed's lock.
    await lockFeed(tx, client.no);
    const reference = userRef(lookupKey, actor.environment, user);
    const connections = await sql<{ id: string; statistics_opted_in: boolean }>(tx, findConnectionsSql, [client.no, reference]);
    if (connections.length === 0) throw new DomainError('not_found', { detail: 'This user shares nothing with this integration.' });
    const connectionIds = connections.map(({ id }) => id);
    await sql(tx, 'update connection set statistics_opted_in = $3 where client_no = $1 and id = any($2::text[])', [
      client.no,
      connectionIds,
      optedIn,
    ]);
    for (const { id, statistics_opted_in: before } of connections) {
      if (before === optedIn) continue;
      await record(tx, actor, now, {
        action: 'statistics_participation.set',
        subject: { type: 'connection', id },
        operatorId: client.operatorId,
        integrationId,
        details: { optedIn },
      });
    }
    return { connectionIds, statisticsOptedIn: optedIn };
  });
}
