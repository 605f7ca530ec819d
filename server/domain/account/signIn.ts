import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../audit/record.ts';
import type { Role } from '../shared/actor.ts';
import { DomainError } from '../shared/DomainError.ts';
import { limits } from '../shared/limits.ts';
import type { AuthenticatedSession } from './authenticateSession.ts';
import { rememberChallenge, takeChallenge, type ChallengePurpose } from './challenges.ts';
import { openSession } from './openSession.ts';
import { Operator } from './Operator.ts';
import { Passkey } from './Passkey.ts';
import { PortalSession } from './PortalSession.ts';
import type { Visitor } from './visitor.ts';
import {
  authenticationOptions,
  challengeOf,
  parseAuthenticationResponse,
  verifyAssertion,
  type PublicKeyCredentialRequestOptionsJSON,
  type RelyingParty,
} from './webauthn.ts';

type Ceremony = { rp: RelyingParty; now: Date };
type Assertion = Ceremony & { response: unknown; purpose: ChallengePurpose; sessionId: string | null };

/** Options for signing in with any discoverable passkey; no address is asked for. */
export async function beginSignIn(em: EntityManager, { rp, now }: Ceremony): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const options = await authenticationOptions(rp);
  await rememberChallenge(em, { challenge: options.challenge, purpose: 'sign_in', sessionId: null, now });
  return options;
}

/** Opens a full session for the owner of the passkey. Errors: unauthenticated. Signing in is not a fresh confirmation. */
export async function finishSignIn(
  em: EntityManager,
  { response, visitor, rp, now }: Ceremony & { response: unknown; visitor: Visitor },
): Promise<{ session: PortalSession; roles: readonly Role[] }> {
  const operator = await assertPasskey(em, { response, purpose: 'sign_in', sessionId: null, rp, now });
  return em.transactional(async (tx) => {
    const session = openSession(tx, { kind: 'full', operatorId: operator.id, email: operator.email, visitor, now });
    const actor = {
      type: 'operator',
      operatorId: operator.id,
      roles: operator.roles,
      ip: visitor.ip,
      requestId: visitor.requestId,
    } as const;
    await record(tx, actor, now, { action: 'session.opened', subject: { type: 'session', id: session.id } });
    return { session, roles: operator.roles };
  });
}

/** Options for a fresh confirmation with one of the operator's passkeys. */
export async function beginPasskeyConfirmation(
  em: EntityManager,
  { session, rp, now }: Ceremony & { session: AuthenticatedSession },
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const passkeys = await em.find(Passkey, { operatorId: session.operatorId ?? '' });
  const options = await authenticationOptions(rp, passkeys);
  await rememberChallenge(em, { challenge: options.challenge, purpose: 'confirmation', sessionId: session.id, now });
  return options;
}

/** Marks the session as freshly confirmed for five minutes and returns until when. Errors: unauthenticated. */
export async function finishPasskeyConfirmation(
  em: EntityManager,
  { session, response, rp, now }: Ceremony & { session: AuthenticatedSession; response: unknown },
): Promise<Date> {
  const operator = await assertPasskey(em, { response, purpose: 'confirmation', sessionId: session.id, rp, now });
  if (operator.id !== session.operatorId) throw unverified();
  const confirmedUntil = new Date(now.getTime() + limits.freshPasskey);
  await em.nativeUpdate(PortalSession, { id: session.id, endedAt: null }, { confirmedUntil });
  return confirmedUntil;
}

/** Ends the session; its cookie is worth nothing from now on. */
export async function signOut(em: EntityManager, { sessionId, now }: { sessionId: string; now: Date }): Promise<void> {
  await em.nativeUpdate(PortalSession, { id: sessionId, endedAt: null }, { endedAt: now, endReason: 'signed out' });
}

/** The owner of the passkey that made the assertion. The user handle, where the authenticator sends it, must be the owner's (WebAuthn, 7.2). */
async function assertPasskey(em: EntityManager, { response, purpose, sessionId, rp, now }: Assertion): Promise<Operator> {
  const parsed = parseAuthenticationResponse(response);
  const challenge = parsed && challengeOf(parsed);
  const taken = challenge ? await takeChallenge(em, { challenge, purpose, sessionId, now }) : null;
  const passkey = parsed && taken ? await em.findOne(Passkey, { id: parsed.id }) : null;
  const operator = passkey && (await em.findOne(Operator, { id: passkey.operatorId, deletedAt: null }));
  if (!parsed || !challenge || !passkey || !operator) throw unverified();
  const { userHandle } = parsed.response;
  if (userHandle && !Buffer.from(userHandle, 'base64url').equals(operator.userHandle)) throw unverified();
  const changes = await verifyAssertion(rp, parsed, challenge, passkey);
  if (!changes) throw unverified();
  em.assign(passkey, { ...changes, lastUsedAt: now });
  await em.flush();
  return operator;
}

function unverified(): DomainError {
  return new DomainError('unauthenticated', {
    detail: 'The passkey could not be verified. Try again, or use another passkey of this account.',
  });
}
