import { locking } from '../../shared/locks.ts';
import { deliveryLifecycle, waitsForAttempt } from '../../outbox/deliveryStatus.ts';
import { rangeConditions } from '../history/deliveryList.sql.ts';
import type { Chosen } from '../history/selection.ts';

const pending = waitsForAttempt('d');

/**
 * SQL: the numbers of deliveries that wait for a later attempt, at most `count` of them, the next ones first. Index webhook_delivery_due.
 */
export function waitingNumbersSql(chosen: Chosen & { readonly now: Date }, count: number): { text: string; values: unknown[] } {
  const { endpointNumber, deliveryIds, types, until, now } = chosen;
  const values: unknown[] = [];
  const place = (value: unknown): string => `$${values.push(value)}`;
  const conditions = [
    `d.endpoint_number = ${place(endpointNumber)}`,
    pending,
    `d.next_attempt_at > ${place(now)}::timestamptz`,
    `d.created_at <= ${place(until)}::timestamptz`,
    `d.type = any (${place(types)}::text[])`,
    ...(deliveryIds === null ? [] : [`d.id = any (${place(deliveryIds)}::text[])`]),
    ...rangeConditions(chosen, place),
  ];
  const text = `select d.number from webhook_delivery d where ${conditions.join(' and ')} order by d.next_attempt_at, d.number limit ${place(count)}`;
  return { text, values };
}

const brought = (at: string) => deliveryLifecycle.sets('bringForward', { nextAttemptAt: at, waitAsked: 'false' });

/** Makes waiting deliveries due at `$2`, by their numbers (`$1`), in the order in which the workers write results. */
export const attemptNowSql = locking(
  'webhookDelivery',
  'no key update',
  (clause) => `
with mine as materialized (select number from webhook_delivery where number = any ($1::bigint[]) order by number ${clause}),
brought as (
  update webhook_delivery d set ${brought('$2')} from mine
   where d.number = mine.number and ${deliveryLifecycle.mayStart('bringForward', { row: 'd' })} and d.next_attempt_at > $2::timestamptz returning 1)
select count(*)::int as count from brought`,
);

/**
 * Brings forward at most `$4` of the deliveries of endpoint `$3` that wait longer than `$2` milliseconds from `$1`, the earliest first, to
 * moments scattered over these milliseconds. Where the receiver has asked for the wait, it is kept. Index webhook_delivery_due.
 */
export const comeForwardSql = locking(
  'webhookDelivery',
  'no key update',
  (clause) => `
with chosen as materialized (
  select number from webhook_delivery
   where endpoint_number = $3::int and ${waitsForAttempt()} and next_attempt_at > to_timestamp(($1::float8 + $2::float8) / 1000) and not wait_asked
   order by next_attempt_at, number limit $4::int),
mine as materialized (select number from webhook_delivery where number in (select number from chosen) order by number ${clause}),
brought as (
  update webhook_delivery d set ${brought('to_timestamp(($1::float8 + random() * $2::float8) / 1000)')} from mine
   where d.number = mine.number and ${deliveryLifecycle.mayStart('bringForward', { row: 'd' })} returning 1)
select count(*)::int as count from brought`,
).text;
