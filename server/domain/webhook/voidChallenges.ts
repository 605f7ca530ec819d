import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../shared/sql.ts';
import { challengeLifecycle } from './challengeStatus.ts';

/** Index webhook_challenge_latest. */
const voidSql = `
update webhook_challenge set ${challengeLifecycle.sets('failChallenge', { finishedAt: '$2', failure: '$3' })}
 where endpoint_number = $1 and ${challengeLifecycle.mayStart('failChallenge')}`;

/**
 * Ends what is under way, whatever the server is about to answer, because a new place needs a proof of its own, even if the URL is the same
 * again. Call it in the transaction that moves the endpoint, under its lock.
 */
export async function voidChallenges(
  tx: EntityManager,
  endpointNumber: number,
  reason: 'url_changed' | 'environment_changed',
  now: Date,
): Promise<void> {
  await sql(tx, voidSql, [endpointNumber, now, reason]);
}
