import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from '../../shared/DomainError.ts';
import { noteLock } from '../../shared/locks.ts';
import { sql } from '../../shared/sql.ts';
import type { PortalSession } from '../session/PortalSession.ts';
import { isResetDue, lockResetAccount } from '../accountReset.ts';
import { type ConfirmedLink, confirmedLinkColumns, type Confirming, type LinkName, openEnrolment } from './openEnrolment.ts';
import { tokenHash } from './linkToken.ts';

const usable = `token_hash = $1 and purpose = 'registration' and consumed_at is null and expires_at > $2`;

/**
 * Uses up the one-time link and opens an enrolment session for its address, which replaces the browser's former session. The operator is
 * created with the first passkey. Errors: conflict if the address has an account by now, not_found if the link is unknown, used or older
 * than 20 minutes, and those of `lockResetAccount`.
 */
export async function confirmRegistration(
  em: EntityManager,
  { token, ...confirming }: Confirming & { token: string },
): Promise<PortalSession> {
  const hash = tokenHash(token);
  const session = await em.transactional(async (tx) => {
    const values = [hash, confirming.now];
    const [named] = await sql<LinkName>(tx, `select id, email from verification_link where ${usable}`, values);
    if (!named) return null;
    const owner = await lockResetAccount(tx, named.email, confirming);
    noteLock(tx, 'verificationLink');
    const use = `update verification_link set consumed_at = $2 where ${usable} returning ${confirmedLinkColumns}`;
    const [link] = await sql<ConfirmedLink>(tx, use, values);
    return link ? openEnrolment(tx, link, owner, confirming) : null;
  });
  if (session) return session;
  throw await usedUp(em, hash, confirming.now);
}

/** A person with the link has read the mail, and may learn what became of the address. */
async function usedUp(em: EntityManager, hash: Buffer, now: Date): Promise<DomainError> {
  const [registered] = await sql<{ emailKey: string }>(
    em,
    `select o.email_key as "emailKey" from verification_link l join operator o on o.email_key = l.email_key where l.token_hash = $1 and l.purpose = 'registration'`,
    [hash],
  );
  if (registered && !(await isResetDue(em, registered.emailKey, now))) {
    return new DomainError('conflict', { detail: 'This address has an account by now. Sign in with the passkey that you created for it.' });
  }
  return new DomainError('not_found', {
    detail:
      'This link has been used or is older than 20 minutes. If it was you who used it, continue where you did, or enter the code from the same email in the browser in which you registered.',
  });
}
