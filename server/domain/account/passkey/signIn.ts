import { locking, takeLock } from '../../shared/locks.ts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import type { Role } from '../../shared/actor.ts';
import { DomainError } from '../../shared/DomainError.ts';
import { sql } from '../../shared/sql.ts';
import type { SupportContact } from '../../shared/supportContact.ts';
import { accountLocked } from '../accountLocked.ts';
import { takeAttempt, withinAttempts } from '../attempts.ts';
import { Operator } from '../Operator.ts';
import type { AuthenticatedSession } from '../session/authenticateSession.ts';
import { confirmSession, type Confirmation } from '../session/confirmSession.ts';
import { endFormerSession, endOldestSessions } from '../session/endFormerSession.ts';
import { openSession } from '../session/openSession.ts';
import { PortalSession } from '../session/PortalSession.ts';
import type { Visitor } from '../visitor.ts';
import { rememberChallenge, takeChallenge, type ChallengePurpose } from './challenges.ts';
import { Passkey } from './Passkey.ts';
import {
  authenticationOptions,
  challengeOf,
  parseAuthenticationResponse,
  verifyAssertion,
  type PublicKeyCredentialRequestOptionsJSON,
  type RelyingParty,
} from './webauthn.ts';

type Ceremony = { rp: RelyingParty; now: Date };
type SignIn = Ceremony & { visitor: Visitor };
type FinishSignIn = SignIn & {
  readonly response: unknown;
  /** The browser's present session, which ends. */
  readonly former: AuthenticatedSession | null;
  readonly supportContact: SupportContact;
};
type Assertion = Ceremony & { response: unknown; purpose: ChallengePurpose; sessionId: string | null };

/** Options for signing in with any discoverable passkey, without an address. Errors: rate_limit_exceeded. */
export async function beginSignIn(em: EntityManager, { visitor, rp, now }: SignIn): Promise<PublicKeyCredentialRequestOptionsJSON> {
  await takeAttempt(em, { kind: 'sign_in_begin_ip', source: visitor.source }, now);
  const options = await authenticationOptions(rp);
  await rememberChallenge(em, { challenge: options.challenge, purpose: 'sign_in', sessionId: null, now });
  return options;
}

/**
 * Opens a full session for the owner of the passkey. The browser's former session ends, and so does the account's oldest one if there are
 * too many. Signing in is not a fresh confirmation. Errors: unauthenticated, forbidden (the account is locked), rate_limit_exceeded.
 */
