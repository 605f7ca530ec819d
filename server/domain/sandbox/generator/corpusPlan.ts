import { limits } from '../../shared/limits.ts';
import { orderStatuses, vehicleStatuses, type OrderStatus } from '../../tracking/allowlist.ts';
import { modelNames, popularModel } from './modelRange.ts';
import type { OrderPlan } from './orderTimeline.ts';
import { markets } from './seaRoutes.ts';
import type { Random } from './seededRandom.ts';
import type { VehiclePlan } from './vehicleTimeline.ts';

const userCount = 300;

/** Groups that have more than 20 different users in every corpus, so that there are always statistics to show. */
const leadingGroups = [
  { market: 'DE', model: 'Kestrel', status: 'delivered' },
  { market: 'DE', model: 'Meridian', status: 'delivered' },
  { market: 'NL', model: 'Kestrel', status: 'delivered' },
  { market: 'NO', model: 'Kestrel', status: 'delivered' },
  { market: 'DE', model: 'Kestrel', status: 'in_transit' },
  { market: 'DE', model: 'Kestrel', status: 'confirmed' },
] as const satisfies readonly OrderPlan[];

/** The states of the other orders, by frequency. */
const statusShares: readonly { readonly status: OrderStatus; readonly weight: number }[] = [
  { status: 'placed', weight: 8 },
  { status: 'confirmed', weight: 10 },
  { status: 'scheduled', weight: 8 },
  { status: 'in_production', weight: 5 },
  { status: 'built', weight: 5 },
  { status: 'in_transit', weight: 10 },
  { status: 'at_port', weight: 4 },
  { status: 'at_delivery_centre', weight: 6 },
  { status: 'delivered', weight: 38 },
  { status: 'cancelled', weight: 6 },
];

/** A test user, who has one connection with a few orders and perhaps stock vehicles. */
type UserPlan = { readonly optedIn: boolean; readonly linkedDaysAgo: number };

/** Who has which resources. `user` is an index into `users`. */
export type CorpusPlan = {
  readonly users: readonly UserPlan[];
  readonly orders: readonly (OrderPlan & { readonly user: number })[];
  readonly vehicles: readonly (VehiclePlan & { readonly user: number })[];
};

/** Distributes 500 orders and 50 stock vehicles among the users. Each user has one order, and some have up to a handful. */
export function planCorpus(random: Random): CorpusPlan {
  const leading = leadingGroups.flatMap((group) => Array.from({ length: random.between(23, 34) }, () => group));
  const first = Array.from({ length: userCount }, (_, user) => ({ ...(leading[user] ?? anyOrder(random, user - leading.length)), user }));
  const further = Array.from({ length: limits.corpusOrders - userCount }, (_, index) => {
    const user = random.between(0, userCount - 1);
    return { ...anyOrder(random, index), market: first[user]!.market, user };
  });
  const users = first.map((_, user) => ({
    // All users of a leading group take part in statistics. Of the others, one in eight does not.
    optedIn: user < leading.length || !random.chance(0.125),
    linkedDaysAgo: random.between(1, 420),
  }));
  const vehicles = Array.from({ length: limits.corpusVehicles }, (_, index) => {
    const user = random.between(0, userCount - 1);
    const status = vehicleStatuses[index] ?? random.pick(vehicleStatuses);
    return { model: popularModel(random), market: first[user]!.market, status, user };
  });
  return { users, orders: random.shuffled([...first, ...further]), vehicles };
}

/** The first orders go through all states, models and markets, so that none is missing. After that, chance decides. */
function anyOrder(random: Random, index: number): OrderPlan {
  return {
    status: orderStatuses[index] ?? random.weighted(statusShares).status,
    model: modelNames[index] ?? popularModel(random),
    market: markets[index]?.code ?? random.weighted(markets).code,
  };
}
