import type { StatisticsRow } from '../statistics/orderStatistics.ts';
import type { ResourceType } from '../tracking/allowlist.ts';
import { planCorpus } from './corpusPlan.ts';
import { orderLife } from './orderTimeline.ts';
import { seededRandom, type Random } from './seededRandom.ts';
import { writeHistory, type History } from './timeline.ts';
import { vehicleLife } from './vehicleTimeline.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** A user with one link to the integration. */
export type SyntheticUser = { readonly optedIn: boolean; readonly linkedAt: number };

/** A resource with its history, shared by one user. Times are milliseconds since 1970. */
export type SyntheticResource = History & {
  readonly type: ResourceType;
  /** Index into `users`. */
  readonly user: number;
  readonly historyComplete: boolean;
  /** The share's, as if it had been published live: one more for each change since it was granted. */
  readonly revision: number;
  readonly updatedAt: number;
};

/** One sandbox corpus: 500 orders and 50 stock vehicles in the feed's sequence, and one more that is revoked. */
export type SyntheticCorpus = {
  readonly users: readonly SyntheticUser[];
  readonly resources: readonly SyntheticResource[];
  readonly revoked: SyntheticResource;
  /** Their `user` is the index into `users` as text. */
  readonly statisticsRows: readonly StatisticsRow[];
};

type Request = {
  readonly seed: string;
  readonly now: Date;
  /** Which type carries the incomplete history and the revocation: one that the client can see. */
  readonly showcase: ResourceType;
};

/** Invents a corpus; the same request gives the same corpus. Nothing in it is before four years ago or after `now`. */
export function generateCorpus({ seed, now, showcase }: Request): SyntheticCorpus {
  const plan = planCorpus(seededRandom(`${seed}/plan`));
  const users = plan.users.map(({ optedIn, linkedDaysAgo }, index) => ({
    optedIn,
    linkedAt: now.getTime() - linkedDaysAgo * day + ((index * 977_003) % (20 * hour)),
  }));
  const resources: SyntheticResource[] = [];
  const statisticsRows: StatisticsRow[] = [];

  plan.orders.forEach((order, index) => {
    const { steps, ...dates } = orderLife(seededRandom(`${seed}/order/${index}`), order, now);
    resources.push(share('order', order.user, writeHistory('order', steps), users));
    if (plan.users[order.user]?.optedIn) statisticsRows.push({ user: String(order.user), ...group(order), ...dates });
  });
  plan.vehicles.forEach((vehicle, index) => {
    const steps = vehicleLife(seededRandom(`${seed}/vehicle/${index}`), vehicle, now);
    resources.push(share('vehicle', vehicle.user, writeHistory('vehicle', steps), users));
  });

  const random = seededRandom(`${seed}/showcase`);
  forgetBeginning(random, resources, showcase);
  resources.sort((one, other) => one.updatedAt - other.updatedAt);
  return { users, resources, revoked: revokedResource(random, showcase, now, users), statisticsRows };
}

/** Granted when the user linked, or soon after the resource came to be; what happened since counts as revisions. */
function share(type: ResourceType, user: number, history: History, users: readonly SyntheticUser[]): SyntheticResource {
  const grantedAt = Math.max(users[user]?.linkedAt ?? 0, (history.changedAt[0] ?? 0) + hour);
  const since = history.changedAt.filter((at) => at > grantedAt);
  return { ...history, type, user, historyComplete: true, revision: 1 + since.length, updatedAt: since.at(-1) ?? grantedAt };
}

/** One resource's history begins in the middle, as when tracking started late. */
function forgetBeginning(random: Random, resources: SyntheticResource[], type: ResourceType): void {
  const candidates = resources.filter((resource) => resource.type === type && resource.changedAt.length >= 4);
  const chosen = random.pick(candidates);
  const items = chosen.items.filter((item) => item.occurredAt > (chosen.changedAt[1] ?? 0));
  resources[resources.indexOf(chosen)] = { ...chosen, items, historyComplete: false };
}

function revokedResource(random: Random, type: ResourceType, now: Date, users: readonly SyntheticUser[]): SyntheticResource {
  const user = random.between(0, users.length - 1);
  const plan = { model: 'Kestrel', market: 'DE' } as const;
  const history =
    type === 'order'
      ? writeHistory('order', orderLife(random, { ...plan, status: 'confirmed' }, now).steps)
      : writeHistory('vehicle', vehicleLife(random, { ...plan, status: 'reserved' }, now));
  return share(type, user, history, users);
}

function group({
  market,
  model,
  status,
}: Pick<StatisticsRow, 'market' | 'model' | 'status'>): Pick<StatisticsRow, 'market' | 'model' | 'status'> {
  return { market, model, status };
}
