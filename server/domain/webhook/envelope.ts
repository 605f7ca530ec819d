import type { Environment } from '../shared/environment.ts';
import type { NewEvent } from '../outbox/emitEvent.ts';
import { eventTypeFacts } from '../outbox/eventTypeFacts.ts';

type WebhookEventType = NewEvent['type'];

/** An event as it is stored, with its revocation’s deadline. What its type does not have is null or absent. */
export type DeliverableEvent = {
  readonly id: string;
  readonly type: WebhookEventType;
  readonly occurredAt: Date;
  readonly connectionId?: string | null;
  readonly resource?: { readonly id: string; readonly type: 'order' | 'vehicle' } | null;
  readonly revocationId?: string | null;
  readonly deletionDeadlineAt?: Date | null;
  readonly generationId?: string | null;
};

/** The current snapshot of a resource: what `GET /v1/orders/{order_id}` or `GET /v1/vehicles/{vehicle_id}` answers, as JSON text. */
export type EnclosedSnapshot = { readonly text: string; readonly historyComplete: boolean };

type Envelope = {
  readonly event: DeliverableEvent;
  /** The origin of the machine API, such as `https://api.example`, without a path. */
  readonly source: string;
  readonly environment: Environment;
  /** Only with types that show a resource, and only in full_payload mode. */
  readonly snapshot?: EnclosedSnapshot | undefined;
};

/** The time of an event as its envelope and its header have it: RFC 3339 in UTC with milliseconds. */
export function eventTimestamp({ occurredAt }: Pick<DeliverableEvent, 'occurredAt'>): string {
  return occurredAt.toISOString();
}

/**
 * The body of a delivery: a CloudEvents object with exactly the members that receivers are promised (docs/specification.md, “Envelope”), as
 * JSON text. Throws Error if the event lacks what its type has, or if a snapshot is given to a type that never has one.
 */
export function deliveryEnvelope({ event, source, environment, snapshot }: Envelope): string {
  const { id, type } = event;
  const head = JSON.stringify({ specversion: '1.0', id, type, source, time: eventTimestamp(event), environment, data: dataOf(event) });
  if (!snapshot) return head;
  if (eventTypeFacts[type].about !== 'resource') throw new Error(`An event ${type} never encloses a snapshot.`);
  // The text is spliced in as it was read, in front of the two braces that end `data` and the envelope.
  return `${head.slice(0, -2)},"snapshot":${snapshot.text},"history_complete":${snapshot.historyComplete}}}`;
}

function dataOf(event: DeliverableEvent): Readonly<Record<string, unknown>> {
  const connection = () => ({ connection_id: present(event, 'connectionId') });
  const resource = () => {
    const { id, type } = present(event, 'resource');
    return { resource: { id, type } };
  };
  const deletion = () => ({
    revocation_id: present(event, 'revocationId'),
    deletion_deadline_at: present(event, 'deletionDeadlineAt').toISOString(),
  });
  switch (event.type) {
    case 'connection.created':
      return connection();
    case 'resource.granted':
    case 'resource.updated':
      return { ...connection(), ...resource() };
    case 'resource.revoked':
      return { ...connection(), ...resource(), ...deletion() };
    case 'connection.revoked':
      return { ...connection(), ...deletion() };
    case 'statistics.updated':
      return { generation_id: present(event, 'generationId') };
    case 'integration.suspended':
      return {};
  }
}

function present<Name extends keyof DeliverableEvent>(event: DeliverableEvent, name: Name): NonNullable<DeliverableEvent[Name]> {
  const value = event[name];
  if (value == null) throw new Error(`An event ${event.type} is stored without ${name}.`);
  return value;
}
