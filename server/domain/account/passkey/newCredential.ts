import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError, refuseInvalid } from '../../shared/DomainError.ts';
import type { KeySet } from '../../shared/keySet.ts';
import { flawOf, isBlank } from '../../shared/text/writtenText.ts';
import { Operator } from '../Operator.ts';
import type { AuthenticatedSession } from '../session/authenticateSession.ts';
import { type Ceremony, isOwnChallenge, makeChallenge, useChallenge } from './challenges.ts';
import { Passkey } from './Passkey.ts';
import { passkeyRefusals, type PasskeyRefusal } from './passkeyRefusals.ts';
import {
  challengeOf,
  parseRegistrationResponse,
  registrationOptions,
  verifyRegistration,
  type NewCredential,
  type PublicKeyCredentialCreationOptionsJSON,
  type RelyingParty,
} from './webauthn.ts';

export type NewCredentialCeremony = { session: AuthenticatedSession; rp: RelyingParty; challengeKeys: KeySet; now: Date };

/** Options for a new passkey of the session's account. They contain its user handle and the passkeys that it has. */
export async function newCredentialOptions(
  em: EntityManager,
  { session, rp, challengeKeys, now }: NewCredentialCeremony,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { operatorId } = session;
  const operator = operatorId === null ? null : await em.findOneOrFail(Operator, { id: operatorId });
  const existing = operatorId === null ? [] : await em.find(Passkey, { operatorId });
  const userHandle = operator?.userHandle ? Buffer.from(operator.userHandle) : newUserHandle(session);
  const challenge = makeChallenge(challengeKeys, ceremonyOf(session), now);
  return registrationOptions(rp, { challenge, email: session.email, userHandle, existing });
}

/**
 * The user handle of the account that an enrolment session creates. It is the same in each try, so that an authenticator replaces what an
 * unfinished one has left there, and names nobody, because the session's ID is random.
 */
export function newUserHandle({ id }: AuthenticatedSession): Buffer {
  return createHash('sha256').update('user-handle:').update(id).digest();
}

/** The new credential in a response to `newCredentialOptions`. Errors: invalid_request. */
export async function verifyNewCredential(
  em: EntityManager,
  { session, response, rp, challengeKeys, now }: NewCredentialCeremony & { response: unknown },
): Promise<NewCredential> {
  const parsed = parseRegistrationResponse(response);
  const challenge = parsed && challengeOf(parsed);
  if (!parsed || challenge === null) throw refusal('unreadable');
  const own = isOwnChallenge(challengeKeys, ceremonyOf(session), challenge, now);
  if (!own || !(await useChallenge(em, challenge))) throw refusal('outdated');
  const verdict = await verifyRegistration(rp, parsed, challenge);
  if (!verdict.accepted) throw refusal(verdict.reason);
  return verdict.credential;
}

function refusal(reason: PasskeyRefusal): DomainError {
  return new DomainError('invalid_request', { fields: [{ path: 'input.response', message: passkeyRefusals[reason] }] });
}

const ceremonyOf = ({ id }: AuthenticatedSession): Ceremony => ({ purpose: 'registration', holder: id });

/** The operator's name for a passkey, trimmed. Errors: invalid_request. */
export function passkeyName(name: string): string {
  const label = name.trim();
  if (isBlank(label) || [...label].length > 60 || flawOf(label, { lines: false }) !== null) {
    refuseInvalid([{ path: 'input.name', message: 'Use 1 to 60 characters that can be read, without control characters.' }]);
  }
  return label;
}
