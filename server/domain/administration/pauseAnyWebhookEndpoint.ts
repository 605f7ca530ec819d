import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../audit/record.ts';
import { refuseOwn } from '../integration/refuseOwn.ts';
import { notify } from '../notification/notify.ts';
import type { Actor } from '../shared/actor.ts';
import { DomainError } from '../shared/DomainError.ts';
import { hasIdForm } from '../shared/ids.ts';
import { locking, takeLock } from '../shared/locks.ts';
import { goodReason } from '../shared/reason.ts';
import { WebhookEndpoint } from '../webhook/endpoint/WebhookEndpoint.ts';
import { recheckDeliveries, releaseDeliveries } from '../outbox/wakePump.ts';
import { administeredEndpoint, type AdministeredEndpoint } from './failingWebhookEndpoints.ts';

type EndpointDecision = { readonly actor: Actor; readonly endpointId: string; readonly reason: string; readonly now: Date };

const lockSql = locking(
  'webhookEndpoint',
  'no key update of p',
  (clause) => `
select p.number, i.operator_id as "operatorId" from webhook_endpoint p join integration i on i.id = p.integration_id where p.id = $1 ${clause}`,
);

/**
 * An administrator pauses somebody's endpoint and says why (docs/specification.md, “Administration”). From the commit on its deliveries are
 * held, and only an administrator can resume it. The owner gets a mail. Errors: invalid_request (reason), not_found, forbidden (own), conflict
 * (not proven, removed, or paused by an administrator already).
 */
export function pauseAnyWebhookEndpoint(em: EntityManager, decision: EndpointDecision): Promise<AdministeredEndpoint> {
  return decide(em, decision, 'paused', async (tx, endpoint, reason) => {
    endpoint.pauseByAdministrator(reason, decision.now);
    await tx.flush();
    await recheckDeliveries(tx, { endpointNumber: endpoint.number });
  });
}

/**
 * An administrator ends an administrator's pause; what was held is due at once, and the owner gets a mail. Errors: invalid_request (reason),
 * not_found, forbidden (own), conflict (not paused by an administrator).
 */
export function resumeAnyWebhookEndpoint(em: EntityManager, decision: EndpointDecision): Promise<AdministeredEndpoint> {
  return decide(em, decision, 'resumed', async (tx, endpoint) => {
    endpoint.resumeByAdministrator(decision.now);
    await tx.flush();
    await releaseDeliveries(tx, { endpointNumber: endpoint.number });
  });
}

type Change = (tx: EntityManager, endpoint: WebhookEndpoint, reason: string) => Promise<void>;

function decide(em: EntityManager, { actor, endpointId, reason, now }: EndpointDecision, done: 'paused' | 'resumed', change: Change) {
  const words = goodReason(reason);
  return em.transactional(async (tx) => {
    const [owner] = hasIdForm('whk', endpointId) ? await takeLock<{ number: number; operatorId: string }>(tx, lockSql, [endpointId]) : [];
    if (!owner) throw new DomainError('not_found', { detail: 'There is no such endpoint.' });
    const { number, operatorId } = owner;
    refuseOwn({ operatorId }, actor, 'administers');
    const endpoint = await tx.findOneOrFail(WebhookEndpoint, { number }, { refresh: true });
    await change(tx, endpoint, words);
    const { integrationId } = endpoint;
    await record(tx, actor, now, {
      action: `webhook_endpoint.${done}`,
      subject: { type: 'webhook_endpoint', id: endpointId },
      operatorId,
      integrationId,
      details: { reason: words },
    });
    const shown = await administeredEndpoint(tx, number);
    const { environment, host } = shown;
    const details = { environment, host, reason: words };
    const subjectId = `${endpointId} ${now.toISOString()}`;
    const kind = done === 'paused' ? 'webhook_paused' : 'webhook_resumed';
    await notify(tx, { kind, subjectId, operatorId, integrationId, details, now });
    return shown;
  });
}
