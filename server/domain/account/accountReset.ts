import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../audit/record.ts';
import { notify } from '../notification/notify.ts';
import { outOfTime, resetDueSql } from '../notification/resetDue.ts';
import { DomainError, refuseInvalid } from '../shared/DomainError.ts';
import { sql } from '../shared/sql.ts';
import { lockNamedAccount } from './lockNamedAccount.ts';
import type { Operator } from './Operator.ts';
import type { Visitor } from './visitor.ts';
import { endAllCredentials } from './endAllCredentials.ts';

/** A reset that is neither cancelled nor done, nor out of time (docs/specification.md, “Lost accounts”). */
export type OpenReset = {
  readonly id: string;
  readonly operatorId: string;
  readonly requestedBy: string;
  readonly requestedAt: Date;
  readonly reason: string;
  readonly proof: string;
  readonly approvedBy: string | null;
  /** From when on its owner can use it; null until a second administrator has approved it. */
  readonly dueAt: Date | null;
};

/** `$2` is the moment before which a reset must have been due, or asked for in vain, to be out of time. By account_reset_open. */
const open = 'r.cancelled_at is null and r.done_at is null and (r.due_at > $2 or (r.due_at is null and r.requested_at > $2))';
const columns = `r.id, r.operator_id as "operatorId", r.requested_by as "requestedBy", r.requested_at as "requestedAt",
  r.reason, r.proof, r.approved_by as "approvedBy", r.due_at as "dueAt"`;

/** The open reset of an account, or null. */
export async function openReset(em: EntityManager, operatorId: string, now: Date): Promise<OpenReset | null> {
  const [row] = await sql<OpenReset>(em, `select ${columns} from account_reset r where r.operator_id = $1 and ${open}`, [
    operatorId,
    outOfTime(now),
  ]);
  return row ?? null;
}

/** An open reset by its ID, or null. */
export async function openResetById(em: EntityManager, id: string, now: Date): Promise<OpenReset | null> {
  const [row] = await sql<OpenReset>(em, `select ${columns} from account_reset r where r.id = $1 and ${open}`, [id, outOfTime(now)]);
  return row ?? null;
}

/**
 * The account of this address if a reset of it is due. Any account of the address is locked, and so before the link that is about to be used.
 * Errors, which leave the link unused: invalid_request (`input.resetsAccount`) if it would reset the account of a person who was not told so,
 * conflict if that person was, and there is no reset any more.
 */
export async function lockResetAccount(
  tx: EntityManager,
  email: string,
  { resetsAccount, now }: { resetsAccount: boolean; now: Date },
): Promise<Operator | null> {
  const owner = await lockNamedAccount(tx, { email });
  if (!owner) return null;
  const due = await isResetDue(tx, owner.emailKey, now);
  if (!due && resetsAccount) {
    throw new DomainError('conflict', {
      detail: 'The reset of this account was cancelled, or is over. Sign in with a passkey of the account, or use a recovery code.',
    });
  }
  if (!due) return null;
  if (!resetsAccount) {
    const message =
      'A reset of this account was approved, so this ends all its passkeys, recovery codes and sessions. Agree to that to go on.';
    refuseInvalid([{ path: 'input.resetsAccount', message }]);
  }
  return owner;
}

/** Whether the owner of this address gets a link although there is an account. */
export async function isResetDue(em: EntityManager, key: string, now: Date): Promise<boolean> {
  const found = await sql(em, `select 1 from operator o where o.email_key = $1 and ${resetDueSql}`, [key, now, outOfTime(now)]);
  return found.length > 0;
}

/**
 * Ends all passkeys, codes and sessions of an account whose owner uses a reset, in the transaction that opens the recovery session. The reset
 * stays open until there is a new passkey, so that it can be used again after 20 minutes in vain.
 */
export async function useReset(
  tx: EntityManager,
  { operatorId, linkId, visitor, now }: { operatorId: string; linkId: string; visitor: Visitor; now: Date },
): Promise<void> {
  const details = await endAllCredentials(tx, { operatorId, reason: 'account reset', now });
  await sql(tx, 'delete from recovery_code where operator_id = $1', [operatorId]);
  const actor = { type: 'anonymous', ip: visitor.ip, requestId: visitor.requestId } as const;
  await record(tx, actor, now, { action: 'account_reset.used', subject: { type: 'operator', id: operatorId }, operatorId, details });
  await notify(tx, { kind: 'account_reset_used', subjectId: `${linkId} ${now.toISOString()}`, operatorId, now });
}

/** Closes what is open once the account has a passkey again, by whatever way. */
export async function closeResets(tx: EntityManager, operatorId: string, now: Date): Promise<void> {
  await sql(tx, 'update account_reset set done_at = $2 where operator_id = $1 and cancelled_at is null and done_at is null', [
    operatorId,
    now,
  ]);
}

const newlyDueSql = `
select r.id, r.operator_id as "operatorId" from account_reset r join operator o on o.id = r.operator_id
 where r.cancelled_at is null and r.done_at is null and r.due_at <= $1 and r.due_at > $2 and o.locked_at is null order by r.due_at limit 1000`;

/** Tells owners, once, that they can use their reset now; those whose account is locked, once it no longer is. By account_reset_due. */
export async function announceResets(em: EntityManager, { now }: { now: Date }): Promise<void> {
  const due = await sql<{ id: string; operatorId: string }>(em, newlyDueSql, [now, outOfTime(now)]);
  for (const { id, operatorId } of due) {
    await em.transactional((tx) => notify(tx, { kind: 'account_reset_ready', subjectId: id, operatorId, now }));
  }
}
