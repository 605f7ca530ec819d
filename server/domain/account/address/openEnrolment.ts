import type { EntityManager } from '@mikro-orm/postgresql';
import { noteLock } from '../../shared/locks.ts';
import { sql } from '../../shared/sql.ts';
import { useReset } from '../accountReset.ts';
import { giveBack, mailboxAttempts } from '../attempts.ts';
import type { Operator } from '../Operator.ts';
import type { AuthenticatedSession } from '../session/authenticateSession.ts';
import { endFormerSession } from '../session/endFormerSession.ts';
import { openSession } from '../session/openSession.ts';
import { PortalSession } from '../session/PortalSession.ts';
import type { Visitor } from '../visitor.ts';

/** A registration by whose address its account is found, before the link is locked. */
export type LinkName = { readonly id: string; readonly email: string };

/** A registration whose link or code has just been used up. */
export type ConfirmedLink = LinkName & {
  readonly emailKey: string;
  readonly network: string | null;
  readonly requested: Date;
  /** The enrolment that the other of the two has opened, on another device perhaps. */
  readonly sessionId: string | null;
};

/** The columns of a `ConfirmedLink`. */
export const confirmedLinkColumns = `id, email, email_key as "emailKey", network, created_at as requested,
  session_id as "sessionId"`;

/** The browser that has used it, and whether its owner has agreed to what that ends if the account is being reset. */
export type Confirming = {
  readonly resetsAccount: boolean;
  readonly former: AuthenticatedSession | null;
  readonly visitor: Visitor;
  readonly now: Date;
};

/**
 * Opens an enrolment session for the address (a recovery session for `owner`, whose account is being reset), in the transaction that has used
 * up the link or the code. It replaces this browser's session, and the enrolment that was opened by the other of the two: an enrolment moves to
 * the device on which somebody goes on, until there is a passkey.
 */
export async function openEnrolment(
  tx: EntityManager,
  link: ConfirmedLink,
  owner: Operator | null,
  { former, visitor, now }: Omit<Confirming, 'resetsAccount'>,
): Promise<PortalSession> {
  const { id, email, emailKey, network, requested, sessionId } = link;
  if (sessionId === null && network !== null) await giveBack(tx, mailboxAttempts(emailKey, network), requested);
  if (owner) await useReset(tx, { operatorId: owner.id, linkId: id, visitor, now });
  await endFormerSession(tx, { former, visitor, now });
  noteLock(tx, 'session');
  if (sessionId !== null) {
    await tx.nativeUpdate(
      PortalSession,
      { id: sessionId, kind: { $in: ['enrolment', 'recovery'] }, endedAt: null },
      { endedAt: now, endReason: 'moved to another device' },
    );
  }
  const session = owner
    ? openSession(tx, { kind: 'recovery', operatorId: owner.id, email: owner.email, visitor, now })
    : openSession(tx, { kind: 'enrolment', operatorId: null, email, visitor, now });
  await tx.flush();
  await sql(tx, 'update verification_link set session_id = $2 where id = $1', [id, session.id]);
  return session;
}

/**
 * Uses up what is left of all registrations of an address, in the transaction that gives it an account. By index verification_link_address.
 */
export async function closeRegistrations(tx: EntityManager, emailKey: string, now: Date): Promise<void> {
  noteLock(tx, 'verificationLink');
  await sql(
    tx,
    `update verification_link set consumed_at = coalesce(consumed_at, $2), code_used_at = coalesce(code_used_at, $2)
      where email_key = $1 and purpose = 'registration' and expires_at > $2`,
    [emailKey, now],
  );
}
