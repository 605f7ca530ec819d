import { noteLock } from '../../shared/locks.ts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import { accountLimits } from '../accountLimits.ts';
import { sql } from '../../shared/sql.ts';
import type { Visitor } from '../visitor.ts';
import type { AuthenticatedSession } from './authenticateSession.ts';

/**
 * Ends this browser's former session, of any kind and account, in the transaction that gives it another one. Its cookie is replaced, so its
 * owner could not end it from there, but somebody with a copy of the cookie could go on using it.
 */
export async function endFormerSession(
  tx: EntityManager,
  { former, visitor, now }: { former: AuthenticatedSession | null; visitor: Visitor; now: Date },
): Promise<void> {
  if (!former) return;
  noteLock(tx, 'session');
  const ended = await sql(
    tx,
    `update portal_session set ended_at = $2, end_reason = 'signed in again' where id = $1 and ended_at is null returning 1`,
    [former.id, now],
  );
  if (ended.length === 0 || former.operatorId === null) return;
  const { operatorId, roles } = former;
  const actor = { type: 'operator', operatorId, roles, ip: visitor.ip, requestId: visitor.requestId } as const;
  await record(tx, actor, now, { action: 'session.replaced', subject: { type: 'session', id: former.id } });
}

/** By index portal_session_operator. The oldest sessions end, so that nobody is kept from signing in by sessions that nobody uses. */
const endOldestSql = `
update portal_session set ended_at = $2, end_reason = 'too many sessions'
 where id in (select id from portal_session where operator_id = $1 and ended_at is null and expires_at > $2 and last_used_at > $3
               order by created_at desc, id desc offset ${accountLimits.sessionsPerOperator - 1})
returning 1`;

/** Makes room for one more session of the account, and returns how many it has ended. Under the account's lock. */
export async function endOldestSessions(tx: EntityManager, operatorId: string, now: Date): Promise<number> {
  const idleSince = new Date(now.getTime() - accountLimits.sessionIdle);
  return (await sql(tx, endOldestSql, [operatorId, now, idleSince])).length;
}
