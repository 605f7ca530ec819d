import { defineEntity, p } from '@mikro-orm/postgresql';
import { Operator } from '../../account/Operator.ts';
import { Client } from '../../client/Client.ts';
import { Integration } from '../../integration/Integration.ts';
import { DomainError } from '../../shared/DomainError.ts';
import { mayStart, move, type HeldByTable } from '../../shared/stateMachine.ts';
import type { WebhookEventType } from '../../outbox/eventTypes.ts';
import { webhookEndpointStatuses, webhookEndpointTransitions } from '../../outbox/webhookEndpointStatus.ts';
import { webhookEndpointFacts } from '../../outbox/webhookEndpointFacts.ts';
import { factsIn } from '../../shared/lifecycle.ts';

export const payloadModes = ['notification', 'full_payload'] as const;
export type PayloadMode = (typeof payloadModes)[number];

/** Who paused an endpoint. Only an administrator ends an administrator's pause. */
export const pausers = ['owner', 'administrator'] as const;

const schema = defineEntity({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoint',
  properties: {
    /** The short key in tables that are written often. */
    number: p.integer().primary().autoincrement(),
    /** `whk_…`, the public ID. */
    id: p.string(),
    integrationId: p.manyToOne(Integration).mapToPk().fieldName('integration_id'),
    clientNumber: p.manyToOne(Client).mapToPk().fieldName('client_number'),
    /** Exactly as it was registered. It is shown, signed and sent like this. */
    url: p.text(),
    payloadMode: p.enum(payloadModes),
    eventTypes: p.array<WebhookEventType>((text) => text as WebhookEventType),
    description: p.text(),
    status: p.enum(webhookEndpointStatuses),
    /** Which of the integration's slots it takes. Null once it is removed. */
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
    if (mayStart(webhookEndpointTransitions, 'proveAgain', status))
      move(webhookEndpointTransitions, this, 'proveAgain', { provenAt: now }, status);
    else {
      const written = { provenAt: now, firstProvenAt: firstProvenAt ?? now, statusChangedAt: now };
      move(webhookEndpointTransitions, this, 'proveWebhookEndpoint', written);
    }
  }

  /**
   * Gives it another URL or environment, which has to be proven. In another environment nothing is stored for it before that. Throws
   * `conflict` while an administrator's pause holds, because it would end with the next proof.
   */
  relocate(this: WebhookEndpoint, { url, clientNumber }: { url: string; clientNumber: number }, now: Date): void {
    this.refuseAdministratorsPause('Its URL and environment can be changed once an administrator has resumed it.');
    const firstProvenAt = clientNumber === this.clientNumber ? this.firstProvenAt : null;
    const written = { provenAt: null, firstProvenAt, pausedBy: null, pauseReason: null, statusChangedAt: now };
    move(webhookEndpointTransitions, this, 'moveWebhookEndpoint', written);
    Object.assign(this, { url, clientNumber, failuresInRow: 0, failingSince: null, lastSuccessAt: null });
  }

  /** By its owner. Throws `conflict` unless it is active. */
  pause(this: WebhookEndpoint, now: Date): void {
    move(webhookEndpointTransitions, this, 'pauseWebhookEndpoint', { pausedBy: 'owner', pauseReason: null, statusChangedAt: now });
  }

  /** By an administrator, for a reason. Throws `conflict` unless it is active or its owner has paused it. */
  pauseByAdministrator(this: WebhookEndpoint, reason: string, now: Date): void {
    this.refuseAdministratorsPause('To give another reason, resume it first.');
    const written = { pausedBy: 'administrator', pauseReason: reason, statusChangedAt: now } as const;
    move(webhookEndpointTransitions, this, 'pauseAnyWebhookEndpoint', written);
  }

  /** By an administrator. Throws `conflict` unless an administrator has paused it. */
  resumeByAdministrator(this: WebhookEndpoint, now: Date): void {
    if (factsIn(webhookEndpointFacts, this.status).receives === 'notNow' && this.pausedBy !== 'administrator')
      throw new DomainError('conflict', { detail: 'The owner paused this endpoint, so the owner resumes it.' });
    move(webhookEndpointTransitions, this, 'resumeAnyWebhookEndpoint', { pausedBy: null, pauseReason: null, statusChangedAt: now });
  }

  /** By its owner. Throws `conflict` unless the owner has paused it. */
  resume(this: WebhookEndpoint, now: Date): void {
    this.refuseAdministratorsPause('Only an administrator can resume it.');
    move(webhookEndpointTransitions, this, 'resumeWebhookEndpoint', { pausedBy: null, pauseReason: null, statusChangedAt: now });
  }

  /** For good, so that another one can be registered. Throws `conflict` while an administrator's pause holds, because the same URL could follow. */
  remove(this: WebhookEndpoint, now: Date): void {
    this.refuseAdministratorsPause('It can be removed once an administrator has resumed it.');
    move(webhookEndpointTransitions, this, 'removeWebhookEndpoint', { slot: null, removedAt: now, statusChangedAt: now });
  }

  private refuseAdministratorsPause(this: WebhookEndpoint, what: string): void {
    if (this.pausedBy !== 'administrator') return;
    throw new DomainError('conflict', { detail: `An administrator has paused this endpoint. ${what}` });
  }
}
schema.setClass(WebhookEndpoint);
