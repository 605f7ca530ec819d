import type { OrderData, OrderStatus } from '../../tracking/allowlist.ts';
import { configure, reconfigure } from './modelRange.ts';
import { planVoyage, type Voyage } from './seaRoutes.ts';
import type { Random } from './seededRandom.ts';
import { shippingHappenings } from './shippingTimeline.ts';
import { calendar, walk, type Calendar, type Happening, type Step } from './timeline.ts';

/** What an invented order is meant to become. The rest follows from the seed. */
export type OrderPlan = { readonly model: string; readonly market: string; readonly status: OrderStatus };

/** The order's life up to now, and the dates from which statistics are computed. */
export type OrderLife = {
  readonly steps: readonly Step<OrderData>[];
  readonly orderedOn: string;
  readonly builtOn: string | null;
  readonly deliveredOn: string | null;
};

type Milestones = ReadonlyMap<OrderStatus, number>;

/** A whole life, from the order to the planned status, which it reached before the day of `now`. */
export function orderLife(random: Random, plan: OrderPlan, now: Date): OrderLife {
  const voyage = planVoyage(random, plan.market, { bySea: plan.status === 'at_port' });
  const milestones = milestonesOf(random, plan.status, voyage);
  const age = ageToday(random, milestones, plan.status);
  const delivery = milestones.get('delivered') ?? random.between(90, 160);
  const days = calendar(random, now, age);
  const reached = (status: OrderStatus): string | null => {
    const day = milestones.get(status);
    return day !== undefined && day < age ? days.date(day) : null;
  };
  return {
    steps: walk(placedOrder(random, plan, delivery, days), happenings(random, milestones, delivery, voyage, days), days, age),
    orderedOn: days.date(0),
    builtOn: reached('built'),
    deliveredOn: reached('delivered'),
  };
}

/** The day of each status, at least two days apart, so that one can be before today and the next one after it. */
function milestonesOf(random: Random, status: OrderStatus, voyage: Voyage | null): Milestones {
  const days = new Map<OrderStatus, number>([['placed', 0]]);
  let day = 0;
  const reach = (next: OrderStatus, from: number, to: number): void => {
    day += random.between(from, to);
    days.set(next, day);
  };
  const cancelledAfter = status === 'cancelled' ? random.between(0, 2) : 3;
  if (cancelledAfter > 0) reach('confirmed', 2, 9);
  if (cancelledAfter > 1) reach('scheduled', 8, 50);
  if (cancelledAfter < 3) {
    reach('cancelled', 3, 25);
    return days;
  }
  reach('in_production', 14, 55);
  reach('built', 3, 9);
  reach('in_transit', 4, 20);
  if (voyage) reach('at_port', voyage.days, voyage.days);
  reach('at_delivery_centre', 4, 14);
  reach('delivered', 3, 18);
  return days;
}

/** How many days ago the order was placed: between the day after its last status and the day before its next one. */
function ageToday(random: Random, milestones: Milestones, status: OrderStatus): number {
  const sequence = [...milestones.values()];
  const reached = milestones.get(status) ?? 0;
  const next = sequence.find((day) => day > reached);
  // Few orders are old: squaring favours the recent past. The oldest are about three years old.
  if (next === undefined) return reached + 1 + Math.floor((random.between(0, 1_000) / 1_000) ** 2 * 1_050);
  return random.between(reached + 1, next - 1);
}

function placedOrder(random: Random, { model, market }: OrderPlan, delivery: number, days: Calendar): OrderData {
  const orderedOn = days.date(0);
  return {
    status: 'placed',
    ...configure(random, model),
    market,
    // The next model year opens in September.
    model_year: Number(orderedOn.slice(0, 4)) + (orderedOn.slice(5, 7) >= '09' ? 1 : 0),
    ordered_on: orderedOn,
    delivery_estimate: estimate(random, days, 0, delivery, 40),
  };
}

function happenings(
  random: Random,
  milestones: Milestones,
  delivery: number,
  voyage: Voyage | null,
  days: Calendar,
): Happening<OrderData>[] {
  const list: Happening<OrderData>[] = [];
  const on = (day: number, change: (order: OrderData) => Partial<OrderData>): void => {
    list.push({ day, apply: (order) => ({ ...order, ...change(order) }) });
  };
  const between = (
    from: OrderStatus,
    to: OrderStatus,
    probability: number,
    change: (order: OrderData, day: number) => Partial<OrderData>,
  ): void => {
    const [start, end] = [milestones.get(from), milestones.get(to)];
    if (start === undefined || end === undefined || !random.chance(probability)) return;
    const day = random.between(start + 1, end - 1);
    on(day, (order) => change(order, day));
  };
  for (const [status, day] of milestones) {
    if (status !== 'placed') on(day, (order) => ({ status, ...consequences(random, status, order, milestones, delivery, days) }));
  }
  between('confirmed', 'scheduled', 0.4, (order) => reconfigure(random, order));
  between('scheduled', 'in_production', 0.35, (order, day) => ({
    production: { ...order.production, scheduled_week: days.week((milestones.get('in_production') ?? day) + 7) },
    delivery_estimate: estimate(random, days, day, delivery, 20),
  }));
  between('built', 'in_transit', 0.6, (_, day) => ({ delivery_estimate: estimate(random, days, day, delivery, 12) }));
  if (voyage && milestones.has('in_transit')) list.push(...shippingHappenings(random, voyage, milestones.get('in_transit') ?? 0, days));
  return list;
}

/** What else changes together with the status. */
function consequences(
  random: Random,
  status: OrderStatus,
  order: OrderData,
  milestones: Milestones,
  delivery: number,
  days: Calendar,
): Partial<OrderData> {
  const day = milestones.get(status) ?? 0;
  if (status === 'scheduled') {
    const start = milestones.get('in_production') ?? day + random.between(14, 40);
    return { production: { scheduled_week: days.week(start) }, delivery_estimate: estimate(random, days, day, delivery, 25) };
  }
  if (status === 'in_production')
    return { production: { ...order.production, scheduled_week: days.week(day), started_on: days.date(day) } };
  if (status === 'built') return { production: { ...order.production, completed_on: days.date(day) } };
  if (status === 'at_delivery_centre') return { delivery_estimate: { from: days.date(delivery), to: days.date(delivery) } };
  if (status === 'cancelled') return { delivery_estimate: null };
  return {};
}

/** A window around the planned day. It never begins before the day on which it is announced. */
function estimate(random: Random, days: Calendar, today: number, delivery: number, spread: number): { from: string; to: string } {
  const from = Math.max(today + 1, delivery - random.between(3, spread));
  return { from: days.date(from), to: days.date(Math.max(from + 1, delivery + random.between(0, spread))) };
}
