import type { EntityManager } from '@mikro-orm/postgresql';
import { actorId } from '../../audit/record.ts';
import { notifyStaff } from '../../notification/notifyStaff.ts';
import { goodReason } from '../../shared/reason.ts';
import type { Integration } from '../Integration.ts';
import { lockIntegration } from '../lockIntegration.ts';
import { refuseOwn } from '../refuseOwn.ts';
import { suspend, type AccessDecision } from './changeAccess.ts';

/**
 * Stops an integration's production access at once: the very next machine request is refused (docs/specification.md, “Suspension”). Its
 * sandbox still answers, and the production gate stays as it is. The other administrators get a mail. Errors: invalid_request, not_found,
 * forbidden (own), conflict.
 */
export function suspendIntegration(em: EntityManager, { actor, integrationId, reason, now }: AccessDecision): Promise<Integration> {
  const words = goodReason(reason);
  return em.transactional(async (tx) => {
    const integration = await lockIntegration(tx, integrationId);
    refuseOwn(integration, actor, 'administers');
    await suspend(tx, integration, 'suspendIntegration', { actor, reason: words, now });
    await notifyStaff(tx, {
      kind: 'suspension_made',
      subjectId: `${integrationId} ${now.toISOString()}`,
      except: [actorId(actor)],
      integrationId,
      details: { reason: words },
      now,
    });
    return integration;
  });
}
