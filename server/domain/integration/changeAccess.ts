import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import { record } from '../audit/record.ts';
import type { OperatorActor } from '../shared/actor.ts';
import { DomainError, refuseInvalid } from '../shared/DomainError.ts';
import { Integration } from './Integration.ts';
import type { IntegrationAction } from './integrationStatus.ts';

/** An administrator's decision about an integration; `reason` stands in its owner's audit trail. */
export type AccessDecision = { readonly actor: OperatorActor; readonly integrationId: string; readonly reason: string; readonly now: Date };

const longestReason = 500;

/** What suspending and reactivating have in common: the row is locked, the table asked, the reason recorded. In the caller's transaction. */
export async function changeAccess(
  tx: EntityManager,
  action: IntegrationAction,
  { actor, integrationId, reason, now }: AccessDecision,
): Promise<Integration> {
  const words = reason.trim();
  if (words.length < 1 || words.length > longestReason) {
    refuseInvalid([{ path: 'input.reason', message: `A reason has 1 to ${longestReason} characters.` }]);
  }
  const integration = await tx.findOne(Integration, { id: integrationId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!integration) throw new DomainError('not_found', { detail: 'There is no such integration.' });
  integration.apply(action);
  await tx.flush();
  await record(tx, actor, now, {
    action: action === 'suspendIntegration' ? 'integration.suspended' : 'integration.reactivated',
    subject: { type: 'integration', id: integration.id },
    operatorId: integration.operatorId,
    integrationId: integration.id,
    details: { reason: words },
  });
  return integration;
}
