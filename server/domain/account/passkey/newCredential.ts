import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError, refuseInvalid } from '../../shared/DomainError.ts';
import { hasControls, isBlank } from '../../shared/text/writtenText.ts';
import { Operator } from '../Operator.ts';
import type { AuthenticatedSession } from '../session/authenticateSession.ts';
import { rememberChallenge, takeChallenge } from './challenges.ts';
import { Passkey } from './Passkey.ts';
import {
  challengeOf,
  parseRegistrationResponse,
  registrationOptions,
  verifyRegistration,
  type NewCredential,
  type PublicKeyCredentialCreationOptionsJSON,
  type RelyingParty,
} from './webauthn.ts';

type Ceremony = { session: AuthenticatedSession; rp: RelyingParty; now: Date };

/**
 * Options for a new passkey of the session's account. They contain its user handle and the passkeys that it has. A new address gets a
 * random handle.
 */
export async function newCredentialOptions(
  em: EntityManager,
  { session, rp, now }: Ceremony,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { operatorId } = session;
  const operator = operatorId === null ? null : await em.findOneOrFail(Operator, { id: operatorId });
  const existing = operatorId === null ? [] : await em.find(Passkey, { operatorId });
  const userHandle = operator?.userHandle ? Buffer.from(operator.userHandle) : randomBytes(32);
  const options = await registrationOptions(rp, { email: session.email, userHandle, existing });
  await rememberChallenge(em, { challenge: options.challenge, purpose: 'registration', sessionId: session.id, userHandle, now });
  return options;
}

/** The new credential in a response to `newCredentialOptions`, with the user handle for which it was created. Errors: invalid_request. */
export async function verifyNewCredential(
  em: EntityManager,
  { session, response, rp, now }: Ceremony & { response: unknown },
): Promise<{ credential: NewCredential; userHandle: Buffer }> {
  const parsed = parseRegistrationResponse(response);
  const challenge = parsed && challengeOf(parsed);
  const taken = challenge ? await takeChallenge(em, { challenge, purpose: 'registration', sessionId: session.id, now }) : null;
  const credential = parsed && challenge && taken ? await verifyRegistration(rp, parsed, challenge) : null;
  if (!credential || !taken?.userHandle) {
    throw new DomainError('invalid_request', {
      fields: [{ path: 'input.response', message: 'The passkey could not be verified. Start again; you have five minutes.' }],
    });
  }
  return { credential, userHandle: taken.userHandle };
}

/** The operator's name for a passkey, trimmed. Errors: invalid_request. */
export function passkeyName(name: string): string {
  const label = name.trim();
  if (isBlank(label) || [...label].length > 60 || hasControls(label, { lines: false })) {
    refuseInvalid([{ path: 'input.name', message: 'Use 1 to 60 characters without control characters.' }]);
  }
  return label;
}
