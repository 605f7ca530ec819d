import type { EntityManager } from '@mikro-orm/postgresql';
import { lockNamedAccount } from '../account/lockNamedAccount.ts';
import type { Operator } from '../account/Operator.ts';
import { type OpenReset, openReset, openResetById } from '../account/accountReset.ts';
import { record } from '../audit/record.ts';
import { notify } from '../notification/notify.ts';
import { notifyStaff } from '../notification/notifyStaff.ts';
import type { OperatorActor } from '../shared/actor.ts';
import { DomainError } from '../shared/DomainError.ts';
import { newId } from '../shared/ids.ts';
import { limits } from '../shared/limits.ts';
import { noteLock } from '../shared/locks.ts';
import { goodReason } from '../shared/reason.ts';
import { sql } from '../shared/sql.ts';
import { administers, refuseUnlessAdministrator } from './lastAdministrator.ts';

type RequestAccountReset = {
  readonly actor: OperatorActor;
  readonly operatorId: string;
  readonly reason: string;
  /** How the administrator has made sure that the owner asks. Only administrators read it. */
  readonly proof: string;
  readonly now: Date;
};

/**
 * Asks a second administrator to give an account back whose passkeys and codes are gone (docs/specification.md, “Lost accounts”). Its owner
 * and the other administrators are told. Errors: invalid_request (`input.reason`, `input.proof`), not_found, forbidden (one's own account), conflict (locked, or asked for
 * already).
 */
export function requestAccountReset(em: EntityManager, { actor, operatorId, reason, proof, now }: RequestAccountReset): Promise<void> {
  const words = goodReason(reason);
  const seen = goodReason(proof, 'proof');
  return em.transactional(async (tx) => {
    const operator = await accountToReset(tx, actor, operatorId);
    if (operator.lockedAt) throw new DomainError('conflict', { detail: 'This account is locked. Unlock it before it is reset.' });
    if (await openReset(tx, operatorId, now))
      throw new DomainError('conflict', { detail: 'A reset of this account is under way already.' });
    // One that nobody has used in time.
    await sql(tx, 'update account_reset set cancelled_at = $2 where operator_id = $1 and cancelled_at is null and done_at is null', [
      operatorId,
      now,
    ]);
    const id = newId('rst');
    await sql(
      tx,
      'insert into account_reset (id, operator_id, requested_by, requested_at, reason, proof) values ($1, $2, $3, $4, $5, $6)',
      [id, operatorId, actor.operatorId, now, words, seen],
    );
    await record(tx, actor, now, {
      action: 'account_reset.requested',
      subject: { type: 'operator', id: operatorId },
      operatorId,
      details: { reason: words },
    });
    await notify(tx, { kind: 'account_reset_requested', subjectId: id, operatorId, details: { reason: words }, now });
    const except = [actor.operatorId, operatorId];
    await notifyStaff(tx, {
      kind: 'account_reset_waiting',
      subjectId: id,
      integrationId: null,
      except,
      details: { operatorId, reason: words },
      now,
    });
  });
}

/**
 * Approves a reset that another administrator has asked for: 72 hours later, its owner can use it. Returns whose it is. Errors: not_found,
 * forbidden (one's own request or account, or both are administrators through one person), conflict (approved already, or the other is
 * no administrator any more).
 */
export function approveAccountReset(
  em: EntityManager,
  { actor, resetId, now }: { actor: OperatorActor; resetId: string; now: Date },
): Promise<string> {
  return em.transactional(async (tx) => {
    await refuseUnlessAdministrator(tx, actor);
    const reset = await lockedReset(tx, resetId, now);
    const { operatorId } = reset;
    if (operatorId === actor.operatorId) throw ownAccount();
    if (reset.requestedBy === actor.operatorId) {
      throw new DomainError('forbidden', { detail: 'You have asked for this reset. Another administrator has to approve it.' });
    }
    if (await haveOneOrigin(tx, actor.operatorId, reset.requestedBy)) {
      throw new DomainError('forbidden', {
        detail:
          'Both of you have the role administrator from one person, or one of you from the other, so you may be one person. An administrator whom that person has not appointed has to approve this reset; the terminal can appoint one.',
      });
    }
    if (reset.approvedBy !== null) throw new DomainError('conflict', { detail: 'This reset is approved already.' });
    if (!(await administers(tx, reset.requestedBy))) {
      throw new DomainError('conflict', {
        detail: 'The person who asked for this reset is no longer an administrator. Cancel it, and ask for another one.',
      });
    }
    const dueAt = new Date(now.getTime() + limits.accountResetWait);
    await sql(tx, 'update account_reset set approved_by = $2, approved_at = $3, due_at = $4 where id = $1', [
      resetId,
      actor.operatorId,
      now,
      dueAt,
    ]);
    const subject = { type: 'operator', id: operatorId };
    await record(tx, actor, now, { action: 'account_reset.approved', subject, operatorId, details: { dueAt: dueAt.toISOString() } });
    const details = { reason: reset.reason, dueAt: dueAt.toISOString() };
    await notify(tx, { kind: 'account_reset_approved', subjectId: resetId, operatorId, details, now });
    return operatorId;
  });
}

