import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import { notify } from '../../notification/notify.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import type { LookupKeys } from '../../shared/keySet.ts';
import { takeAttempt } from '../attempts.ts';
import { lockCredentials } from '../lockCredentials.ts';
import { RecoveryCode } from './RecoveryCode.ts';
import { createRecoveryCodes } from './recoveryCodes.ts';

/** Creates new recovery codes, which are returned here and never again. The former ones become worthless. Errors: rate_limit_exceeded (50 a day). */
export function regenerateRecoveryCodes(
  em: EntityManager,
  { actor, sessionId, lookupKeys, now }: { actor: OperatorActor; sessionId: string; lookupKeys: LookupKeys; now: Date },
): Promise<string[]> {
  const { operatorId } = actor;
  return em.transactional(async (tx) => {
    await lockCredentials(tx, { operatorId, sessionId, confirmedAt: now });
    await takeAttempt(tx, { kind: 'recovery_codes_operator', source: operatorId }, now);
    await tx.nativeDelete(RecoveryCode, { operatorId });
    const codes = createRecoveryCodes(tx, { operatorId, lookupKeys, now });
    await record(tx, actor, now, { action: 'recovery_code.regenerated', subject: { type: 'operator', id: operatorId } });
    await notify(tx, { kind: 'recovery_codes_made', subjectId: `${operatorId} ${now.toISOString()}`, operatorId, now });
    return codes;
  });
}
