import type { EntityManager } from '@mikro-orm/postgresql';
import { takeAttempt } from '../../account/attempts.ts';
import { record } from '../../audit/record.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { recheckDeliveries } from '../../outbox/wakePump.ts';
import { lockOwnEndpoint } from './lockOwnEndpoint.ts';
import type { WebhookEndpoint } from './WebhookEndpoint.ts';

/**
 * The owner pauses an endpoint: from now on its deliveries are held, until it is resumed or they expire (docs/specification.md, “Webhook
 * endpoints”). Attempts under way end. Errors: not_found, conflict (not active), rate_limit_exceeded.
 */
export function pauseWebhookEndpoint(
  em: EntityManager,
  { actor, endpointId, now }: { actor: OperatorActor; endpointId: string; now: Date },
): Promise<WebhookEndpoint> {
  return em.transactional(async (tx) => {
    await takeAttempt(tx, { kind: 'change_operator', source: actor.operatorId }, now);
    const endpoint = await lockOwnEndpoint(tx, actor, endpointId);
    endpoint.pause(now);
    await tx.flush();
    await record(tx, actor, now, {
      action: 'webhook_endpoint.paused',
      subject: { type: 'webhook_endpoint', id: endpointId },
      integrationId: endpoint.integrationId,
    });
    await recheckDeliveries(tx, { endpointNumber: endpoint.number });
    return endpoint;
  });
}
