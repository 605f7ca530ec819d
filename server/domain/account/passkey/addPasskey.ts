import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import { notify } from '../../notification/notify.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { DomainError } from '../../shared/DomainError.ts';
import { accountLimits } from '../accountLimits.ts';
import { takeAttempt } from '../attempts.ts';
import { violates } from '../../shared/uniqueViolation.ts';
import { lockCredentials } from '../lockCredentials.ts';
import { newCredentialOptions, passkeyName, verifyNewCredential, type NewCredentialCeremony } from './newCredential.ts';
import { Passkey } from './Passkey.ts';
import { passkeySubject } from './passkeySubject.ts';
import type { PublicKeyCredentialCreationOptionsJSON } from './webauthn.ts';

/** Options for one more passkey of a signed-in operator. */
export function beginPasskeyAddition(em: EntityManager, ceremony: NewCredentialCeremony): Promise<PublicKeyCredentialCreationOptionsJSON> {
  return newCredentialOptions(em, ceremony);
}

/**
 * Verifies the passkey and adds it to the actor's account, whose owner is notified by mail. Errors: invalid_request (name, response),
 * rate_limit_exceeded (50 a day), conflict if the account has as many as it may, or if the passkey belongs to an account by now.
 */
export async function finishPasskeyAddition(
  em: EntityManager,
  {
    actor,
    session,
    response,
    name,
    rp,
    challengeKeys,
    now,
  }: NewCredentialCeremony & { actor: OperatorActor; response: unknown; name: string },
): Promise<Passkey> {
  const { operatorId } = actor;
  const label = passkeyName(name);
  const credential = await verifyNewCredential(em, { session, response, rp, challengeKeys, now });
  try {
    return await em.transactional(async (tx) => {
      await lockCredentials(tx, { operatorId, sessionId: session.id, confirmedAt: now });
      await takeAttempt(tx, { kind: 'passkey_operator', source: operatorId }, now);
      if ((await tx.count(Passkey, { operatorId })) >= accountLimits.passkeysPerOperator) {
        throw new DomainError('conflict', {
          detail: `An account has at most ${accountLimits.passkeysPerOperator} passkeys. Remove one that you no longer use.`,
        });
      }
      const passkey = tx.create(Passkey, { ...credential, operatorId, name: label, createdAt: now, lastUsedAt: null });
      tx.persist(passkey);
      await tx.flush();
      await record(tx, actor, now, { action: 'passkey.added', subject: { type: 'passkey', id: passkey.id } });
      const subjectId = passkeySubject({ operatorId, passkeyId: passkey.id, now });
      await notify(tx, { kind: 'new_passkey', subjectId, operatorId, details: { passkeyName: label }, now });
      return passkey;
    });
  } catch (error) {
    if (!violates(error, 'passkey_pkey')) throw error;
    throw new DomainError('conflict', { detail: 'This passkey already belongs to an account.' });
  }
}
