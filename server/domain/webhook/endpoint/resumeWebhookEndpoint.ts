import type { EntityManager } from '@mikro-orm/postgresql';
import { takeAttempt } from '../../account/attempts.ts';
import { record } from '../../audit/record.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { releaseDeliveries } from '../../outbox/wakePump.ts';
import { lockOwnEndpoint } from './lockOwnEndpoint.ts';
import type { WebhookEndpoint } from './WebhookEndpoint.ts';

/**
 * The owner resumes an endpoint that they paused. What was held for it is due at once (docs/specification.md, “Webhook endpoints”). Errors:
 * not_found, conflict (not paused, or paused by an administrator), rate_limit_exceeded.
 */
export function resumeWebhookEndpoint(
  em: EntityManager,
  { actor, endpointId, now }: { actor: OperatorActor; endpointId: string; now: Date },
): Promise<WebhookEndpoint> {
  return em.transactional(async (tx) => {
    await takeAttempt(tx, { kind: 'change_operator', source: actor.operatorId }, now);
    const endpoint = await lockOwnEndpoint(tx, actor, endpointId);
    endpoint.resume(now);
    await tx.flush();
    await record(tx, actor, now, {
      action: 'webhook_endpoint.resumed',
      subject: { type: 'webhook_endpoint', id: endpointId },
      integrationId: endpoint.integrationId,
    });
    await releaseDeliveries(tx, { endpointNumber: endpoint.number });
    return endpoint;
  });
}