/**
 * Who gave each of the two the role, who gave it to those, and so on up to the terminal. Only the latest grant counts: an administrator of
 * another origin, or the terminal, can withdraw the role and grant it again. By audit_entry_operator_action.
 */
const oneOriginSql = `
with recursive line (whose, id) as (
  select who, who from unnest(array[$1::text, $2]) who
  union
  select line.whose, appointed.by from line cross join lateral (
    select case when e.actor_type = 'operator' then e.actor_id end as by from audit_entry e
     where e.operator_id = line.id and e.action = 'role.granted' and e.details ->> 'role' = 'administrator'
     order by e.occurred_at desc, e.id desc limit 1) appointed
   where appointed.by is not null)
select 1 from line one join line other on other.id = one.id where one.whose = $1 and other.whose = $2 limit 1`;

/** Whether one person may be both administrators: one of them has appointed the other, or both were appointed by one, however many steps away. */
async function haveOneOrigin(tx: EntityManager, one: string, other: string): Promise<boolean> {
  return (await sql(tx, oneOriginSql, [one, other])).length > 0;
}

type CancelReset = { readonly actor: OperatorActor; readonly resetId: string; readonly now: Date };

/** Cancels a reset of the actor's own account that is not done, from any sign-in. To others it does not exist. Errors: not_found. */
export function cancelAccountReset(em: EntityManager, { actor, resetId, now }: CancelReset): Promise<void> {
  return em.transactional(async (tx) => {
    const found = await openResetById(tx, resetId, now);
    if (found?.operatorId !== actor.operatorId) throw noReset();
    await cancel(tx, await lockedReset(tx, resetId, now), actor, now);
  });
}

/** Cancels any reset that is not done, for administrators. Returns whose it was. Errors: forbidden, not_found. */
export function cancelAnyAccountReset(em: EntityManager, { actor, resetId, now }: CancelReset): Promise<string> {
  return em.transactional(async (tx) => {
    await refuseUnlessAdministrator(tx, actor);
    const reset = await lockedReset(tx, resetId, now);
    await cancel(tx, reset, actor, now);
    return reset.operatorId;
  });
}

/** What the link of the reset has opened, but no recovery by a code of the owner's. By verification_link_address. */
const endOpenedSql = `
update portal_session set ended_at = $2, end_reason = 'account reset cancelled'
 where operator_id = $1 and kind = 'recovery' and ended_at is null
   and id in (select l.session_id from verification_link l join operator o on o.email_key = l.email_key where o.id = $1)`;

async function cancel(tx: EntityManager, { id, operatorId }: OpenReset, actor: OperatorActor, now: Date): Promise<void> {
  await sql(tx, 'update account_reset set cancelled_at = $2 where id = $1', [id, now]);
  noteLock(tx, 'session');
  await sql(tx, endOpenedSql, [operatorId, now]);
  await record(tx, actor, now, { action: 'account_reset.cancelled', subject: { type: 'operator', id: operatorId }, operatorId });
  await notify(tx, { kind: 'account_reset_cancelled', subjectId: id, operatorId, now });
}

/** The open reset, under its account's lock. */
async function lockedReset(tx: EntityManager, resetId: string, now: Date): Promise<OpenReset> {
  const found = await openResetById(tx, resetId, now);
  if (found) await lockNamedAccount(tx, { operatorId: found.operatorId });
  // Another request may have cancelled it while we waited.
  const locked = found && (await openResetById(tx, resetId, now));
  if (!locked) throw noReset();
  return locked;
}

function noReset(): DomainError {
  return new DomainError('not_found', { detail: 'There is no such reset, or it is over.' });
}

async function accountToReset(tx: EntityManager, actor: OperatorActor, operatorId: string): Promise<Operator> {
  await refuseUnlessAdministrator(tx, actor);
  if (actor.operatorId === operatorId) throw ownAccount();
  const operator = await lockNamedAccount(tx, { operatorId });
  if (!operator) throw new DomainError('not_found', { detail: 'There is no such operator.' });
  return operator;
}

function ownAccount(): DomainError {
  return new DomainError('forbidden', { detail: 'This account is yours. Two other administrators have to reset it.' });
}
