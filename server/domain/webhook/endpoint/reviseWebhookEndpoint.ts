import type { EntityManager } from '@mikro-orm/postgresql';
import { takeAttempt } from '../../account/attempts.ts';
import { record } from '../../audit/record.ts';
import { Client } from '../../client/Client.ts';
import { Integration } from '../../integration/Integration.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import type { Environment } from '../../shared/environment.ts';
import { voidChallenges } from '../voidChallenges.ts';
import { discardWaiting, waitingDeliveries } from '../../outbox/discardDeliveries.ts';
import { inSequence, webhookEventTypes, type WebhookEventType } from '../../outbox/eventTypes.ts';
import { recheckDeliveries } from '../../outbox/wakePump.ts';
import { endpointClient, refuseChange } from './endpointClient.ts';
import { refuseBadEndpoint } from './endpointRules.ts';
import { lockOwnEndpoint } from './lockOwnEndpoint.ts';
import { refusePausedHost } from './refusePausedHost.ts';
import type { PayloadMode, WebhookEndpoint } from './WebhookEndpoint.ts';

type ReviseWebhookEndpoint = {
  readonly actor: OperatorActor;
  readonly endpointId: string;
  /** What is absent stays as it is. */
  readonly url?: string | undefined;
  readonly environment?: Environment | undefined;
  readonly payloadMode?: PayloadMode | undefined;
  readonly eventTypes?: readonly WebhookEventType[] | undefined;
  readonly description?: string | undefined;
  readonly now: Date;
};

/**
 * Changes one of the actor’s endpoints (docs/specification.md, “Webhook endpoints”). Another URL or environment has to be proven: the
 * endpoint is registered again, and its deliveries are held until then. In another environment, nothing of the former one is delivered any
 * more, and events are stored only from the next proof on. Everything else applies from the next attempt on. Errors: invalid_request by
 * field, not_found, conflict (paused by an administrator, moved to a host at which one is, or by the integration’s status), rate_limit_exceeded.
 */
export async function reviseWebhookEndpoint(
  em: EntityManager,
  { actor, endpointId, now, ...wanted }: ReviseWebhookEndpoint,
): Promise<WebhookEndpoint> {
  refuseBadEndpoint(wanted);
  return em.transactional(async (tx) => {
    await takeAttempt(tx, { kind: 'change_operator', source: actor.operatorId }, now);
    const endpoint = await lockOwnEndpoint(tx, actor, endpointId);
    const { environment: former } = await tx.findOneOrFail(Client, { number: endpoint.clientNumber });
    const environment = wanted.environment ?? former;
    const integration = await tx.findOneOrFail(Integration, { id: endpoint.integrationId }, { refresh: true });
    refuseChange(integration, former, wanted.environment);
    const client = await endpointClient(tx, integration, environment);
    const fields = changedFields(endpoint, former, wanted);
    if (fields.length === 0) return endpoint;

    if (fields.includes('environment')) {
      await discardWaiting(tx, { numbers: await waitingDeliveries(tx, [endpoint.number]), reason: 'endpoint_gone', now });
    }
    if (fields.includes('url') || fields.includes('environment')) {
      endpoint.relocate({ url: wanted.url ?? endpoint.url, clientNumber: client.number }, now);
      if (fields.includes('url')) await refusePausedHost(tx, actor.operatorId, endpoint.url);
      await voidChallenges(tx, endpoint.number, fields.includes('environment') ? 'environment_changed' : 'url_changed', now);
    }
    endpoint.payloadMode = wanted.payloadMode ?? endpoint.payloadMode;
    endpoint.eventTypes = chosenTypes(endpoint, wanted);
    endpoint.description = wanted.description?.trim() ?? endpoint.description;
    await tx.flush();
    await record(tx, actor, now, {
      action: 'webhook_endpoint.revised',
      subject: { type: 'webhook_endpoint', id: endpoint.id },
      integrationId: endpoint.integrationId,
      details: {
        environment,
        host: new URL(endpoint.url).hostname,
        fields: fields.join(' '),
        ...(fields.includes('payloadMode') && { payloadMode: endpoint.payloadMode }),
        ...(fields.includes('eventTypes') && { eventTypes: endpoint.eventTypes.join(' ') }),
      },
    });
    await recheckDeliveries(tx, { endpointNumber: endpoint.number });
    return endpoint;
  });
}

/** The types that the endpoint is to have. Those that only a later release knows could not be shown to its owner, so they stay. */
function chosenTypes({ eventTypes }: WebhookEndpoint, wanted: Wanted): WebhookEventType[] {
  return [...inSequence(wanted.eventTypes ?? eventTypes), ...eventTypes.filter((type) => !webhookEventTypes.includes(type))];
}

type Wanted = Omit<ReviseWebhookEndpoint, 'actor' | 'endpointId' | 'now'>;

/** The names of the fields that the revision would change. */
function changedFields(endpoint: WebhookEndpoint, environment: Environment, wanted: Wanted): (keyof Wanted)[] {
  const changes: Record<keyof Wanted, boolean> = {
    url: (wanted.url ?? endpoint.url) !== endpoint.url,
    environment: (wanted.environment ?? environment) !== environment,
    payloadMode: (wanted.payloadMode ?? endpoint.payloadMode) !== endpoint.payloadMode,
    eventTypes: chosenTypes(endpoint, wanted).join(' ') !== endpoint.eventTypes.join(' '),
    description: (wanted.description?.trim() ?? endpoint.description) !== endpoint.description,
  };
  return (Object.keys(changes) as (keyof Wanted)[]).filter((field) => changes[field]);
}
