import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { discardWaiting, waitingDeliveries } from '../../outbox/discardDeliveries.ts';
import { recheckDeliveries } from '../../outbox/wakePump.ts';
import { lockOwnEndpoint } from './lockOwnEndpoint.ts';
import type { WebhookEndpoint } from './WebhookEndpoint.ts';

/**
 * The owner removes an endpoint for good: what still waited for it is discarded, and another can be registered. What was delivered stays on
 * record for 30 days. Errors: not_found, conflict (paused by an administrator).
 */
export function removeWebhookEndpoint(
  em: EntityManager,
  { actor, endpointId, now }: { actor: OperatorActor; endpointId: string; now: Date },
): Promise<WebhookEndpoint> {
  return em.transactional(async (tx) => {
    const endpoint = await lockOwnEndpoint(tx, actor, endpointId);
    endpoint.remove(now);
    await tx.flush();
    await record(tx, actor, now, {
      action: 'webhook_endpoint.removed',
      subject: { type: 'webhook_endpoint', id: endpointId },
      integrationId: endpoint.integrationId,
    });
    await discardWaiting(tx, { numbers: await waitingDeliveries(tx, [endpoint.number]), reason: 'endpoint_gone', now });
    await recheckDeliveries(tx, { endpointNumber: endpoint.number });
    return endpoint;
  });
}
