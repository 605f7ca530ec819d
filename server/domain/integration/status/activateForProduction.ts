import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { refuseInvalid } from '../../shared/DomainError.ts';
import type { Integration } from '../Integration.ts';
import { lockIntegration } from '../lockIntegration.ts';
import { refuseUnlessTermsAccepted } from '../terms/acceptTerms.ts';

type ActivateForProduction = {
  readonly actor: OperatorActor;
  readonly integrationId: string;
  /** The version that the owner sees and means to activate; it must be the reviewed one. */
  readonly profileVersion: number;
  readonly now: Date;
};

/**
 * The owner makes an approved integration active, for exactly the reviewed profile version (docs/specification.md, “Integration status”).
 * The production gate stays as it is. Errors: not_found, conflict (status, terms), invalid_request (`input.profileVersion`).
 */
export function activateForProduction(
  em: EntityManager,
  { actor, integrationId, profileVersion, now }: ActivateForProduction,
): Promise<Integration> {
  return em.transactional(async (tx) => {
    const integration = await lockIntegration(tx, integrationId, actor.operatorId);
    integration.apply('activateForProduction', now);
    await refuseUnlessTermsAccepted(tx, actor.operatorId);
    const { reviewedProfileVersion } = integration;
    if (profileVersion !== reviewedProfileVersion) {
      const message = `Version ${reviewedProfileVersion} of the profile was reviewed. Activate that one.`;
      refuseInvalid([{ path: 'input.profileVersion', message }]);
    }
    await tx.flush();
    await record(tx, actor, now, {
      action: 'integration.activated',
      subject: { type: 'integration', id: integration.id },
      integrationId: integration.id,
      details: { profileVersion },
    });
    return integration;
  });
}
