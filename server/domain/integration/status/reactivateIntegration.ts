import type { EntityManager } from '@mikro-orm/postgresql';
import { goodReason } from '../../shared/reason.ts';
import type { Integration } from '../Integration.ts';
import { lockIntegration } from '../lockIntegration.ts';
import { refuseOwn } from '../refuseOwn.ts';
import { reactivate, type AccessDecision } from './changeAccess.ts';

/**
 * Restores a suspended integration's production access (docs/specification.md, “Suspension”). A deletion that was missed before does not
 * suspend it again. Errors: invalid_request, not_found, forbidden (own), conflict.
 */
export function reactivateIntegration(em: EntityManager, { actor, integrationId, reason, now }: AccessDecision): Promise<Integration> {
  const words = goodReason(reason);
  return em.transactional(async (tx) => {
    const integration = await lockIntegration(tx, integrationId);
    refuseOwn(integration, actor, 'administers');
    await reactivate(tx, integration, { actor, reason: words, now });
    return integration;
  });
}
