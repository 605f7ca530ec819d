import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { newId } from '../shared/ids.ts';
import { limits } from '../shared/limits.ts';
import { sql } from '../shared/sql.ts';
import type { WebhookEventType } from './eventTypes.ts';

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

const insertEventsSql = `
insert into webhook_event (id, client_no, type, occurred_at, expires_at, connection_id, resource_id, resource_type, revocation_id, generation_id)
select u.id, u.client_no, u.type, $1::timestamptz, case u.type when 'resource.updated' then $2::timestamptz else $3::timestamptz end,
       u.connection_id, u.resource_id, u.resource_type, u.revocation_id, u.generation_id
  from unnest($4::text[], $5::int[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[])
       u(id, client_no, type, connection_id, resource_id, resource_type, revocation_id, generation_id)`;

/**
 * Stores events in the transaction of their cause (docs/specification.md, “Events”), in both environments. It writes only rows of the
 * outbox, so it may come after the feed's lock.
 */
export async function emitEvent(tx: EntityManager, events: readonly NewEvent[], now: Date): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map((event) => ({
    connectionId: 'connectionId' in event ? event.connectionId : null,
    resource: 'resource' in event ? event.resource : null,
    revocationId: 'revocationId' in event ? event.revocationId : null,
    generationId: 'generationId' in event ? event.generationId : null,
  }));
  // Drawn all at once, because the caller may hold the feeds of many clients.
  const random = randomBytes(16 * events.length);
  await sql(tx, insertEventsSql, [
    now,
    new Date(now.getTime() + limits.updateEventLifetime),
    new Date(now.getTime() + limits.eventLifetime),
    events.map((_, index) => newId('evt', random.subarray(16 * index, 16 * (index + 1)))),
    events.map((event) => event.clientNo),
    events.map((event) => event.type),
    rows.map((row) => row.connectionId),
    rows.map((row) => row.resource?.id ?? null),
    rows.map((row) => row.resource?.type ?? null),
    rows.map((row) => row.revocationId),
    rows.map((row) => row.generationId),
  ]);
}
