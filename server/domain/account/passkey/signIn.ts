import { locking, takeLock } from '../../shared/locks.ts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import type { Role } from '../../shared/actor.ts';
import { DomainError } from '../../shared/DomainError.ts';
import type { KeySet } from '../../shared/keySet.ts';
import { sql } from '../../shared/sql.ts';
import type { SupportContact } from '../../shared/supportContact.ts';
import { accountLocked } from '../accountLocked.ts';
import { failedAttempt, withinAttempts } from '../attempts.ts';
import { Operator } from '../Operator.ts';
import type { AuthenticatedSession } from '../session/authenticateSession.ts';
import { confirmSession, type Confirmation } from '../session/confirmSession.ts';
import { endFormerSession, endOldestSessions } from '../session/endFormerSession.ts';
import { openSession } from '../session/openSession.ts';
import { PortalSession } from '../session/PortalSession.ts';
import type { Visitor } from '../visitor.ts';
import { type Ceremony, isOwnChallenge, makeChallenge, useChallenge } from './challenges.ts';
import { Passkey } from './Passkey.ts';
import { passkeyRefusals, type PasskeyRefusal, refused } from './passkeyRefusals.ts';
import {
  authenticationOptions,
  challengeOf,
  parseAuthenticationResponse,
  verifyAssertion,
  type PublicKeyCredentialRequestOptionsJSON,
  type RelyingParty,
} from './webauthn.ts';

type Asking = { readonly rp: RelyingParty; readonly challengeKeys: KeySet; readonly now: Date };
type FinishSignIn = Asking & {
  readonly visitor: Visitor;
  readonly response: unknown;
  /** The secret of the browser, if it has one. */
  readonly browser: string | null;
  /** The browser's present session, which ends. */
  readonly former: AuthenticatedSession | null;
  readonly supportContact: SupportContact;
};
type Asserted =
  | { readonly accepted: true; readonly operator: Operator; readonly passkeyId: string }
  | { readonly accepted: false; readonly reason: PasskeyRefusal };
type Assertion = Asking & { response: unknown; ceremony: Ceremony };

/** Options for signing in with any discoverable passkey, without an address. Only the browser with this secret can answer them. */
export function beginSignIn({
  browser,
  rp,
  challengeKeys,
  now,
}: Asking & { browser: string }): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return authenticationOptions(rp, makeChallenge(challengeKeys, { purpose: 'sign_in', holder: browser }, now));
}

/**
 * Opens a full session for the owner of the passkey, however often others on the network have failed. The browser's former session ends, and
 * so does the account's oldest one if there are too many. Signing in is not a fresh confirmation. Errors: unauthenticated, forbidden (the
 * account is locked), rate_limit_exceeded instead of unauthenticated after many failures of the network.
 */
export async function finishSignIn(
  em: EntityManager,
  { response, browser, former, supportContact, visitor, rp, challengeKeys, now }: FinishSignIn,
): Promise<{ session: PortalSession; roles: readonly Role[] }> {
  const ceremony = browser === null ? null : ({ purpose: 'sign_in', holder: browser } as const);
  const asserted = ceremony ? await assertPasskey(em, { response, ceremony, rp, challengeKeys, now }) : refused('outdated');
  if (!asserted.accepted) throw await failedAttempt(em, { kind: 'sign_in_ip', source: visitor.source }, unverified(asserted.reason), now);
  const { operator, passkeyId } = asserted;
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
  { session, rp, challengeKeys, now }: Asking & { session: AuthenticatedSession },
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const passkeys = await em.find(Passkey, { operatorId: session.operatorId ?? '' });
  return authenticationOptions(rp, makeChallenge(challengeKeys, { purpose: 'confirmation', holder: session.id }, now), passkeys);
}

/**
 * Marks the session as freshly confirmed for five minutes and changes its cookie. A passkey that is being removed confirms nothing. Errors:
 * unauthenticated, rate_limit_exceeded.
 */
export async function finishPasskeyConfirmation(
  em: EntityManager,
  { session, response, rp, challengeKeys, now }: Asking & { session: AuthenticatedSession; response: unknown },
): Promise<Confirmation> {
  const passkeyId = await withinAttempts(em, [{ kind: 'confirmation_session', source: session.id }], now, async () => {
    const ceremony = { purpose: 'confirmation', holder: session.id } as const;
    const asserted = await assertPasskey(em, { response, ceremony, rp, challengeKeys, now });
    if (!asserted.accepted) throw unverified(asserted.reason);
    if (asserted.operator.id !== session.operatorId) throw unverified('unknown');
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
  if (!held) throw unverified('unknown');
  return held.locked;
}

const holdPasskeySql = locking('passkey', 'key share', (clause) => `select 1 from passkey where id = $1 ${clause}`);

/** Anyone who removes the passkey at the same time waits, and then also ends what it has opened or confirmed. Errors: unauthenticated. */
async function holdPasskey(tx: EntityManager, passkeyId: string): Promise<void> {
  const held = await takeLock(tx, holdPasskeySql, [passkeyId]);
  if (held.length === 0) throw unverified('unknown');
}

/**
 * The passkey that made the assertion, and its owner, or why it is refused. The user handle must be the owner's. It may be missing only
 * if the session says who it is (WebAuthn Level 3, 7.2). The challenge is used up before anything is verified, but only once the response
 * names a passkey that exists, so that strangers store nothing.
 */
async function assertPasskey(em: EntityManager, { response, ceremony, rp, challengeKeys, now }: Assertion): Promise<Asserted> {
  const parsed = parseAuthenticationResponse(response);
  const challenge = parsed && challengeOf(parsed);
  if (!parsed || challenge === null) return refused('unreadable');
  if (!isOwnChallenge(challengeKeys, ceremony, challenge, now)) return refused('outdated');
  const passkey = await em.findOne(Passkey, { id: parsed.id });
  const operator = passkey && (await em.findOne(Operator, { id: passkey.operatorId, deletedAt: null }));
  if (!operator) return refused('unknown');
  const { userHandle } = parsed.response;
  const owned = userHandle ? Buffer.from(userHandle, 'base64url').equals(operator.userHandle) : ceremony.purpose !== 'sign_in';
  if (!owned) return refused('unknown');
  if (!(await useChallenge(em, challenge))) return refused('outdated');
  const verdict = await verifyAssertion(rp, parsed, challenge, passkey);
  if (!verdict.accepted) return verdict;
  const { counter, backedUp } = verdict;
  const counted = await sql(em, countSql, [passkey.id, counter, backedUp, now]);
  return counted.length === 0 ? refused('copied') : { accepted: true, operator, passkeyId: passkey.id };
}

/**
 * The counter of a passkey that never leaves its device is checked again when it is stored. Of two assertions with the same counter that
 * are verified at the same moment, the row's lock lets one through. Authenticators that do not count always report 0 (WebAuthn Level 3,
 * 7.2, step 22).
 */
const countSql = `
update passkey set counter = greatest(counter, $2), backed_up = $3, last_used_at = $4
 where id = $1 and (device_type = 'multiDevice' or counter < $2 or (counter = 0 and $2 = 0)) returning 1`;

function unverified(reason: PasskeyRefusal): DomainError {
  return new DomainError('unauthenticated', { detail: passkeyRefusals[reason] });
}
