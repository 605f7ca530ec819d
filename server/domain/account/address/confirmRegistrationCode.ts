import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError, refuseInvalid } from '../../shared/DomainError.ts';
import type { KeySet } from '../../shared/keySet.ts';
import { accountLimits } from '../accountLimits.ts';
import { noteLock } from '../../shared/locks.ts';
import { sql } from '../../shared/sql.ts';
import { lockResetAccount } from '../accountReset.ts';
import type { PortalSession } from '../session/PortalSession.ts';
import { hasCodeForm } from '../typedCode.ts';
import { type ConfirmedLink, confirmedLinkColumns, type Confirming, type LinkName, openEnrolment } from './openEnrolment.ts';
import { browserHash, isRegistrationCode, registrationCodeLength } from './registrationCode.ts';

type ConfirmRegistrationCode = Confirming & {
  readonly code: string;
  /** The secret of the browser, if it has one. */
  readonly browser: string | null;
  readonly linkKeys: KeySet;
};

/** The registrations that this browser waits for. There are few. By index verification_link_browser. */
const waiting = `browser_hash = $1 and purpose = 'registration' and code_used_at is null and expires_at > $2 and code_tries < ${accountLimits.registrationCodeTries}`;

/** Counts a try for each of them. */
const tryCodeSql = `update verification_link set code_tries = code_tries + 1 where ${waiting} returning ${confirmedLinkColumns}`;

/**
 * Uses up the code from the mail of a registration, in the browser that asked for it, and opens an enrolment session as its link does. For
 * mail programs and gateways that rewrite links, and for mail that is read on another device. Five wrong codes end it; the link still works.
 * Errors: invalid_request, not_found (a wrong code, another browser, used, or older than 20 minutes), and those of `lockResetAccount`.
 */
export async function confirmRegistrationCode(
  em: EntityManager,
  { code, browser, linkKeys, resetsAccount, former, visitor, now }: ConfirmRegistrationCode,
): Promise<PortalSession> {
  if (!hasCodeForm(code, registrationCodeLength)) {
    refuseInvalid([{ path: 'input.code', message: 'The code in the email has 8 letters and digits, such as 0a1b-2c3d.' }]);
  }
  const session =
    browser === null
      ? null
      : await em.transactional(async (tx) => {
          const values = [browserHash(browser), now];
          const fits = ({ id }: LinkName) => isRegistrationCode(linkKeys, id, code);
          const named = (await sql<LinkName>(tx, `select id, email from verification_link where ${waiting}`, values)).find(fits);
          const owner = named ? await lockResetAccount(tx, named.email, { resetsAccount, now }) : null;
          noteLock(tx, 'verificationLink');
          const link = (await sql<ConfirmedLink>(tx, tryCodeSql, values)).find(fits);
          if (!link) return null;
          await sql(tx, 'update verification_link set code_used_at = $2 where id = $1', [link.id, now]);
          return openEnrolment(tx, link, owner, { former, visitor, now });
        });
  if (session) return session;
  throw new DomainError('not_found', {
    detail: `This code is not valid. Only the code in the newest email works: once, in the browser in which you asked for it, for 20 minutes and ${accountLimits.registrationCodeTries} tries. Check it, use the link in the email, or register again.`,
  });
}
