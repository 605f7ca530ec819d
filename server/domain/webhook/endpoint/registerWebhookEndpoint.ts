import type { EntityManager } from '@mikro-orm/postgresql';
import { takeAttempt } from '../../account/attempts.ts';
import { record } from '../../audit/record.ts';
import { lockIntegration } from '../../integration/lockIntegration.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { DomainError } from '../../shared/DomainError.ts';
import type { Environment } from '../../shared/environment.ts';
import { newId } from '../../shared/ids.ts';
import { webhookLimits } from '../../outbox/webhookLimits.ts';
import { begin } from '../../shared/stateMachine.ts';
import { inSequence, type WebhookEventType } from '../../outbox/eventTypes.ts';
import { webhookEndpointTransitions } from '../../outbox/webhookEndpointStatus.ts';
import { endpointClient } from './endpointClient.ts';
import { refuseBadEndpoint } from './endpointRules.ts';
import { refusePausedHost } from './refusePausedHost.ts';
import { WebhookEndpoint, type PayloadMode } from './WebhookEndpoint.ts';

type RegisterWebhookEndpoint = {
  readonly actor: OperatorActor;
  readonly integrationId: string;
  readonly environment: Environment;
  readonly url: string;
  readonly payloadMode: PayloadMode;
  readonly eventTypes: readonly WebhookEventType[];
  readonly description: string;
  readonly now: Date;
};

/**
 * Registers a webhook endpoint for one environment of the actor’s integration (docs/specification.md, “Webhook endpoints”). Nothing is sent
 * to it, nor stored for it, before it is proven. Errors: invalid_request by field, not_found, conflict (by
 * the integration’s status, one endpoint too many, or a host at which an administrator has paused one), rate_limit_exceeded.
 */
export async function registerWebhookEndpoint(
  em: EntityManager,
  { actor, integrationId, environment, now, ...input }: RegisterWebhookEndpoint,
): Promise<WebhookEndpoint> {
  refuseBadEndpoint(input);
  return em.transactional(async (tx) => {
    await takeAttempt(tx, { kind: 'webhook_operator', source: actor.operatorId }, now);
    const integration = await lockIntegration(tx, integrationId, actor.operatorId);
    const client = await endpointClient(tx, integration, environment);
    await refusePausedHost(tx, actor.operatorId, input.url);
    const written = { slot: await freeSlot(tx, integrationId), createdAt: now, createdBy: actor.operatorId, statusChangedAt: now };
    const endpoint = tx.create(WebhookEndpoint, {
      ...begin(webhookEndpointTransitions, 'registerWebhookEndpoint', written),
      id: newId('whk'),
      integrationId,
      clientNumber: client.number,
      url: input.url,
      payloadMode: input.payloadMode,
      eventTypes: inSequence(input.eventTypes),
      description: input.description.trim(),
    });
    tx.persist(endpoint);
    await record(tx, actor, now, {
      action: 'webhook_endpoint.registered',
      subject: { type: 'webhook_endpoint', id: endpoint.id },
      integrationId,
      // The URL’s path and query may hold something that is not for the trail.
      details: {
        environment,
        host: new URL(input.url).hostname,
        payloadMode: input.payloadMode,
        eventTypes: endpoint.eventTypes.join(' '),
      },
    });
    return endpoint;
  });
}

/** The integration is locked, so nobody else takes the same place. */
async function freeSlot(tx: EntityManager, integrationId: string): Promise<number> {
  const taken = await tx.find(WebhookEndpoint, { integrationId, slot: { $ne: null } }, { fields: ['slot'] });
  const slots = Array.from({ length: webhookLimits.webhookEndpoints }, (_, index) => index + 1);
  const free = slots.find((slot) => !taken.some((endpoint) => endpoint.slot === slot));
  if (free !== undefined) return free;
  throw new DomainError('conflict', {
    detail: `An integration has at most ${webhookLimits.webhookEndpoints} webhook endpoints, sandbox and production together. Remove one first.`,
  });
}
