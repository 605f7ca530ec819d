import { randomBytes } from 'node:crypto';
import { UniqueConstraintViolationException, type EntityManager } from '@mikro-orm/postgresql';
import { record } from '../audit/record.ts';
import { DomainError, refuseInvalid } from '../shared/DomainError.ts';
import { newId } from '../shared/ids.ts';
import type { AuthenticatedSession } from './authenticateSession.ts';
import { rememberChallenge, takeChallenge } from './challenges.ts';
import { emailKey } from './emailAddress.ts';
import { openSession } from './openSession.ts';
import { Operator } from './Operator.ts';
import { Passkey } from './Passkey.ts';
import { PortalSession } from './PortalSession.ts';
import { createRecoveryCodes } from './recoveryCodes.ts';
import type { Visitor } from './visitor.ts';
import {
  challengeOf,
  parseRegistrationResponse,
  registrationOptions,
  verifyRegistration,
  type NewCredential,
  type PublicKeyCredentialCreationOptionsJSON,
  type RelyingParty,
} from './webauthn.ts';

/** Options for the first passkey of an enrolment session. */
export async function beginPasskeyRegistration(
  em: EntityManager,
  { session, rp, now }: { session: AuthenticatedSession; rp: RelyingParty; now: Date },
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const userHandle = randomBytes(32);
  const options = await registrationOptions(rp, { email: session.email, userHandle, existing: [] });
  await rememberChallenge(em, { challenge: options.challenge, purpose: 'registration', sessionId: session.id, userHandle, now });
  return options;
}

export type FinishPasskeyRegistration = {
  session: AuthenticatedSession;
  response: unknown;
  name: string;
  visitor: Visitor;
  rp: RelyingParty;
  lookupKey: Buffer;
  now: Date;
};

/**
 * Verifies the new passkey and makes the operator, the recovery codes (returned here and never again) and a full session in place of
 * the enrolment session. Errors: invalid_request (name, response), conflict when the address or the passkey has an account by now.
 */
export async function finishPasskeyRegistration(
  em: EntityManager,
  { session, response, name, visitor, rp, lookupKey, now }: FinishPasskeyRegistration,
): Promise<{ session: PortalSession; recoveryCodes: string[] }> {
  const label = name.trim();
  if (label.length < 1 || label.length > 60 || /\p{Cc}/u.test(label)) {
    refuseInvalid([{ path: 'input.name', message: 'Name the passkey with 1 to 60 characters, without control characters.' }]);
  }
  const { credential, userHandle } = await verifyNewCredential(em, { session, response, rp, now });
  try {
    return await em.transactional(async (tx) => {
      await endEnrolment(tx, session.id, now);
      const operatorId = newId('opr');
      tx.persist(
        tx.create(Operator, {
          id: operatorId,
          email: session.email,
          emailKey: emailKey(session.email),
          userHandle,
          roles: [],
          createdAt: now,
          deletedAt: null,
        }),
      );
      tx.persist(tx.create(Passkey, { ...credential, operatorId, name: label, createdAt: now, lastUsedAt: now }));
      const recoveryCodes = createRecoveryCodes(tx, { operatorId, lookupKey, now });
      const full = openSession(tx, { kind: 'full', operatorId, email: session.email, visitor, now });
      const actor = { type: 'operator', operatorId, roles: [], ip: visitor.ip, requestId: visitor.requestId } as const;
      await record(tx, actor, now, { action: 'operator.registered', subject: { type: 'operator', id: operatorId } });
      return { session: full, recoveryCodes };
    });
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException)) throw error;
    throw new DomainError('conflict', { detail: 'This address or passkey already has an account. Sign in instead.' });
  }
}

async function verifyNewCredential(
  em: EntityManager,
  { session, response, rp, now }: Pick<FinishPasskeyRegistration, 'session' | 'response' | 'rp' | 'now'>,
): Promise<{ credential: NewCredential; userHandle: Buffer }> {
  const parsed = parseRegistrationResponse(response);
  const challenge = parsed && challengeOf(parsed);
  const taken = challenge ? await takeChallenge(em, { challenge, purpose: 'registration', sessionId: session.id, now }) : null;
  const credential = parsed && challenge && taken ? await verifyRegistration(rp, parsed, challenge) : null;
  if (!credential || !taken?.userHandle) {
    throw new DomainError('invalid_request', {
      fields: [
        { path: 'input.response', message: 'The passkey could not be verified. Start again; the attempt is good for five minutes.' },
      ],
    });
  }
  return { credential, userHandle: taken.userHandle };
}

/** Ends the enrolment session under its row lock, so that two answers to one enrolment cannot both become an account. */
async function endEnrolment(tx: EntityManager, sessionId: string, now: Date): Promise<void> {
  const ended = await tx.nativeUpdate(
    PortalSession,
    { id: sessionId, kind: 'enrolment', endedAt: null },
    { endedAt: now, endReason: 'passkey enrolled' },
  );
  if (ended === 0) throw new DomainError('conflict', { detail: 'This enrolment is already finished. Sign in instead.' });
}
