import { eventTypeFacts } from '../../../../server/domain/outbox/eventTypeFacts.ts';
import type { Endpoint, EventType } from './webhookQueries.ts';

const typeNames = Object.keys(eventTypeFacts) as (keyof typeof eventTypeFacts)[];
const withSnapshot = typeNames.filter((name) => eventTypeFacts[name].about === 'resource');

/** What each payload mode sends. */
export const payloadModeWords = {
  notification: {
    word: 'Notification',
    says: 'Each event says what has changed, by its identifiers. Your back end then pulls the data.',
  },
  full_payload: {
    word: 'Full payload',
    says: `Events of the types ${new Intl.ListFormat('en').format(withSnapshot)} also bring the resource’s current snapshot. History is always pulled.`,
  },
} as const satisfies Record<Endpoint['payloadMode'], { word: string; says: string }>;

/** Each type of event by its name in the portal’s API: its name on the wire, and its cause. */
export const eventTypeWords = {
  connection_created: { name: 'connection.created', says: 'A link code was redeemed.' },
  resource_granted: { name: 'resource.granted', says: 'An order or a stock vehicle joined a connection.' },
  resource_updated: { name: 'resource.updated', says: 'A shared order or stock vehicle has changed.' },
  resource_revoked: { name: 'resource.revoked', says: 'Access to an order or a stock vehicle was revoked, so your copy must be deleted.' },
  connection_revoked: { name: 'connection.revoked', says: 'A whole connection was revoked, so all its copies must be deleted.' },
  statistics_updated: { name: 'statistics.updated', says: 'New statistics were published.' },
  integration_suspended: { name: 'integration.suspended', says: 'Your integration was suspended.' },
} as const satisfies Record<EventType, { name: keyof typeof eventTypeFacts; says: string }>;

export const eventTypes = Object.keys(eventTypeWords) as EventType[];

/** A type’s name on the wire. One that only a later release knows cannot be named. */
export function eventTypeName(type: EventType | 'unknown'): string {
  return type === 'unknown' ? 'unknown type' : eventTypeWords[type].name;
}

/** The types that are still delivered while the integration’s status or its production gate holds the others, as a sentence lists them. */
export const unheldTypeNames = typeNames.filter((name) => eventTypeFacts[name].isNeverHeld);
