import { noteLock } from '../shared/locks.ts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { lockNamedAccount, type NamedAccount } from '../account/lockNamedAccount.ts';
import type { Operator } from '../account/Operator.ts';
import { record } from '../audit/record.ts';
import { notify } from '../notification/notify.ts';
import { releaseTaken } from '../review/reviewer/releaseTaken.ts';
import type { Actor } from '../shared/actor.ts';
import { DomainError } from '../shared/DomainError.ts';
import { goodReason } from '../shared/reason.ts';
import { sql } from '../shared/sql.ts';
import { refuseUnlessAdministrator } from './lastAdministrator.ts';

/** Whose account, and why. */
type AccountLock = NamedAccount & {
  readonly actor: Actor;
  readonly reason: string;
  readonly now: Date;
};

/**
 * Locks an account (docs/specification.md, “Administration”): its sessions end, and neither a passkey nor a recovery code opens another one
 * until it is unlocked. Submissions that a reviewer had taken are left to the others. Machine traffic of its integrations continues, and so
 * do deletion deadlines. An account that is already locked stays as it is. Errors: invalid_request (`input.reason`), not_found, forbidden
 * (one's own account, or no longer an administrator).
 */
export function lockAccount(em: EntityManager, { actor, reason, now, ...whose }: AccountLock): Promise<'changed' | 'unchanged'> {
  const words = goodReason(reason);
  return em.transactional(async (tx) => {
    const operator = await accountToLock(tx, actor, whose);
    if (operator.lockedAt) return 'unchanged';
    const operatorId = operator.id;
    tx.assign(operator, { lockedAt: now, lockReason: words });
    await tx.flush();
    noteLock(tx, 'session');
    const ended = await sql(
      tx,
      `update portal_session set ended_at = $2, end_reason = 'account locked' where operator_id = $1 and ended_at is null returning 1`,
      [operatorId, now],
    );
    // Its links need no session.
    await sql(tx, 'update email_change set cancelled_at = $2 where operator_id = $1 and completed_at is null and cancelled_at is null', [
      operatorId,
      now,
    ]);
    const details = { reason: words, sessionsEnded: ended.length };
    await record(tx, actor, now, { action: 'operator.locked', subject: { type: 'operator', id: operatorId }, operatorId, details });
    await releaseTaken(tx, { reviewerId: operatorId, actor, because: 'account locked', now });
    await notify(tx, {
      kind: 'account_locked',
      subjectId: `${operatorId} ${now.toISOString()}`,
      operatorId,
      details: { reason: words },
      now,
    });
    return 'changed';
  });
}

/** Unlocks an account: its passkeys and recovery codes work again. Errors: as those of `lockAccount`. */
export function unlockAccount(em: EntityManager, { actor, reason, now, ...whose }: AccountLock): Promise<'changed' | 'unchanged'> {
  const words = goodReason(reason);
  return em.transactional(async (tx) => {
    const operator = await accountToLock(tx, actor, whose);
    if (!operator.lockedAt) return 'unchanged';
    const operatorId = operator.id;
    tx.assign(operator, { lockedAt: null, lockReason: null });
    await tx.flush();
    const subject = { type: 'operator', id: operatorId };
    await record(tx, actor, now, { action: 'operator.unlocked', subject, operatorId, details: { reason: words } });
    await notify(tx, {
      kind: 'account_unlocked',
      subjectId: `${operatorId} ${now.toISOString()}`,
      operatorId,
      details: { reason: words },
      now,
    });
    return 'changed';
  });
}

/**
 * The account's row, locked. A sign-in waits for it. Administrators wait for each other: one who was locked a moment ago can no longer lock
 * anybody, so there is always one left.
 */
async function accountToLock(tx: EntityManager, actor: Actor, whose: NamedAccount): Promise<Operator> {
  await refuseUnlessAdministrator(tx, actor);
  if (actor.type === 'operator' && 'operatorId' in whose && whose.operatorId === actor.operatorId) {
    throw new DomainError('forbidden', {
      detail: 'You cannot lock your own account. Ask another administrator, or use the server’s terminal.',
    });
  }
  const operator = await lockNamedAccount(tx, whose);
  if (!operator) {
    throw new DomainError('not_found', {
      detail: 'operatorId' in whose ? 'There is no such operator.' : 'No account has this address.',
    });
  }
  return operator;
}
