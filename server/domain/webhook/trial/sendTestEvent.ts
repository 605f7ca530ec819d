import type { EntityManager } from '@mikro-orm/postgresql';
import { takeAttempt } from '../../account/attempts.ts';
import { record } from '../../audit/record.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { refuseInvalid } from '../../shared/DomainError.ts';
import { newId } from '../../shared/ids.ts';
import { sql } from '../../shared/sql.ts';
import { storedDeliveryColumns } from '../../outbox/deliveryStatus.ts';
import type { WebhookEventType } from '../../outbox/eventTypes.ts';
import type { Delivery } from '../history/deliveries.ts';
import { ownDelivery } from '../history/ownDelivery.ts';
import { refuseUnlessActive } from '../replay/refuseUnlessActive.ts';
import { releaseDeliveries } from '../../outbox/wakePump.ts';
import { expiryOf, goesWithSubject } from '../../outbox/storeEvents.function.ts';
import { ownSandboxEndpoint } from './ownSandboxEndpoint.ts';
import { sandboxFixture } from './sandboxFixture.ts';

const storeSql = `
with event as (
  insert into webhook_event (id, client_number, type, occurred_at, expires_at, connection_id, resource_id, resource_type, revocation_id, generation_id, test)
  values ($1, $2, $3, $4::timestamptz, ${expiryOf('$3', '$4::timestamptz')}, $5, $6, $7, $8, $9, true) returning expires_at)
insert into webhook_delivery (id, endpoint_number, event_id, type, test, ${storedDeliveryColumns}, connection_id, resource_id)
select $10, $11, $1, $3, true, $4, expires_at, $4, case when ${goesWithSubject('$3')} then $5 end, case when ${goesWithSubject('$3')} then $6 end from event`;

type SendTestEvent = { readonly actor: OperatorActor; readonly endpointId: string; readonly type: WebhookEventType; readonly now: Date };

/**
 * Delivers an event about something in the sandbox's test data to one of the actor's active sandbox endpoints (docs/specification.md, “Test
 * events and samples”): a delivery like any other, which only the portal marks as a test. Errors: not_found, invalid_request (a type that the
 * endpoint does not subscribe to), conflict (production, not active, nothing to refer to), rate_limit_exceeded (60 an hour).
 */
export function sendTestEvent(em: EntityManager, { actor, endpointId, type, now }: SendTestEvent): Promise<Delivery> {
  return em.transactional(async (tx) => {
    const endpoint = await ownSandboxEndpoint(tx, actor.operatorId, endpointId);
    await takeAttempt(tx, { kind: 'test_event_endpoint', source: endpointId }, now);
    refuseUnlessActive(endpoint);
    if (!endpoint.eventTypes.includes(type)) {
      refuseInvalid([{ path: 'input.type', message: `The endpoint does not subscribe to ${type}, so it would never get such an event.` }]);
    }
    const { connectionId, resource, revocationId, generationId } = await sandboxFixture(tx, endpoint.clientNumber, type);
    const [eventId, id] = [newId('evt'), newId('dlv')];
    const event = [eventId, endpoint.clientNumber, type, now, connectionId, resource?.id, resource?.type, revocationId, generationId];
    await sql(tx, storeSql, [...event.map((value) => value ?? null), id, endpoint.number]);
    await releaseDeliveries(tx, { endpointNumber: endpoint.number });
    await record(tx, actor, now, {
      action: 'webhook_endpoint.test_event_sent',
      subject: { type: 'webhook_endpoint', id: endpointId },
      integrationId: endpoint.integrationId,
      details: { eventType: type, eventId, deliveryId: id },
    });
    return ownDelivery(tx, actor.operatorId, id);
  });
}
