import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { newId } from '../shared/ids.ts';
import { webhookLimits } from './webhookLimits.ts';
import { sql } from '../shared/sql.ts';
import { storedDeliveryColumns } from './deliveryStatus.ts';
import type { WebhookEventType } from './eventTypes.ts';
import { notifyPump } from './wakePump.ts';
import { receivesEvents } from './webhookEndpointStatus.ts';

type SharedResourceRef = { readonly id: string; readonly type: 'order' | 'vehicle' };

/** What an event refers to. Events contain only references; the payload is created on delivery. */
export type NewEvent = { readonly clientNo: number; readonly type: WebhookEventType } & (
  | { readonly type: 'connection.created'; readonly connectionId: string }
  | { readonly type: 'resource.granted' | 'resource.updated'; readonly connectionId: string; readonly resource: SharedResourceRef }
  | {
      readonly type: 'resource.revoked';
      readonly connectionId: string;
      readonly resource: SharedResourceRef;
      readonly revocationId: string;
    }
  | { readonly type: 'connection.revoked'; readonly connectionId: string; readonly revocationId: string }
  | { readonly type: 'statistics.updated'; readonly generationId: string }
  | { readonly type: 'integration.suspended' }
);

/** An endpoint that events are stored for. */
type Subscription = { readonly no: number; readonly clientNo: number; readonly eventTypes: readonly WebhookEventType[] };

/** Index webhook_endpoint_client. */
const subscriptionsSql = `
select no, client_no as "clientNo", event_types as "eventTypes" from webhook_endpoint where client_no = any($1::int[]) and ${receivesEvents} order by no`;

/** One statement for events and deliveries; it refers to rows that exist, and to no row that others write. */
const insertEventsSql = `
with event as (
  insert into webhook_event (id, client_no, type, occurred_at, expires_at, connection_id, resource_id, resource_type, revocation_id, generation_id)
  select u.id, u.client_no, u.type, $1::timestamptz, u.expires_at, u.connection_id, u.resource_id, u.resource_type, u.revocation_id, u.generation_id
    from unnest($2::text[], $3::int[], $4::text[], $5::timestamptz[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[])
         u(id, client_no, type, expires_at, connection_id, resource_id, resource_type, revocation_id, generation_id)),
delivery as (
  insert into webhook_delivery (id, endpoint_no, event_id, type, ${storedDeliveryColumns}, connection_id, resource_id)
  select u.id, u.endpoint_no, u.event_id, u.type, $1::timestamptz, u.window_ends_at, $1::timestamptz, u.connection_id, u.resource_id
    from unnest($11::text[], $12::int[], $13::text[], $14::text[], $15::timestamptz[], $16::text[], $17::text[])
         u(id, endpoint_no, event_id, type, window_ends_at, connection_id, resource_id)
  returning endpoint_no)
${notifyPump('webhook_due', 'delivery')}`;

/**
 * Stores events in the transaction of their cause (docs/specification.md, “Events”), in both environments, each with one delivery for every
 * endpoint that subscribes to it; what nobody subscribes to is not stored. It writes only new rows of the outbox, so it may come after the
 * feed's lock. From the commit on, the workers deliver.
 */
export async function emitEvent(tx: EntityManager, events: readonly NewEvent[], now: Date): Promise<void> {
  if (events.length === 0) return;
  const clientNos = [...new Set(events.map(({ clientNo }) => clientNo))];
  const subscriptions = Map.groupBy(await sql<Subscription>(tx, subscriptionsSql, [clientNos]), ({ clientNo }) => clientNo);
  if (subscriptions.size === 0) return;
  const subscribed = events.flatMap((event) => {
    const endpoints = (subscriptions.get(event.clientNo) ?? []).filter(({ eventTypes }) => eventTypes.includes(event.type));
    return endpoints.length > 0 ? [{ event, endpoints }] : [];
  });
  if (subscribed.length > 0) await sql(tx, insertEventsSql, columnsOf(subscribed, now));
}

/** What the statement needs, by columns. An event's window is open until it expires (docs/specification.md, “Delivery”). */
function columnsOf(subscribed: readonly { event: NewEvent; endpoints: readonly Subscription[] }[], now: Date): unknown[] {
  const [updateExpires, otherExpires] = [webhookLimits.updateEventLifetime, webhookLimits.eventLifetime].map(
    (time) => new Date(now.getTime() + time),
  );
  const expiryOf = ({ type }: NewEvent) => (type === 'resource.updated' ? updateExpires : otherExpires);
  const eventIds = newIds('evt', subscribed.length);
  const deliveries = subscribed.flatMap(({ event, endpoints }, index) =>
    endpoints.map(({ no }) => ({ event, eventId: eventIds[index], endpointNo: no })),
  );
  const events = subscribed.map(({ event }) => event);
  /** Only these are discarded with their subject. */
  const subjectOf = (event: NewEvent) => (event.type === 'resource.granted' || event.type === 'resource.updated' ? event : null);
  return [
    now,
    eventIds,
    events.map(({ clientNo }) => clientNo),
    events.map(({ type }) => type),
    events.map(expiryOf),
    events.map((event) => ('connectionId' in event ? event.connectionId : null)),
    events.map((event) => ('resource' in event ? event.resource.id : null)),
    events.map((event) => ('resource' in event ? event.resource.type : null)),
    events.map((event) => ('revocationId' in event ? event.revocationId : null)),
    events.map((event) => ('generationId' in event ? event.generationId : null)),
    newIds('dlv', deliveries.length),
    deliveries.map(({ endpointNo }) => endpointNo),
    deliveries.map(({ eventId }) => eventId),
    deliveries.map(({ event }) => event.type),
    deliveries.map(({ event }) => expiryOf(event)),
    deliveries.map(({ event }) => subjectOf(event)?.connectionId ?? null),
    deliveries.map(({ event }) => subjectOf(event)?.resource.id ?? null),
  ];
}

/** Drawn all at once, because the caller may hold the feeds of many clients. */
function newIds(prefix: 'evt' | 'dlv', count: number): string[] {
  const random = randomBytes(16 * count);
  return Array.from({ length: count }, (_, index) => newId(prefix, random.subarray(16 * index, 16 * (index + 1))));
}
