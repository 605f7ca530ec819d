import type { Scope } from '../../shared/scopes.ts';
import type { StatisticsRow } from '../../statistics/orderStatistics.ts';
import type { ResourceData, ResourceType } from '../../tracking/allowlist.ts';
import { planCorpus, type CorpusPlan } from './corpusPlan.ts';
import { allowedData, corpusContents, keepsHistoryItem, sharedTypes } from './fixtureScopes.ts';
import { orderLife, type OrderLife } from './orderTimeline.ts';
import { seededRandom, type Random } from './seededRandom.ts';
import { writeHistory, type History, type Step } from './timeline.ts';
import { vehicleLife } from './vehicleTimeline.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** A user who has one connection to the integration. */
export type CorpusUser = { readonly optedIn: boolean; readonly linkedAt: number };

/** A resource with its history, shared by one user. Times are milliseconds since 1970. */
export type CorpusResource = History & {
  readonly type: ResourceType;
  /** Index into `users`. */
  readonly user: number;
  readonly historyComplete: boolean;
  /** The share's revision, as if it had been published live: each change since it was granted has raised it by one. */
  readonly revision: number;
  readonly updatedAt: number;
};

/**
 * The corpus of one sandbox, as far as its scopes allow: resources in feed order, one more that is revoked if any type can be read at all,
 * and the rows for statistics if there are any.
 */
export type GeneratedCorpus = {
  readonly users: readonly CorpusUser[];
  readonly resources: readonly CorpusResource[];
  readonly revoked: CorpusResource | null;
  /** Their `user` is the index into `users` as text. */
  readonly statisticsRows: readonly StatisticsRow[] | null;
};

type Request = { readonly seed: string; readonly now: Date; readonly scopes: readonly Scope[] };

/**
 * Invents the corpus of a sandbox with these scopes. The same request always gives the same corpus. Everything in it happened within the
 * last four years before `now`.
 */
export function generateCorpus({ seed, now, scopes }: Request): GeneratedCorpus {
  const plan = planCorpus(seededRandom(`${seed}/plan`));
  const contents = corpusContents(scopes);
  const users = plan.users.map(({ optedIn, linkedDaysAgo }, index) => ({
    optedIn: optedIn && contents.statistics,
    linkedAt: now.getTime() - linkedDaysAgo * day + ((index * 977_003) % (20 * hour)),
  }));
  const sharing = { scopes, users };
  const orders = contents.orders > 0 || contents.statistics ? liveOrders(plan, seed, now) : [];
  const shared = contents.orders > 0 ? orders.map(({ order, steps }) => share(sharing, 'order', order.user, steps)) : [];
  const vehicles = contents.vehicles > 0 ? plan.vehicles : [];
  const stock = vehicles.map((vehicle, index) =>
    share(sharing, 'vehicle', vehicle.user, vehicleLife(seededRandom(`${seed}/vehicle/${index}`), vehicle, now)),
  );

  const random = seededRandom(`${seed}/showcase`);
  const resources = [...shared, ...stock];
  const types = sharedTypes(scopes);
  for (const type of types) forgetBeginning(random, resources, type);
  resources.sort((one, other) => one.updatedAt - other.updatedAt);
  const [showcase] = types;
  return {
    users,
    resources,
    revoked: showcase ? revokedResource(random, sharing, showcase, now) : null,
    statisticsRows: contents.statistics ? orders.flatMap(({ order, ...dates }) => statisticsRow(plan, order, dates)) : null,
  };
}

type PlannedOrder = CorpusPlan['orders'][number];
type LiveOrder = OrderLife & { readonly order: PlannedOrder };

function liveOrders({ orders }: CorpusPlan, seed: string, now: Date): LiveOrder[] {
  return orders.map((order, index) => ({ order, ...orderLife(seededRandom(`${seed}/order/${index}`), order, now) }));
}

function statisticsRow(
  { users }: CorpusPlan,
  { user, market, model, status }: PlannedOrder,
  { orderedOn, builtOn, deliveredOn }: OrderLife,
): StatisticsRow[] {
  return users[user]?.optedIn ? [{ user: String(user), market, model, status, orderedOn, builtOn, deliveredOn }] : [];
}

type Sharing = { readonly scopes: readonly Scope[]; readonly users: readonly CorpusUser[] };

/**
 * What the scopes allow of a resource's life. It is granted when the user links, or soon after the resource comes into being. What has
 * happened since counts as revisions.
 */
function share<Type extends ResourceType>(
  { scopes, users }: Sharing,
  type: Type,
  user: number,
  life: readonly Step<ResourceData[Type]>[],
): CorpusResource {
  const history = writeHistory(
    type,
    life.map(({ at, data }) => ({ at, data: allowedData(scopes, data) })),
  );
  const grantedAt = Math.max(users[user]?.linkedAt ?? 0, (history.changedAt[0] ?? 0) + hour);
  const since = history.changedAt.filter((at) => at > grantedAt);
  const items = history.items.filter(({ changes }) => keepsHistoryItem(scopes, type, changes));
  return { ...history, items, type, user, historyComplete: true, revision: 1 + since.length, updatedAt: since.at(-1) ?? grantedAt };
}

/** The history of one resource begins in the middle, as if tracking had started late. */
function forgetBeginning(random: Random, resources: CorpusResource[], type: ResourceType): void {
  const candidates = resources.filter((resource) => resource.type === type && resource.changedAt.length >= 4);
  const chosen = random.pick(candidates);
  const items = chosen.items.filter((item) => item.occurredAt > (chosen.changedAt[1] ?? 0));
  resources[resources.indexOf(chosen)] = { ...chosen, items, historyComplete: false };
}

function revokedResource(random: Random, sharing: Sharing, type: ResourceType, now: Date): CorpusResource {
  const user = random.between(0, sharing.users.length - 1);
  const plan = { model: 'Kestrel', market: 'DE' } as const;
  return type === 'order'
    ? share(sharing, 'order', user, orderLife(random, { ...plan, status: 'confirmed' }, now).steps)
    : share(sharing, 'vehicle', user, vehicleLife(random, { ...plan, status: 'reserved' }, now));
}
