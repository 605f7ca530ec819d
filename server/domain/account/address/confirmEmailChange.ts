import { locking, noteLock, takeLock } from '../../shared/locks.ts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import { notify } from '../../notification/notify.ts';
import { DomainError } from '../../shared/DomainError.ts';
import { sql } from '../../shared/sql.ts';
import { violates } from '../../shared/uniqueViolation.ts';
import { giveBack, mailboxAttempts, type Attempt } from '../attempts.ts';
import { Operator } from '../Operator.ts';
import type { Visitor } from '../visitor.ts';
import { tokenHash } from './linkToken.ts';

/** Which of the two addresses was confirmed, and whether the change is now complete. */
export type EmailChangeConfirmation = { readonly confirmed: 'current' | 'new'; readonly completed: boolean };

type Link = {
  readonly id: string;
  readonly purpose: 'email_change_current' | 'email_change_new';
  readonly changeId: string;
  readonly network: string | null;
  readonly requested: Date;
};
type Change = {
  readonly operatorId: string;
  readonly newEmail: string;
  readonly newKey: string;
  readonly currentConfirmed: boolean;
  readonly newConfirmed: boolean;
};

/**
 * Uses up one of the two links of a change of address. The second one completes the change: the account has its new address, all sessions
 * end, and both addresses are notified. No session is needed, because the link is the proof. If the new address has got an account since,
 * the link is refused exactly like an expired one and the change is cancelled. Errors: not_found.
 */
export async function confirmEmailChange(
  em: EntityManager,
  { token, visitor, now }: { token: string; visitor: Visitor; now: Date },
): Promise<EmailChangeConfirmation> {
  try {
    const confirmation = await em.transactional((tx) => confirm(tx, tokenHash(token), visitor, now));
    if (confirmation) return confirmation;
  } catch (error) {
    // The address got an account at this very moment.
    if (!violates(error, 'operator_email_key_key')) throw error;
  }
  throw new DomainError('not_found', {
    detail: 'This link has been used or replaced, or is older than 20 minutes. Request the change again on the account page.',
  });
}

async function confirm(tx: EntityManager, hash: Buffer, visitor: Visitor, now: Date): Promise<EmailChangeConfirmation | null> {
  const [link] = await sql<Link>(
    tx,
    `select id, purpose, email_change_id as "changeId", network, created_at as requested
       from verification_link
      where token_hash = $1 and purpose in ('email_change_current', 'email_change_new') and consumed_at is null and expires_at > $2`,
    [hash, now],
  );
  const change = link && (await lockChange(tx, link.changeId, now));
  if (!link || !change) return null;
  noteLock(tx, 'verificationLink');
  const used = await sql(tx, 'update verification_link set consumed_at = $2 where id = $1 and consumed_at is null returning id', [
    link.id,
    now,
  ]);
  if (used.length === 0) return null;
  const confirmed = link.purpose === 'email_change_current' ? 'current' : 'new';
  const completed = confirmed === 'current' ? change.newConfirmed : change.currentConfirmed;
  // Only someone who has shown that the new mailbox is theirs may learn that it has an account.
  if ((confirmed === 'new' || completed) && (await isTaken(tx, change.newKey))) {
    await sql(tx, 'update email_change set cancelled_at = $2 where id = $1', [link.changeId, now]);
    return null;
  }
  await giveBack(tx, attemptsOf(link, change), link.requested);
  await sql(
    tx,
    `update email_change set current_confirmed_at = case when $2 = 'current' then $3 else current_confirmed_at end,
            new_confirmed_at = case when $2 = 'new' then $3 else new_confirmed_at end, completed_at = case when $4 then $3 end
      where id = $1`,
    [link.changeId, confirmed, now, completed],
  );
  const subject = { type: 'operator', id: change.operatorId };
  const actor = { type: 'anonymous', ip: visitor.ip, requestId: visitor.requestId } as const;
  const { operatorId } = change;
  await record(tx, actor, now, { action: 'operator.email_change_confirmed', subject, operatorId, details: { by: confirmed } });
  if (completed) {
    await changeAddress(tx, link.changeId, change, now);
    await record(tx, actor, now, { action: 'operator.email_changed', subject, operatorId });
  }
  return { confirmed, completed };
}

/** The attempts that the request has used for this link. */
function attemptsOf({ purpose, network }: Link, { operatorId, newKey }: Change): Attempt[] {
  if (purpose === 'email_change_current') return [{ kind: 'email_change_operator', source: operatorId }];
  return network === null ? [] : mailboxAttempts(newKey, network);
}

const lockChangeSql = locking(
  'operator',
  'no key update of o, c',
  (clause) =>
    `select c.operator_id as "operatorId", c.new_email as "newEmail", c.new_email_key as "newKey",
            c.current_confirmed_at is not null as "currentConfirmed", c.new_confirmed_at is not null as "newConfirmed"
       from email_change c join operator o on o.id = c.operator_id
      where c.id = $1 and c.completed_at is null and c.cancelled_at is null and c.expires_at > $2 and o.deleted_at is null
        ${clause}`,
);

/** Both confirmations of one change wait for each other here. */
async function lockChange(tx: EntityManager, changeId: string, now: Date): Promise<Change | undefined> {
  const [change] = await takeLock<Change>(tx, lockChangeSql, [changeId, now]);
  return change;
}
async function isTaken(tx: EntityManager, key: string): Promise<boolean> {
  return (await sql(tx, 'select 1 from operator where email_key = $1', [key])).length > 0;
}

async function changeAddress(tx: EntityManager, changeId: string, { operatorId, newEmail, newKey }: Change, now: Date): Promise<void> {
  noteLock(tx, 'session');
  await sql(tx, `update portal_session set ended_at = $2, end_reason = 'address changed' where operator_id = $1 and ended_at is null`, [
    operatorId,
    now,
  ]);
  // After the sessions, because a transaction that ends one of them may still have a mail to store that names the account. Through the ORM, which
  // gives the error that is caught above its name.
  await tx.nativeUpdate(Operator, { id: operatorId }, { email: newEmail, emailKey: newKey });
  const links = await sql<{ id: string }>(tx, 'select id from verification_link where email_change_id = $1', [changeId]);
  for (const { id } of links) await notify(tx, { kind: 'email_changed', subjectId: id, operatorId, now });
}
