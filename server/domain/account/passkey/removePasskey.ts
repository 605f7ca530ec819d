import { noteLock } from '../../shared/locks.ts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import { notify } from '../../notification/notify.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { DomainError } from '../../shared/DomainError.ts';
import { lockCredentials } from '../lockCredentials.ts';
import { PortalSession } from '../session/PortalSession.ts';
import { Passkey } from './Passkey.ts';
import { passkeySubject } from './passkeySubject.ts';

/**
 * Removes one of the actor's passkeys, but never the last one, because that would lock the owner out. Sessions continue, but whatever the
 * passkey has confirmed in other sessions is withdrawn. Errors: not_found, conflict, and those of `lockCredentials`.
 */
export function removePasskey(
  em: EntityManager,
  { actor, sessionId, passkeyId, now }: { actor: OperatorActor; sessionId: string; passkeyId: string; now: Date },
): Promise<Passkey> {
  const { operatorId } = actor;
  return em.transactional(async (tx) => {
    await lockCredentials(tx, { operatorId, sessionId, confirmedAt: now });
    const passkeys = await tx.find(Passkey, { operatorId });
    const passkey = passkeys.find(({ id }) => id === passkeyId);
    if (!passkey) throw new DomainError('not_found', { detail: 'There is no such passkey.' });
    if (passkeys.length === 1) {
      throw new DomainError('conflict', {
        detail: 'This is your only passkey, and you need one to sign in. Add another one first.',
      });
    }
    noteLock(tx, 'passkey');
    await tx.nativeDelete(Passkey, { id: passkeyId });
    noteLock(tx, 'session');
    await tx.nativeUpdate(PortalSession, { operatorId, id: { $ne: sessionId }, endedAt: null }, { confirmedUntil: null });
    await record(tx, actor, now, { action: 'passkey.removed', subject: { type: 'passkey', id: passkeyId } });
    const subjectId = passkeySubject({ operatorId, passkeyId, now });
    await notify(tx, { kind: 'passkey_removed', subjectId, operatorId, details: { passkeyName: passkey.name }, now });
    return passkey;
  });
}
