import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../shared/sql.ts';
import type { WebhookEventType } from './eventTypes.ts';

type SharedResourceRef = { readonly id: string; readonly type: 'order' | 'vehicle' };

/** What an event refers to. Events contain only references; the payload is created on delivery. */
export type NewEvent = { readonly clientNumber: number; readonly type: WebhookEventType } & (
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
