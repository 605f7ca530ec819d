import { eventTypeFacts } from '../../../server/domain/outbox/eventTypeFacts.ts';
import { newId } from '../../../server/domain/shared/ids.ts';
import type { WebhookEventType } from '../../../server/domain/outbox/eventTypes.ts';
import type { TestClient } from '../world/Fixtures.ts';
import type { World } from '../world/World.ts';
import { type TestEndpoint, webhookEndpoint as endpointRow } from './endpointRows.ts';

type EndpointOptions = {
  readonly url: string;
  readonly payloadMode?: 'notification' | 'full_payload';
  readonly status?: 'registered' | 'active' | 'paused';
  readonly eventTypes?: readonly WebhookEventType[];
};

/** An endpoint of the client that has been proven at the world’s present moment. */
export function webhookEndpoint(world: World, { number }: Pick<TestClient, 'number'>, options: EndpointOptions): Promise<TestEndpoint> {
  return endpointRow(world, number, { ...options, at: world.clock.now() });
}

export type StoredEvent = {
  readonly type: WebhookEventType;
  readonly connectionId?: string;
  readonly resource?: { readonly id: string; readonly type: 'order' | 'vehicle' };
  readonly revocationId?: string;
  readonly generationId?: string;
};

/** An event with its delivery to this endpoint, due now, with a window of so many milliseconds. */
export async function webhookDelivery(
  world: World,
  { number: clientNumber }: Pick<TestClient, 'number'>,
  { number: endpointNumber }: Pick<TestEndpoint, 'number'>,
  { type, connectionId, resource, revocationId, generationId }: StoredEvent,
  window = 7 * 24 * 3_600_000,
): Promise<{ eventId: string; id: string; number: number }> {
  const now = world.clock.now();
  const endsAt = new Date(now.getTime() + window);
  const eventId = newId('evt');
  const id = newId('dlv');
  await world.rows(
    `insert into webhook_event (id, client_number, type, occurred_at, expires_at, connection_id, resource_id, resource_type, revocation_id, generation_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [eventId, clientNumber, type, now, endsAt, connectionId, resource?.id, resource?.type, revocationId, generationId],
  );
  const ended = eventTypeFacts[type].about === 'resource';
  const [row] = await world.rows<{ number: string }>(
    `insert into webhook_delivery (id, endpoint_number, event_id, type, next_attempt_at, window_ends_at, created_at, connection_id, resource_id)
     values ($1, $2, $3, $8, $4, $5, $4, $6, $7) returning number`,
    [id, endpointNumber, eventId, now, endsAt, ended ? connectionId : null, ended ? resource?.id : null, type],
  );
  return { eventId, id, number: Number(row?.number) };
}
