import { locking, noteLock, takeLock } from '../../shared/locks.ts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { sql } from '../../shared/sql.ts';
import { lockCredentials } from '../lockCredentials.ts';

const lockPasskeysSql = locking('passkey', 'update', (clause) => `select 1 from passkey where operator_id = $1 order by id ${clause}`);

/**
 * Ends all of the actor's other sessions, and returns how many there were. It waits for a sign-in in progress and ends that session, too.
 * Errors: unauthenticated (this session has ended meanwhile).
 */
export function endOtherSessions(
  em: EntityManager,
  { actor, sessionId, now }: { actor: OperatorActor; sessionId: string; now: Date },
): Promise<number> {
  const { operatorId } = actor;
  return em.transactional(async (tx) => {
    await lockCredentials(tx, { operatorId, sessionId });
    // A sign-in holds its passkey until its session is stored.
    await takeLock(tx, lockPasskeysSql, [operatorId]);
    noteLock(tx, 'session');
    const ended = await sql(
      tx,
      `update portal_session set ended_at = $3, end_reason = 'ended by its operator'
        where operator_id = $1 and id <> $2 and ended_at is null and expires_at > $3 returning 1`,
      [operatorId, sessionId, now],
    );
    if (ended.length === 0) return 0;
    const subject = { type: 'operator', id: operatorId };
    await record(tx, actor, now, { action: 'session.others_ended', subject, details: { sessionsEnded: ended.length } });
    return ended.length;
  });
}