export async function finishSignIn(
  em: EntityManager,
  { response, former, supportContact, visitor, rp, now }: FinishSignIn,
): Promise<{ session: PortalSession; roles: readonly Role[] }> {
  const { operator, passkeyId } = await withinAttempts(em, [{ kind: 'sign_in_ip', source: visitor.source }], now, () =>
    assertPasskey(em, { response, purpose: 'sign_in', sessionId: null, rp, now }),
  );
  return em.transactional(async (tx) => {
    if (await isLocked(tx, operator.id)) throw accountLocked(supportContact);
    await holdPasskey(tx, passkeyId);
    await endFormerSession(tx, { former, visitor, now });
    const sessionsEnded = await endOldestSessions(tx, operator.id, now);
    const session = openSession(tx, { kind: 'full', operatorId: operator.id, email: operator.email, visitor, now });
    const actor = {
      type: 'operator',
      operatorId: operator.id,
      roles: operator.roles,
      ip: visitor.ip,
      requestId: visitor.requestId,
    } as const;
    await record(tx, actor, now, {
      action: 'session.opened',
      subject: { type: 'session', id: session.id },
      ...(sessionsEnded > 0 && { details: { sessionsEnded } }),
    });
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

/**
 * Marks the session as freshly confirmed for five minutes and changes its cookie. A passkey that is being removed confirms nothing. Errors:
 * unauthenticated, rate_limit_exceeded.
 */
export async function finishPasskeyConfirmation(
  em: EntityManager,
  { session, response, rp, now }: Ceremony & { session: AuthenticatedSession; response: unknown },
): Promise<Confirmation> {
  const passkeyId = await withinAttempts(em, [{ kind: 'confirmation_session', source: session.id }], now, async () => {
    const asserted = await assertPasskey(em, { response, purpose: 'confirmation', sessionId: session.id, rp, now });
    if (asserted.operator.id !== session.operatorId) throw unverified();
    return asserted.passkeyId;
  });
  return em.transactional(async (tx) => {
    await holdPasskey(tx, passkeyId);
    return confirmSession(tx, session, now);
  });
}

/**
 * Ends the session, and its cookie becomes worthless. This is recorded, except for an enrolment, which does not belong to an account yet.
 */
export function signOut(
  em: EntityManager,
  { session, visitor, now }: { session: AuthenticatedSession; visitor: Visitor; now: Date },
): Promise<void> {
  const { id, operatorId, roles } = session;
  return em.transactional(async (tx) => {
    const ended = await tx.nativeUpdate(PortalSession, { id, endedAt: null }, { endedAt: now, endReason: 'signed out' });
    if (ended === 0 || operatorId === null) return;
    const actor = { type: 'operator', operatorId, roles, ip: visitor.ip, requestId: visitor.requestId } as const;
    await record(tx, actor, now, { action: 'session.signed_out', subject: { type: 'session', id } });
  });
}

const isLockedSql = locking(
  'operator',
  'no key update',
  (clause) => `select locked_at is not null as locked from operator where id = $1 and deleted_at is null ${clause}`,
);

/**
 * Whether an administrator has locked the account. Sign-ins of one account wait here for each other, and for whatever changes its
 * credentials or locks it. Errors: unauthenticated.
 */
async function isLocked(tx: EntityManager, operatorId: string): Promise<boolean> {
  const [held] = await takeLock<{ locked: boolean }>(tx, isLockedSql, [operatorId]);
  if (!held) throw unverified();
  return held.locked;
}

const holdPasskeySql = locking('passkey', 'key share', (clause) => `select 1 from passkey where id = $1 ${clause}`);

/** Whoever removes the passkey at the same time waits, and then also ends what it has opened or confirmed. Errors: unauthenticated. */
async function holdPasskey(tx: EntityManager, passkeyId: string): Promise<void> {
  const held = await takeLock(tx, holdPasskeySql, [passkeyId]);
  if (held.length === 0) throw unverified();
}

/**
 * The passkey that made the assertion, and its owner. The user handle must be the owner's. It may be missing only if the session says who
 * it is (WebAuthn Level 3, 7.2).
 */
async function assertPasskey(
  em: EntityManager,
  { response, purpose, sessionId, rp, now }: Assertion,
): Promise<{ operator: Operator; passkeyId: string }> {
  const parsed = parseAuthenticationResponse(response);
  const challenge = parsed && challengeOf(parsed);
  const taken = challenge ? await takeChallenge(em, { challenge, purpose, sessionId, now }) : null;
  const passkey = parsed && taken ? await em.findOne(Passkey, { id: parsed.id }) : null;
  const operator = passkey && (await em.findOne(Operator, { id: passkey.operatorId, deletedAt: null }));
  if (!parsed || !challenge || !passkey || !operator) throw unverified();
  const { userHandle } = parsed.response;
  const owned = userHandle ? Buffer.from(userHandle, 'base64url').equals(operator.userHandle) : purpose !== 'sign_in';
  if (!owned) throw unverified();
  const changes = await verifyAssertion(rp, parsed, challenge, passkey);
  if (!changes) throw unverified();
  const { counter, backedUp } = changes;
  const counted = await sql(em, countSql, [passkey.id, counter, backedUp, now]);
  if (counted.length === 0) throw unverified();
  return { operator, passkeyId: passkey.id };
}

/**
 * The signature counter is checked again when it is stored. Of two assertions with the same counter that are verified at the same moment,
 * the row's lock lets one through. Authenticators that do not count always report 0 (WebAuthn Level 3, 7.2, step 22).
 */
const countSql = `
update passkey set counter = $2, backed_up = $3, last_used_at = $4
 where id = $1 and (counter < $2 or (counter = 0 and $2 = 0)) returning 1`;

function unverified(): DomainError {
  return new DomainError('unauthenticated', {
    detail: 'The passkey could not be verified. Try again, or use another passkey of this account.',
  });
}
