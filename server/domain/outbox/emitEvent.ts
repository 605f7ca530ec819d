import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../shared/sql.ts';
import type { eventTypeFacts } from './eventTypeFacts.ts';
import type { WebhookEventType } from './eventTypes.ts';

type OfEveryType<ByType extends Record<WebhookEventType, object>> = ByType;

/** What an event of each type refers to, besides its resource. */
type References = OfEveryType<{
  'connection.created': { readonly connectionId: string };
  'resource.granted': { readonly connectionId: string };
  'resource.updated': { readonly connectionId: string };
  'resource.revoked': { readonly connectionId: string; readonly revocationId: string };
  'connection.revoked': { readonly connectionId: string; readonly revocationId: string };
  'statistics.updated': { readonly generationId: string };
  'integration.suspended': object;
}>;

type ResourceOf<Type extends WebhookEventType> = (typeof eventTypeFacts)[Type]['resourceTypes'] extends readonly []
  ? object
  : { readonly resource: { readonly id: string; readonly type: (typeof eventTypeFacts)[Type]['resourceTypes'][number] } };

/** An event contains only references; the payload is created on delivery. */
export type NewEvent = {
  [Type in WebhookEventType]: { readonly clientNumber: number; readonly type: Type } & References[Type] & ResourceOf<Type>;
}[WebhookEventType];

const storeEventsSql = 'select store_events($1, $2::int[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])';

/**
 * Stores events in the transaction of their cause, in both environments, for those who subscribe to them (`store_events`). It writes only new
 * rows of the outbox, so it may come after the feed's lock.
 */
export async function emitEvent(tx: EntityManager, events: readonly NewEvent[], now: Date): Promise<void> {
  if (events.length === 0) return;
  await sql(tx, storeEventsSql, [
    now,
    events.map(({ clientNumber }) => clientNumber),
    events.map(({ type }) => type),
    events.map((event) => ('connectionId' in event ? event.connectionId : null)),
    events.map((event) => ('resource' in event ? event.resource.id : null)),
    events.map((event) => ('resource' in event ? event.resource.type : null)),
    events.map((event) => ('revocationId' in event ? event.revocationId : null)),
    events.map((event) => ('generationId' in event ? event.generationId : null)),
  ]);
}
