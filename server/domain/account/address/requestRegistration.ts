import type { EntityManager } from '@mikro-orm/postgresql';
import { notify } from '../../notification/notify.ts';
import { refuseInvalid } from '../../shared/DomainError.ts';
import type { KeySet } from '../../shared/keySet.ts';
import { newId } from '../../shared/ids.ts';
import { accountLimits } from '../accountLimits.ts';
import { mailboxAttempts, takeAttempt } from '../attempts.ts';
import { emailKey, emailRefusal, parseEmail } from '../emailAddress.ts';
import type { Visitor } from '../visitor.ts';
import { tokenHash, verificationToken } from './linkToken.ts';
import { browserHash } from './registrationCode.ts';
import { VerificationLink } from './VerificationLink.ts';

type RequestRegistration = {
  readonly email: string;
  /** The secret of the browser, in which the code in the mail will work. */
  readonly browser: string;
  readonly visitor: Visitor;
  readonly linkKeys: KeySet;
  readonly now: Date;
};

/**
 * Sends a one-time link and a code to the address (docs/specification.md, “Registration”). Known and unknown addresses are processed in exactly the
 * same way; the worker decides later which mail to send. Errors: invalid_request, rate_limit_exceeded.
 */
export async function requestRegistration(
  em: EntityManager,
  { email, browser, visitor, linkKeys, now }: RequestRegistration,
): Promise<void> {
  const address = parseEmail(email);
  if (address === null) {
    return refuseInvalid([{ path: 'input.email', message: emailRefusal(email) }]);
  }
  await em.transactional(async (tx) => {
    for (const attempt of mailboxAttempts(emailKey(address), visitor.source)) await takeAttempt(tx, attempt, now);
    const id = newId('lnk');
    tx.persist(
      tx.create(VerificationLink, {
        id,
        purpose: 'registration',
        tokenHash: tokenHash(verificationToken(linkKeys.current, id)),
        email: address,
        emailKey: emailKey(address),
        operatorId: null,
        ip: visitor.ip,
        network: visitor.source,
        createdAt: now,
        expiresAt: new Date(now.getTime() + accountLimits.verificationLinkLifetime),
        consumedAt: null,
        browserHash: browserHash(browser),
      }),
    );
    await tx.flush();
    await notify(tx, { kind: 'registration', subjectId: id, operatorId: null, now });
  });
}
