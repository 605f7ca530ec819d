import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import { DomainError } from '../../shared/DomainError.ts';
import { newId } from '../../shared/ids.ts';
import type { LookupKeys } from '../../shared/keySet.ts';
import { violates } from '../../shared/uniqueViolation.ts';
import { closeRegistrations } from '../address/openEnrolment.ts';
import { emailKey } from '../emailAddress.ts';
import { Operator } from '../Operator.ts';
import {
  newCredentialOptions,
  newUserHandle,
  passkeyName,
  verifyNewCredential,
  type NewCredentialCeremony,
} from '../passkey/newCredential.ts';
import { Passkey } from '../passkey/Passkey.ts';
import type { PublicKeyCredentialCreationOptionsJSON } from '../passkey/webauthn.ts';
import { createRecoveryCodes } from '../recovery/recoveryCodes.ts';
import { openSession } from '../session/openSession.ts';
import { PortalSession } from '../session/PortalSession.ts';
import type { Visitor } from '../visitor.ts';
import { enrolAfterRecovery } from './enrolAfterRecovery.ts';

/** Options for the first passkey in an enrolment session, or the first one after a recovery code. */
export function beginPasskeyRegistration(
  em: EntityManager,
  ceremony: NewCredentialCeremony,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  return newCredentialOptions(em, ceremony);
}

type FinishPasskeyRegistration = NewCredentialCeremony & {
  response: unknown;
  name: string;
  visitor: Visitor;
  lookupKeys: LookupKeys;
};

/**
 * Verifies the new passkey and creates the operator (after a recovery code, the passkey goes to the existing operator), the recovery codes,
 * which are returned here and never again, and a full session that replaces the enrolment session. Errors: invalid_request (name,
 * response), conflict if the address or the passkey belongs to an account by now.
 */
export async function finishPasskeyRegistration(
  em: EntityManager,
  { session, response, name, visitor, rp, challengeKeys, lookupKeys, now }: FinishPasskeyRegistration,
): Promise<{ session: PortalSession; recoveryCodes: string[] }> {
  const label = passkeyName(name);
  const credential = await verifyNewCredential(em, { session, response, rp, challengeKeys, now });
  try {
    return await em.transactional(async (tx) => {
      if (session.operatorId !== null) {
        return enrolAfterRecovery(tx, { ...session, operatorId: session.operatorId }, { credential, label, visitor, lookupKeys, now });
      }
      // In the order in which a link that is used at the same moment is locked: link, then session.
      await closeRegistrations(tx, emailKey(session.email), now);
      await endEnrolment(tx, session.id, now);
      const operatorId = newId('opr');
      tx.persist(
        tx.create(Operator, {
          id: operatorId,
          email: session.email,
          emailKey: emailKey(session.email),
          userHandle: newUserHandle(session),
          roles: [],
          createdAt: now,
          deletedAt: null,
          lockedAt: null,
          lockReason: null,
        }),
      );
      tx.persist(tx.create(Passkey, { ...credential, operatorId, name: label, createdAt: now, lastUsedAt: now }));
      const recoveryCodes = createRecoveryCodes(tx, { operatorId, lookupKeys, now });
      const full = openSession(tx, { kind: 'full', operatorId, email: session.email, visitor, now });
      const actor = { type: 'operator', operatorId, roles: [], ip: visitor.ip, requestId: visitor.requestId } as const;
      await record(tx, actor, now, { action: 'operator.registered', subject: { type: 'operator', id: operatorId } });
      return { session: full, recoveryCodes };
    });
  } catch (error) {
    if (violates(error, 'operator_email_key_key'))
      throw new DomainError('conflict', { detail: 'This address already has an account. Sign in instead.' });
    if (violates(error, 'passkey_pkey'))
      throw new DomainError('conflict', { detail: 'This passkey already has an account. Sign in instead.' });
    throw error;
  }
}

/** Ends the enrolment session under its row lock, so that two responses to one enrolment cannot both become an account. */
async function endEnrolment(tx: EntityManager, sessionId: string, now: Date): Promise<void> {
  const ended = await tx.nativeUpdate(
    PortalSession,
    { id: sessionId, kind: 'enrolment', endedAt: null },
    { endedAt: now, endReason: 'passkey enrolled' },
  );
  if (ended === 0)
    throw new DomainError('conflict', {
      detail: 'This enrolment is finished, or was continued on another device. Continue there, or sign in.',
    });
}
