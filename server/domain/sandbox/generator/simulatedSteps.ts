import type { OrderData, OrderStatus, Shipping, VehicleData, VehicleStatus } from '../../tracking/allowlist.ts';
import { orderStatusFacts, vehicleStatusFacts } from '../../tracking/statusFacts.ts';
import { planVoyage } from './seaRoutes.ts';
import type { Random } from './seededRandom.ts';
import { isoWeek } from './timeline.ts';

const day = 86_400_000;

type Events = NonNullable<Shipping['events']>;
type OrderStep = (order: OrderData, random: Random, now: Date) => Partial<OrderData>;

/** The step that follows each status, with everything that naturally changes with it. A status that is not listed is the end. */
const orderSteps: Partial<Record<OrderStatus, OrderStep>> = {
  placed: () => ({ status: 'confirmed' }),
  confirmed: (_, random, now) => {
    const start = random.between(14, 35);
    return {
      status: 'scheduled',
      production: { scheduled_week: isoWeek(later(now, start)) },
      delivery_estimate: estimate(now, start + random.between(40, 60), random.between(10, 25)),
    };
  },
  scheduled: ({ production }, _, now) => ({
    status: 'in_production',
    production: { ...production, scheduled_week: isoWeek(now), started_on: date(now) },
  }),
  in_production: ({ production }, _, now) => ({ status: 'built', production: { ...production, completed_on: date(now) } }),
  built: ({ market }, random, now) => {
    const voyage = planVoyage(random, market, { bySea: false });
    if (!voyage) return { status: 'in_transit', delivery_estimate: estimate(now, random.between(4, 8), 5) };
    return {
      status: 'in_transit',
      delivery_estimate: estimate(now, voyage.days + 5, random.between(5, 12)),
      shipping: {
        vessel: voyage.vessel,
        voyage: voyage.voyage,
        origin_port: voyage.origin,
        destination_port: voyage.destination,
        events: [
          { kind: 'loaded', port: voyage.origin, at: later(now, -0.5).toISOString(), estimated: false },
          { kind: 'departed', port: voyage.origin, at: now.toISOString(), estimated: false },
          { kind: 'arrived', port: voyage.destination, at: later(now, voyage.days).toISOString(), estimated: true },
        ],
      },
    };
  },
  in_transit: ({ shipping }, random, now) =>
    shipping?.destination_port
      ? { status: 'at_port', shipping: { ...shipping, events: happened(shipping, 'arrived', now) } }
      : atDeliveryCentre(random, now),
  at_port: ({ shipping }, random, now) => ({
    ...atDeliveryCentre(random, now),
    ...(shipping?.destination_port && { shipping: { ...shipping, events: happened(shipping, 'discharged', now) } }),
  }),
  at_delivery_centre: (_, __, now) => ({ status: 'delivered', delivery_estimate: estimate(now, 0, 0) }),
};

const nextVehicleStatus: Partial<Record<VehicleStatus, VehicleStatus>> = { available: 'reserved', reserved: 'sold' };

/** The order after the next step of its life, taken at `now`. Null at its end. */
export function nextOrder(order: OrderData, random: Random, now: Date): OrderData | null {
  const step = orderSteps[order.status];
  return step ? { ...order, ...step(order, random, now) } : null;
}

/** The cancelled order. Null unless the order is before production, because later it cannot be cancelled. */
export function cancelOrder(order: OrderData): OrderData | null {
  return orderStatusFacts[order.status].mayEnd ? { ...order, status: 'cancelled', delivery_estimate: null } : null;
}

/** The stock vehicle after its next step. Null at its end. */
export function nextVehicle(vehicle: VehicleData): VehicleData | null {
  const status = nextVehicleStatus[vehicle.status];
  return status ? { ...vehicle, status } : null;
}

/** The stock vehicle, withdrawn from sale. Null if it is already gone. */
export function withdrawVehicle(vehicle: VehicleData): VehicleData | null {
  return vehicleStatusFacts[vehicle.status].mayEnd ? { ...vehicle, status: 'withdrawn' } : null;
}

export const advanceableStatuses: readonly string[] = [...Object.keys(orderSteps), ...Object.keys(nextVehicleStatus)];

function atDeliveryCentre(random: Random, now: Date): Partial<OrderData> {
  return { status: 'at_delivery_centre', delivery_estimate: estimate(now, random.between(3, 9), 0) };
}

/** The new event replaces what was only estimated until then, which has happened or never will. What has been reported happens only once. */
function happened({ destination_port: port, events }: Shipping, kind: Events[number]['kind'], now: Date): Events {
  const known = (events ?? []).filter(({ estimated }) => !estimated);
  if (known.some((event) => event.kind === kind && event.port === port)) return known;
  return port ? [...known, { kind, port, at: now.toISOString(), estimated: false }] : known;
}

function estimate(now: Date, inDays: number, length: number): { from: string; to: string } {
  return { from: date(later(now, inDays)), to: date(later(now, inDays + length)) };
}

function later(now: Date, days: number): Date {
  return new Date(now.getTime() + days * day);
}

function date(at: Date): string {
  return at.toISOString().slice(0, 10);
}
