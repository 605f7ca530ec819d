import { interval, word } from '../shared/functions/sqlText.ts';
import { storedDeliveryColumns } from './deliveryStatus.ts';
import { type EventSubject, eventTypeFacts } from './eventTypeFacts.ts';
import { webhookEventTypes } from './eventTypes.ts';
import { pumpNotice } from './notifyPump.ts';
import { receivesEvents } from './webhookEndpointStatus.ts';
import { webhookLimits } from './webhookLimits.ts';

/** SQL: when an event of this type expires, and so does the window of its deliveries (docs/specification.md, “Delivery”). */
export const expiryOf = (eventType: string, occurredAt: string) =>
  `${occurredAt} + case ${eventType} ${webhookEventTypes.map((type) => `when ${word(type)} then ${interval(webhookLimits[eventTypeFacts[type].lifetime])}`).join(' ')} end`;

/** SQL: whether an event of this type tells of such a subject. */
export const isAbout = (subject: EventSubject, eventType: string) =>
  `${eventType} in (${webhookEventTypes
    .filter((type) => eventTypeFacts[type].about === subject)
    .map(word)
    .join(', ')})`;

/** SQL: whether deliveries of this type are discarded in the moment in which their resource may not be read any more. */
export const goesWithSubject = (eventType: string) => isAbout('resource', eventType);

/**
 * Stores events (docs/specification.md, “Events”), each with one delivery for every endpoint that subscribes to it; what nobody subscribes to
 * is not stored. From the commit on, the workers deliver. It refers to rows that exist, and to no row that others write. By index
 * webhook_endpoint_client. Shorter arrays count as filled up with null.
 */
export const storeEvents = `
create or replace function store_events(p_now timestamptz, p_client_numbers int[], p_types text[], p_connection_ids text[], p_resource_ids text[], p_resource_types text[],
  p_revocation_ids text[], p_generation_ids text[]) returns void language plpgsql volatile as $$
declare
  numbers text;
begin
  with subscription as materialized (
    select number, client_number, event_types from webhook_endpoint where client_number = any (p_client_numbers) and ${receivesEvents}),
  event as materialized (
    select new_id('evt') as id, e.*, ${expiryOf('e.type', 'p_now')} as expires_at
      from unnest(p_client_numbers, p_types, p_connection_ids, p_resource_ids, p_resource_types, p_revocation_ids, p_generation_ids) with ordinality
             e(client_number, type, connection_id, resource_id, resource_type, revocation_id, generation_id, n)
     where exists (select from subscription s where s.client_number = e.client_number and e.type = any (s.event_types))),
  stored as (
    insert into webhook_event (id, client_number, type, occurred_at, expires_at, connection_id, resource_id, resource_type, revocation_id, generation_id)
    select id, client_number, type, p_now, expires_at, connection_id, resource_id, resource_type, revocation_id, generation_id from event order by n),
  delivery as (
    insert into webhook_delivery (id, endpoint_number, event_id, type, ${storedDeliveryColumns}, connection_id, resource_id)
    select new_id('dlv'), s.number, e.id, e.type, p_now, e.expires_at, p_now,
           case when ${goesWithSubject('e.type')} then e.connection_id end, case when ${goesWithSubject('e.type')} then e.resource_id end
      from event e join subscription s on s.client_number = e.client_number and e.type = any (s.event_types) order by e.n, s.number
    returning endpoint_number)
  select string_agg(distinct endpoint_number::text, ',') into numbers from delivery;
  perform ${pumpNotice('webhook_due', 'numbers')} where numbers is not null;
end
$$;`;
