import { defineEntity, p } from '@mikro-orm/postgresql';
import { Operator } from '../../account/Operator.ts';
import { Client } from '../../client/Client.ts';
import { Integration } from '../../integration/Integration.ts';
import { move, type HeldByTable } from '../../shared/stateMachine.ts';
import type { WebhookEventType } from '../eventTypes.ts';
import { webhookEndpointStatuses, webhookEndpointTransitions } from '../webhookEndpointStatus.ts';

export const payloadModes = ['notification', 'full_payload'] as const;

/** Who paused an endpoint. Only an administrator ends an administrator's pause. */
export const pausers = ['owner', 'administrator'] as const;

const schema = defineEntity({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoint',
  properties: {
    /** The short key in tables that are written often. */
    no: p.integer().primary().autoincrement(),
    /** `whk_…`, the public ID. */
    id: p.string(),
    integrationId: p.manyToOne(Integration).mapToPk().fieldName('integration_id'),
    clientNo: p.manyToOne(Client).mapToPk().fieldName('client_no'),
    /** Exactly as it was registered. It is shown, signed and sent like this. */
    url: p.text(),
    payloadMode: p.enum(payloadModes),
    eventTypes: p.array<WebhookEventType>((text) => text as WebhookEventType),
    description: p.text(),
    status: p.enum(webhookEndpointStatuses),
    /** Which of the integration's three places it takes. Null once it is removed. */
    slot: p.smallint().nullable(),
    createdAt: p.datetime(3),
    createdBy: p.manyToOne(Operator).mapToPk().fieldName('created_by'),
    /** When the present URL was proven. */
    provenAt: p.datetime(3).nullable(),
    /** From this moment on, events are stored for it. */
    firstProvenAt: p.datetime(3).nullable(),
    statusChangedAt: p.datetime(3),
    pausedBy: p.enum(pausers).nullable(),
    pauseReason: p.text().nullable(),
    removedAt: p.datetime(3).nullable(),
    /** The workers write these three, and only when they change. */
    failuresInRow: p.smallint().default(0),
    failingSince: p.datetime(3).nullable(),
    lastSuccessAt: p.datetime(3).nullable(),
  },
});

/** Where an integration's events are delivered in one environment (docs/specification.md, “Webhook endpoints”). */
export class WebhookEndpoint extends (schema.class as HeldByTable<typeof schema.class, typeof webhookEndpointTransitions>) {
  /**
   * Its ownership challenge was answered. A registered endpoint becomes active; one that had been proven before stays as it is. Throws
   * `conflict` if it has been removed meanwhile.
   */
  prove(this: WebhookEndpoint, now: Date): void {
    const { status, firstProvenAt } = this;
    if (status === 'active' || status === 'paused') move(webhookEndpointTransitions, this, 'proveAgain', { provenAt: now }, status);
    else {
      const written = { provenAt: now, firstProvenAt: firstProvenAt ?? now, statusChangedAt: now };
      move(webhookEndpointTransitions, this, 'proveWebhookEndpoint', written);
    }
  }
}
schema.setClass(WebhookEndpoint);
