import { deliveryLifecycle, replayableDeliveryStates } from '../../outbox/deliveryStatus.ts';
import { rangeConditions } from '../history/deliveryList.sql.ts';
import type { Chosen } from '../history/selection.ts';

/** What one order chooses among the deliveries of an endpoint that have ended. */
type ChosenForReplay = Chosen & {
  /** Only of events that occurred after this moment, which are kept until the replay's window ends. */
  readonly occurredAfter: Date;
};

/** SQL: what the delivery `d` told of occurred after this moment in its endpoint's environment, and the endpoint subscribes to it. */
const kept = (after: string) => `exists (
  select 1 from webhook_event e join webhook_endpoint p on p.number = d.endpoint_number and p.client_number = e.client_number and e.type = any (p.event_types)
   where e.id = d.event_id and e.occurred_at > ${after}::timestamptz)`;

/** Those of the deliveries `$1` that no other order has replaced meanwhile and whose events occurred after `$2` and are subscribed to, in the order of their numbers. */
export const replayableSql = `
select d.number from webhook_delivery d
 where d.number = any ($1::bigint[]) and d.replayed_at is null and ${deliveryLifecycle.isIn(replayableDeliveryStates, { row: 'd' })} and ${kept('$2')} order by d.number`;

/**
 * SQL: the numbers of deliveries that can be replayed and that no later one has replaced, at most `count` of them. The ranges of
 * webhook_delivery_list or webhook_delivery_undelivered; single ones by the key of the ID.
 */
export function replayableNumbersSql(chosen: ChosenForReplay, count: number): { text: string; values: unknown[] } {
  const { endpointNumber, deliveryIds, states, types, until, occurredAfter } = chosen;
  const values: unknown[] = [];
  const place = (value: unknown): string => `$${values.push(value)}`;
  const limit = place(count);
  const conditions = [
    `d.endpoint_number = ${place(endpointNumber)}`,
    'd.replayed_at is null',
    `d.finished_at <= ${place(until)}::timestamptz`,
    kept(place(occurredAfter)),
    ...rangeConditions(chosen, place),
  ];
  const over = states.filter((state) => replayableDeliveryStates.some((replayable) => replayable === state));
  if (over.length === 0 || types.length === 0) return { text: 'select 0::bigint as number where false', values: [] };
  const select = (...more: readonly string[]) =>
    `(select d.number from webhook_delivery d where ${[...more, ...conditions].join(' and ')} limit ${limit})`;
  if (deliveryIds !== null) {
    const among = [
      `d.id = any (${place(deliveryIds)}::text[])`,
      deliveryLifecycle.isIn(over, { row: 'd' }),
      `d.type = any (${place(types)}::text[])`,
    ];
    return { text: select(...among), values };
  }
  const ranges = over.flatMap((state) => types.map((type) => select(deliveryLifecycle.isIn([state], { row: 'd' }), `d.type = '${type}'`)));
  return { text: `select number from (${ranges.join(' union all ')}) d limit ${limit}`, values };
}
