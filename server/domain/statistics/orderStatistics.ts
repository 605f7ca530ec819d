import { limits } from '../shared/limits.ts';
import { orderStatuses, type OrderStatus } from '../tracking/allowlist.ts';

/** One order of a user who takes part. `user` is a stable key, the hex of `user_ref`; dates are `YYYY-MM-DD`. */
export type StatisticsRow = {
  readonly user: string;
  readonly market: string;
  readonly model: string;
  readonly status: OrderStatus;
  readonly orderedOn: string | null;
  readonly builtOn: string | null;
  readonly deliveredOn: string | null;
};

const measures = ['count', 'median_days_ordered_to_built', 'median_days_built_to_delivered'] as const;
type Measure = (typeof measures)[number];

/**
 * One group of a generation (docs/specification.md, “Statistics”). A value without enough users is left out; a median can be left out by
 * itself.
 */
export type StatisticsGroup = { readonly market: string; readonly model: string; readonly status: OrderStatus } & {
  readonly count: number;
} & {
  readonly [measure in Exclude<Measure, 'count'>]?: number;
};

type Contributions = Readonly<Record<string, readonly number[]>>;

/**
 * What the next generation is compared with, by group and measure: the numbers that each user had contributed when the value that is shown,
 * or was last shown, was computed (`shown`), and at this generation (`latest`). It is personal: it stays inside, is kept only until the
 * next generation, and an erased user's key in it is replaced by a random one.
 */
export type StatisticsBasis = Readonly<Record<string, { readonly shown: Contributions; readonly latest: Contributions }>>;

export type OrderStatistics = { readonly groups: readonly StatisticsGroup[]; readonly basis: StatisticsBasis };

type Cell = Pick<StatisticsGroup, 'market' | 'model' | 'status'> & { readonly measures: Record<Measure, Map<string, number[]>> };
/** A value (null if none is shown), and what the last shown value was computed from. */
type Shown = { readonly value: number | null; readonly contributions: Contributions };

const nothing: Contributions = {};

/**
 * The groups of a generation, disjoint by market, model and status, without totals and with a threshold of twenty (docs/specification.md,
 * “Statistics”): a value appears only if at least 20 distinct users contribute to it, and differs from the former generation's only if the
 * contributions of at least 20 users have changed. No value ever changes because of a single user.
 */
export function orderStatistics(rows: readonly StatisticsRow[], former: OrderStatistics = { groups: [], basis: {} }): OrderStatistics {
  const cells = cellsOf(rows);
  for (const key of Object.keys(former.basis)) cellAt(cells, groupOf(key));
  const formerGroups = new Map(former.groups.map((group) => [keyOf(group), group]));

  const groups: StatisticsGroup[] = [];
  const basis: Record<string, StatisticsBasis[string]> = {};
  for (const [key, cell] of [...cells].sort(inSequence)) {
    const values: Partial<Record<Measure, number>> = {};
    for (const measure of measures) {
      const basisKey = JSON.stringify([cell.market, cell.model, cell.status, measure]);
      const before = former.basis[basisKey] ?? { shown: nothing, latest: nothing };
      const latest = Object.fromEntries(cell.measures[measure]);
      const shown = show(measure, { value: formerGroups.get(key)?.[measure] ?? null, contributions: before.shown }, before.latest, latest);
      if (shown.value !== null) values[measure] = shown.value;
      if (isEmpty(shown.contributions) && isEmpty(latest)) continue;
      basis[basisKey] = { shown: shown.contributions, latest };
    }
    // A median never has more contributors than its group has users. A median that is kept may outlive its count, and is then not shown
    // alone.
    const { count, ...medians } = values;
    if (count !== undefined) groups.push({ market: cell.market, model: cell.model, status: cell.status, count, ...medians });
  }
  return { groups, basis };
}

/**
 * The value to show. It is computed again if the contributions of at least 20 users have changed since the former one was computed. If that
 * many have changed since the latest generation, it is computed from the present state. Otherwise small changes may have added up, and it
 * is computed from the state at the latest generation, so that after a publication no single user's change affects the next one.
 */
function show(measure: Measure, former: Shown, beforeLatest: Contributions, latest: Contributions): Shown {
  const contributions = changedUsers(beforeLatest, latest) >= limits.minimumGroupSize ? latest : beforeLatest;
  if (changedUsers(former.contributions, contributions) < limits.minimumGroupSize) return former;
  // A value that is no longer shown is still compared with the last shown one: it must not come back because of one user more or less.
  if (!enough(contributions)) return { value: null, contributions: former.contributions };
  const numbers = Object.values(contributions).flat();
  return { value: measure === 'count' ? numbers.length : median(numbers), contributions };
}

function enough(contributions: Contributions): boolean {
  return Object.keys(contributions).length >= limits.minimumGroupSize;
}

/** How many users have joined, left or contributed other numbers. */
function changedUsers(before: Contributions, now: Contributions): number {
  const users = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...users].filter((user) => String(now[user]) !== String(before[user])).length;
}

function isEmpty(contributions: Contributions): boolean {
  return Object.keys(contributions).length === 0;
}

function cellsOf(rows: readonly StatisticsRow[]): Map<string, Cell> {
  const cells = new Map<string, Cell>();
  for (const row of rows) {
    const cell = cellAt(cells, row);
    add(cell, 'count', row.user, 1);
    add(cell, 'median_days_ordered_to_built', row.user, daysBetween(row.orderedOn, row.builtOn));
    add(cell, 'median_days_built_to_delivered', row.user, daysBetween(row.builtOn, row.deliveredOn));
  }
  return cells;
}

function cellAt(cells: Map<string, Cell>, group: Pick<Cell, 'market' | 'model' | 'status'>): Cell {
  const key = keyOf(group);
  const { market, model, status } = group;
  const empty = { count: new Map(), median_days_ordered_to_built: new Map(), median_days_built_to_delivered: new Map() };
  const cell = cells.get(key) ?? { market, model, status, measures: empty };
  cells.set(key, cell);
  return cell;
}

/** Keeps a user's numbers sorted, so that equal contributions are equal in whatever order the rows come. */
function add(cell: Cell, measure: Measure, user: string, value: number | null): void {
  if (value === null) return;
  const numbers = cell.measures[measure].get(user) ?? [];
  cell.measures[measure].set(
    user,
    [...numbers, value].sort((one, other) => one - other),
  );
}

function keyOf({ market, model, status }: Pick<Cell, 'market' | 'model' | 'status'>): string {
  return JSON.stringify([market, model, status]);
}

/** The group of a basis key. */
function groupOf(basisKey: string): Pick<Cell, 'market' | 'model' | 'status'> {
  const [market, model, status] = JSON.parse(basisKey) as [string, string, OrderStatus, Measure];
  return { market, model, status };
}

function inSequence([, one]: readonly [string, Cell], [, other]: readonly [string, Cell]): number {
  return (
    compareText(one.market, other.market) ||
    compareText(one.model, other.model) ||
    orderStatuses.indexOf(one.status) - orderStatuses.indexOf(other.status)
  );
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function daysBetween(from: string | null, to: string | null): number | null {
  return from && to ? Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) : null;
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}
