import { IsolationLevel, type EntityManager } from '@mikro-orm/postgresql';
import { record } from '../audit/record.ts';
import type { Integration } from '../integration/Integration.ts';
import { lockIntegration } from '../integration/lockIntegration.ts';
import type { OperatorActor } from '../shared/actor.ts';
import { currentProfile, refuseUnlessLogoMayChange, reviseLogo } from './logoChange.ts';

/**
 * Makes a profile version without a logo; earlier versions keep theirs. Without a logo nothing changes. Errors: not_found, conflict (under
 * review, approved or retired).
 */
export function removeLogo(
  em: EntityManager,
  { actor, integrationId, now }: { actor: OperatorActor; integrationId: string; now: Date },
): Promise<Integration> {
  return em.transactional(
    async (tx) => {
      const integration = await lockIntegration(tx, integrationId, actor.operatorId);
      refuseUnlessLogoMayChange(integration);
      const current = await currentProfile(tx, integration);
      if (!current.logoId) return integration;
      reviseLogo(tx, integration, { actor, current, logoId: null, now });
      await tx.flush();
      await record(tx, actor, now, {
        action: 'logo.removed',
        subject: { type: 'logo', id: current.logoId },
        integrationId,
        details: { profileVersion: integration.profileVersion },
      });
      return integration;
    },
    { isolationLevel: IsolationLevel.READ_COMMITTED },
  );
}
