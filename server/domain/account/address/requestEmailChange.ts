import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import { notify } from '../../notification/notify.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { DomainError } from '../../shared/DomainError.ts';
import { newId } from '../../shared/ids.ts';
import type { KeySet } from '../../shared/keySet.ts';
import { accountLimits } from '../accountLimits.ts';
import { sql } from '../../shared/sql.ts';
import { mailboxAttempts, takeAttempt } from '../attempts.ts';
import { emailKey, emailRefusal, parseEmail } from '../emailAddress.ts';
import { lockCredentials } from '../lockCredentials.ts';
import type { Visitor } from '../visitor.ts';
import { tokenHash, verificationToken } from './linkToken.ts';

/** A change of address that waits for its confirmations. */
export type PendingEmailChange = {
  readonly newEmail: string;
  readonly currentConfirmed: boolean;
  readonly newConfirmed: boolean;
  readonly expiresAt: Date;
};

type Address = { readonly email: string; readonly key: string };

type RequestEmailChange = {
  readonly actor: OperatorActor;
  readonly sessionId: string;
  readonly newEmail: string;
  readonly visitor: Visitor;
  readonly linkKeys: KeySet;
  readonly now: Date;
};

/**
 * Sends a one-time link to the present address and one to the new address. The change is made when both are confirmed. It replaces an
 * earlier request that is still open, whose links become worthless. Nobody is told whether the new address has an account; the owner of
 * that account gets a mail that says so. Errors: invalid_request, rate_limit_exceeded, unauthenticated (the session has ended meanwhile).
 */
export async function requestEmailChange(
  em: EntityManager,
  { actor, sessionId, newEmail, visitor, linkKeys, now }: RequestEmailChange,
): Promise<PendingEmailChange> {
  const current = await currentAddress(em, actor.operatorId);
  const next = readNewAddress(newEmail, current);
  const expiresAt = new Date(now.getTime() + accountLimits.verificationLinkLifetime);
  await em.transactional(async (tx) => {
    await lockCredentials(tx, { operatorId: actor.operatorId, sessionId });
    // The present mailbox gets a link, too. It is counted by the account, because others could use up a mailbox's attempts.
    await takeAttempt(tx, { kind: 'email_change_operator', source: actor.operatorId }, now);
    for (const attempt of mailboxAttempts(next.key, visitor.source)) await takeAttempt(tx, attempt, now);
    await cancelOpenChange(tx, actor.operatorId, now);
    const id = newId('emc');
    await sql(
      tx,
      `insert into email_change (id, operator_id, new_email, new_email_key, requested_at, expires_at) values ($1, $2, $3, $4, $5, $6)`,
      [id, actor.operatorId, next.email, next.key, now, expiresAt],
    );
    for (const [purpose, { email, key }] of [
      ['email_change_current', current],
      ['email_change_new', next],
    ] as const) {
      const linkId = newId('lnk');
      await sql(
        tx,
        `insert into verification_link (id, purpose, token_hash, email, email_key, operator_id, ip, network, created_at, expires_at, email_change_id)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
        [
          linkId,
          purpose,
          tokenHash(verificationToken(linkKeys.current, linkId)),
          email,
          key,
          actor.operatorId,
          visitor.ip,
          visitor.source,
          now,
          expiresAt,
          id,
        ],
      );
      await notify(tx, { kind: purpose, subjectId: linkId, operatorId: actor.operatorId, now });
    }
    await record(tx, actor, now, { action: 'operator.email_change_requested', subject: { type: 'operator', id: actor.operatorId } });
  });
  return { newEmail: next.email, currentConfirmed: false, newConfirmed: false, expiresAt };
}

function readNewAddress(text: string, current: Address): Address {
  const email = parseEmail(text);
  const message = email === null ? emailRefusal(text) : 'This is already your current address. Enter the new one.';
  if (email === null || emailKey(email) === current.key)
    throw new DomainError('invalid_request', { fields: [{ path: 'input.newEmail', message }] });
  return { email, key: emailKey(email) };
}

/** Cancels a change that is not complete. Does nothing if there is none. Errors: unauthenticated (the session has ended meanwhile). */
export function cancelEmailChange(
  em: EntityManager,
  { actor, sessionId, now }: { actor: OperatorActor; sessionId: string; now: Date },
): Promise<void> {
  return em.transactional(async (tx) => {
    await lockCredentials(tx, { operatorId: actor.operatorId, sessionId });
    if (!(await cancelOpenChange(tx, actor.operatorId, now))) return;
    await record(tx, actor, now, { action: 'operator.email_change_cancelled', subject: { type: 'operator', id: actor.operatorId } });
  });
}

/** The operator's change that still waits for a confirmation, or null. Unique index email_change_open. */
export async function pendingEmailChange(em: EntityManager, operatorId: string, now: Date): Promise<PendingEmailChange | null> {
  const [row] = await sql<PendingEmailChange>(
    em,
    `select new_email as "newEmail", current_confirmed_at is not null as "currentConfirmed", new_confirmed_at is not null as "newConfirmed",
            expires_at as "expiresAt"
       from email_change where operator_id = $1 and completed_at is null and cancelled_at is null and expires_at > $2`,
    [operatorId, now],
  );
  return row ?? null;
}

/** Under the account's lock, so that only one of two requests stays open. */
async function cancelOpenChange(tx: EntityManager, operatorId: string, now: Date): Promise<boolean> {
  const cancelled = await sql(
    tx,
    'update email_change set cancelled_at = $2 where operator_id = $1 and completed_at is null and cancelled_at is null returning id',
    [operatorId, now],
  );
  return cancelled.length > 0;
}

async function currentAddress(em: EntityManager, operatorId: string): Promise<Address> {
  const [operator] = await sql<Address>(em, 'select email, email_key as key from operator where id = $1 and deleted_at is null', [
    operatorId,
  ]);
  if (!operator) throw new DomainError('unauthenticated', { detail: 'This account was deleted.' });
  return operator;
}
