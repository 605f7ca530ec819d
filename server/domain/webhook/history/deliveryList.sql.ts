import type { WebhookEventType } from '../../outbox/eventTypes.ts';
import { hasArrived, type DeliveryState } from '../../outbox/deliveryStatus.ts';

/** Which deliveries of an endpoint a list or its owner takes. Everything that is given has to hold. */
export type DeliveryRanges = {
  readonly states: readonly DeliveryState[];
  readonly types: readonly WebhookEventType[];
  /** Stored at this moment or later. A first delivery is stored when its event occurs. */
  readonly from: Date | null;
  /** Stored before this moment. */
  readonly to: Date | null;
  /** Only of events that this endpoint never received, each once: a delivery that was replayed is represented by its replay. */
  readonly undelivered: boolean;
};

type Asked = DeliveryRanges & {
  readonly endpointNumber: number;
  /** Where the page before ended. */
  readonly last: readonly [Date, number] | null;
  readonly count: number;
};

/** SQL: the delivery `d` stands for an event that its endpoint never received. */
const neverDelivered = `not ${hasArrived('d')} and d.replayed_at is null and not d.delivered_before`;

/** A delivery `d` with its event, which is looked up by its primary key: `limit` keeps a plan from reading the whole table. */
export const deliveryColumns = `
  d.number::float8 as number, d.id, d.endpoint_number as "endpointNumber", d.event_id as "eventId", d.type, d.state, d.reason, d.attempts as "attemptsCount",
  d.next_attempt_at as "nextAttemptAt", d.wait_asked as "waitAsked", d.window_ends_at as "windowEndsAt", d.created_at as "createdAt",
  d.finished_at as "finishedAt", d.replay_of as "replayOf", d.replayed_at as "replayedAt",
  e.occurred_at as "occurredAt", e.expires_at as "expiresAt", e.connection_id as "connectionId",
  e.resource_id as "resourceId", e.revocation_id as "revocationId", e.generation_id as "generationId",
  coalesce(e.test, false) as test, (select environment from client where number = e.client_number) as environment`;
export const eventOfDelivery = `left join lateral (select * from webhook_event where id = d.event_id limit 1) e on true`;

const newestFirst = 'order by d.created_at desc, d.number desc';

/**
 * A page of an endpoint's deliveries, newest first: the ranges of webhook_delivery_list for each state and type, merged while they are read.
 * What was never delivered and is over has an index of its own, webhook_delivery_undelivered, because nearly everything was delivered.
 */
export function deliveryListSql({ endpointNumber, last, count, ...asked }: Asked): { text: string; values: unknown[] } {
  const { states, types } = asked;
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const [endpoint, limit] = [bind(endpointNumber), bind(count)];
  const conditions = conditionsOf({ ...asked, last }, bind);
  const ranges = states.flatMap((state) =>
    types.map(
      (type) =>
        `(select d.* from webhook_delivery d where ${[`d.endpoint_number = ${endpoint}`, `d.state = '${state}'`, `d.type = '${type}'`, ...conditions].join(' and ')} ${newestFirst} limit ${limit})`,
    ),
  );
  const found = `select * from (${ranges.join(' union all ')}) d ${newestFirst} limit ${limit}`;
  return { text: `select ${deliveryColumns} from (${found}) d ${eventOfDelivery} ${newestFirst}`, values };
}

/** All that a page for one event or one resource may go through: resources seldom have more events in thirty days. */
const mostEvents = 1_000;

/** The deliveries of one event to an endpoint, or those of the newest events of one resource. Indexes webhook_delivery_event, webhook_event_resource. */
export function subjectListSql(
  { endpointNumber, last, count, ...asked }: Asked,
  { eventId, resourceId }: { readonly eventId: string | null; readonly resourceId: string | null },
): { text: string; values: unknown[] } {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const events =
    eventId === null
      ? `(select id from webhook_event where resource_id = ${bind(resourceId)} order by occurred_at desc, id desc limit ${mostEvents})`
      : `(select id from webhook_event where id = ${bind(eventId)}${resourceId === null ? '' : ` and resource_id = ${bind(resourceId)}`})`;
  const conditions = [
    `d.endpoint_number = ${bind(endpointNumber)}`,
    `d.state = any (${bind(asked.states)}::text[])`,
    `d.type = any (${bind(asked.types)}::text[])`,
    ...conditionsOf({ ...asked, last }, bind),
  ];
  const text = `
select ${deliveryColumns}
  from ${events} q join webhook_delivery d on d.event_id = q.id ${eventOfDelivery}
 where ${conditions.join(' and ')} ${newestFirst} limit ${bind(count)}`;
  return { text, values };
}

/** SQL: what ranges demand of a delivery `d` besides its state and type. */
export function rangeConditions(
  { from, to, undelivered }: Pick<DeliveryRanges, 'from' | 'to' | 'undelivered'>,
  bind: (value: unknown) => string,
): string[] {
  return [
    ...(from === null ? [] : [`d.created_at >= ${bind(from)}::timestamptz`]),
    ...(to === null ? [] : [`d.created_at < ${bind(to)}::timestamptz`]),
    ...(undelivered ? [neverDelivered] : []),
  ];
}

function conditionsOf(
  { last, ...ranges }: Pick<Asked, 'from' | 'to' | 'undelivered' | 'last'>,
  bind: (value: unknown) => string,
): string[] {
  return [
    ...rangeConditions(ranges, bind),
    ...(last === null ? [] : [`(d.created_at, d.number) < (${bind(last[0])}::timestamptz, ${bind(last[1])}::bigint)`]),
  ];
}
