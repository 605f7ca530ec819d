import type { OrderData, Shipping } from '../../tracking/allowlist.ts';
import type { Voyage } from './seaRoutes.ts';
import type { Random } from './seededRandom.ts';
import type { Calendar, Happening } from './timeline.ts';

type ShippingEvent = NonNullable<Shipping['events']>[number];

/** The voyage as its events report it. On the day `departure`, the ship departs and the order becomes in transit. */
export function shippingHappenings(random: Random, voyage: Voyage, departure: number, days: Calendar): Happening<OrderData>[] {
  const { vessel, voyage: number, origin, destination, transshipment } = voyage;
  const arrival = departure + voyage.days;
  const delayed = random.chance(0.5);
  const event = (kind: ShippingEvent['kind'], port: string, day: number, estimated = false): ShippingEvent => ({
    kind,
    port,
    at: days.instant(day),
    estimated,
  });
  const list: Happening<OrderData>[] = [];
  const on = (day: number, events: (known: readonly ShippingEvent[]) => ShippingEvent[]): void => {
    list.push({ day, apply: (order) => ({ ...order, shipping: { ...order.shipping, events: events(order.shipping?.events ?? []) } }) });
  };

  const departed = [
    event('loaded', origin, departure - 1),
    event('departed', origin, departure),
    event('arrived', destination, delayed ? arrival - random.between(1, 2) : arrival, true),
  ];
  list.push({
    day: departure,
    apply: (order) => ({
      ...order,
      shipping: { vessel, voyage: number, origin_port: origin, destination_port: destination, events: departed },
    }),
  });
  if (transshipment) {
    const day = departure + transshipment.day;
    on(day, (known) => [...known.slice(0, 2), event('transshipped', transshipment.port, day), ...known.slice(2)]);
  }
  if (delayed) on(arrival - 2, (known) => [...known.slice(0, -1), event('arrived', destination, arrival, true)]);
  on(arrival, (known) => [...known.slice(0, -1), event('arrived', destination, arrival)]);
  on(arrival + 2, (known) => [...known, event('discharged', destination, arrival + 2)]);
  return list;
}
