import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import { takeAttempt } from '../attempts.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { DomainError } from '../../shared/DomainError.ts';
import { passkeyName } from './newCredential.ts';
import { Passkey } from './Passkey.ts';

/** Renames one of the actor's passkeys. Errors: invalid_request, not_found, rate_limit_exceeded. */
export function renamePasskey(
  em: EntityManager,
  { actor, passkeyId, name, now }: { actor: OperatorActor; passkeyId: string; name: string; now: Date },
): Promise<Passkey> {
  const label = passkeyName(name);
  return em.transactional(async (tx) => {
    await takeAttempt(tx, { kind: 'change_operator', source: actor.operatorId }, now);
    const passkey = await tx.findOne(Passkey, { id: passkeyId, operatorId: actor.operatorId });
    if (!passkey) throw new DomainError('not_found', { detail: 'There is no such passkey.' });
    tx.assign(passkey, { name: label });
    await record(tx, actor, now, { action: 'passkey.renamed', subject: { type: 'passkey', id: passkeyId } });
    return passkey;
  });
}
