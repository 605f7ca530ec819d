import type { EntityManager } from '@mikro-orm/postgresql';
import { noteLock } from '../shared/locks.ts';
import { sql } from '../shared/sql.ts';

/** How much ended, for the audit trail. */
type EndedCredentials = { readonly passkeysRemoved: number; readonly sessionsEnded: number };

/**
 * Removes all passkeys and ends all sessions of an account, under its lock. Passkeys first: a sign-in in progress holds its passkey until its
 * session is stored, and that session then ends with the others.
 */
export async function endAllCredentials(
  tx: EntityManager,
  { operatorId, reason, now }: { operatorId: string; reason: string; now: Date },
): Promise<EndedCredentials> {
  noteLock(tx, 'passkey');
  const passkeys = await sql(tx, 'delete from passkey where operator_id = $1 returning 1', [operatorId]);
  noteLock(tx, 'session');
  const sessions = await sql(
    tx,
    'update portal_session set ended_at = $2, end_reason = $3 where operator_id = $1 and ended_at is null returning 1',
    [operatorId, now, reason],
  );
  // Perhaps it was not the owner who requested another address.
  await sql(tx, 'update email_change set cancelled_at = $2 where operator_id = $1 and completed_at is null and cancelled_at is null', [
    operatorId,
    now,
  ]);
  return { passkeysRemoved: passkeys.length, sessionsEnded: sessions.length };
}
