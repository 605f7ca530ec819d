import { IsolationLevel, type EntityManager } from '@mikro-orm/postgresql';
import { record } from '../audit/record.ts';
import type { Integration } from '../integration/Integration.ts';
import { lockIntegration } from '../integration/lockIntegration.ts';
import { nextProfileVersion } from '../integration/profile/nextProfileVersion.ts';
import { ProfileVersion } from '../integration/profile/ProfileVersion.ts';
import type { OperatorActor } from '../shared/actor.ts';
import { refuseUnlessLogoMayChange } from './logoChange.ts';

/**
 * Makes a profile version without a logo; earlier versions keep theirs. Nothing changes where there is no logo. Errors: not_found, conflict
 * (under review, approved or retired).
 */
export function removeLogo(
  em: EntityManager,
  { actor, integrationId, now }: { actor: OperatorActor; integrationId: string; now: Date },
): Promise<Integration> {
  return em.transactional(
    async (tx) => {
      const integration = await lockIntegration(tx, integrationId, actor.operatorId);
      refuseUnlessLogoMayChange(integration);
      const { logoId } = await tx.findOneOrFail(ProfileVersion, { integrationId, version: integration.profileVersion });
      if (!logoId) return integration;
      await nextProfileVersion(tx, { actor, integration, editedVersion: null, content: { logoId: null }, now });
      await record(tx, actor, now, { action: 'logo.removed', subject: { type: 'logo', id: logoId }, integrationId });
      return integration;
    },
    { isolationLevel: IsolationLevel.READ_COMMITTED },
  );
}
