import type { EntityManager } from '@mikro-orm/postgresql';
import type { FieldError } from '../../shared/DomainError.ts';
import type { Environment } from '../../shared/environment.ts';
import { hasIdForm } from '../../shared/ids.ts';
import { timeCursors } from '../../shared/lists/cursors.ts';
import { page, type Page, type PageRequest } from '../../shared/lists/page.ts';
import { sql } from '../../shared/sql.ts';
import { deliveryFacts, type DeliveryReason } from '../../outbox/deliveryFacts.ts';
import { deliveryStates, type DeliveryState } from '../../outbox/deliveryStatus.ts';
import { webhookEventTypes, type WebhookEventType } from '../../outbox/eventTypes.ts';
import { deliveryListSql, subjectListSql, type DeliveryRanges } from './deliveryList.sql.ts';
import { factsIn } from '../../shared/lifecycle.ts';

/** A delivery with what its event refers to. */
export type Delivery = {
  /** Its number, which is not shown. */
  readonly number: number;
  readonly id: string;
  readonly endpointNumber: number;
  readonly event: {
    readonly id: string;
    readonly type: WebhookEventType;
    readonly occurredAt: Date;
    readonly expiresAt: Date;
    readonly connectionId: string | null;
    readonly resourceId: string | null;
    readonly revocationId: string | null;
    readonly generationId: string | null;
    readonly test: boolean;
    /** Where it happened. Null once the event is no longer kept. */
    readonly environment: Environment | null;
  };
  readonly state: DeliveryState;
  /** Why it is held, or why it ended without being delivered. */
  readonly reason: DeliveryReason | null;
  readonly attemptsCount: number;
  readonly nextAttemptAt: Date | null;
  /** The receiver itself has asked to wait until then. */
  readonly waitAsked: boolean;
  readonly windowEndsAt: Date;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  /** The delivery that it repeats. */
  readonly replayOf: string | null;
  /** When a later delivery of the same event took its place. */
  readonly replayedAt: Date | null;
};

export type DeliveryFilter = {
  readonly states?: readonly DeliveryState[] | null;
  readonly types?: readonly WebhookEventType[] | null;
  readonly from?: Date | null;
  readonly to?: Date | null;
  readonly undelivered?: boolean | null;
};
type ListFilter = DeliveryFilter & { readonly eventId?: string | null; readonly resourceId?: string | null };

/**
 * A page of an endpoint's deliveries, newest first (docs/specification.md, “Deliveries in the portal”). The caller may see the endpoint.
 * Errors: invalid_request (`first`, `after`, `eventId`, `resourceId`, `to`).
 */
export function deliveriesOf(
  em: EntityManager,
  { endpointNumber, filter, ...request }: { endpointNumber: number; filter: ListFilter } & PageRequest,
): Promise<Page<Delivery>> {
  const eventId = filter.eventId?.trim() || null;
  const resourceId = filter.resourceId?.trim() || null;
  return page(request, {
    cursors: timeCursors(
      ({ createdAt }: Delivery) => createdAt,
      ({ number }) => [number],
      (text): [number] | undefined => (/^[1-9]\d{0,14}$/.test(text) ? [Number(text)] : undefined),
    ),
    errors: [...timeErrors(filter, ''), ...subjectErrors(eventId, resourceId)],
    read: async (count, last) => {
      const asked = { endpointNumber, last, count, ...rangesOf(filter) };
      if (asked.states.length === 0 || asked.types.length === 0) return [];
      const { text, values } = (eventId ?? resourceId) ? subjectListSql(asked, { eventId, resourceId }) : deliveryListSql(asked);
      return (await sql<DeliveryRow>(em, text, values)).map(deliveryOf);
    },
  });
}

/** The ranges of a filter. A list that is absent or empty excludes nothing. */
export function rangesOf({ states, types, from, to, undelivered }: DeliveryFilter): DeliveryRanges {
  const wanted = deliveryStates.filter((state) => !states?.length || states.includes(state));
  return {
    states: undelivered ? wanted.filter((state) => !factsIn(deliveryFacts, state).arrived) : wanted,
    types: webhookEventTypes.filter((type) => !types?.length || types.includes(type)),
    from: from ?? null,
    to: to ?? null,
    undelivered: undelivered ?? false,
  };
}

/** What is wrong with the times of a filter. */
export function timeErrors({ from, to }: DeliveryFilter, path: string): FieldError[] {
  return from && to && to <= from ? [{ path: `${path}to`, message: 'The end must be later than the beginning.' }] : [];
}

function subjectErrors(eventId: string | null, resourceId: string | null): FieldError[] {
  const found: FieldError[] = [];
  if (eventId !== null && !hasIdForm('evt', eventId))
    found.push({ path: 'eventId', message: 'An event ID is evt_ followed by 26 characters, as in the X-SVC-Event-ID header.' });
  if (resourceId !== null && !hasIdForm('ord', resourceId) && !hasIdForm('veh', resourceId))
    found.push({ path: 'resourceId', message: 'A resource ID is ord_ or veh_ followed by 26 characters.' });
  return found;
}

type EventOf = Delivery['event'];
/** A delivery as `deliveryColumns` reads it. */
export type DeliveryRow = Pick<
  Delivery,
  | 'number'
  | 'id'
  | 'endpointNumber'
  | 'state'
  | 'reason'
  | 'attemptsCount'
  | 'waitAsked'
  | 'replayOf'
  | 'nextAttemptAt'
  | 'finishedAt'
  | 'replayedAt'
  | 'windowEndsAt'
  | 'createdAt'
> &
  Pick<EventOf, 'type' | 'connectionId' | 'resourceId' | 'revocationId' | 'generationId' | 'test' | 'environment'> &
  Readonly<Record<'occurredAt' | 'expiresAt', Date | null>> & { readonly eventId: string };

export function deliveryOf(row: DeliveryRow): Delivery {
  const { eventId, type, connectionId, resourceId, revocationId, generationId, test, environment, occurredAt, expiresAt, ...delivery } =
    row;
  // An event may be forgotten before its deliveries are.
  const times = { occurredAt: occurredAt ?? row.createdAt, expiresAt: expiresAt ?? row.windowEndsAt };
  return {
    ...delivery,
    event: { id: eventId, type, ...times, connectionId, resourceId, revocationId, generationId, test, environment },
    // The column keeps the last plan of what is held or over.
    nextAttemptAt: factsIn(deliveryFacts, row.state).waitsFor === 'attempt' ? row.nextAttemptAt : null,
  };
}
