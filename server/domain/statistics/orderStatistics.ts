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

/** One group of a generation (contract, “GET /v1/statistics/orders”). Without enough users a value is left out, a median also alone. */
export type StatisticsGroup = { readonly market: string; readonly model: string; readonly status: OrderStatus } & {
  readonly count: number;
} & {
  readonly [measure in Exclude<Measure, 'count'>]?: number;
};

/**
 * What each published value was computed from: by group and measure, by user, the numbers that the user put in. Personal: keep it
 * inside, only until the next generation, and replace an erased user's key by a random one.
 */
export type StatisticsBasis = Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>;

export type OrderStatistics = { readonly groups: readonly StatisticsGroup[]; readonly basis: StatisticsBasis };

type Cell = Pick<StatisticsGroup, 'market' | 'model' | 'status'> & { readonly measures: Record<Measure, Map<string, number[]>> };
type Published = { readonly value: number; readonly contributions: Readonly<Record<string, readonly number[]>> };

/**
 * The groups of a generation, disjoint by market, model and status, without totals. A value appears only when at least 20 distinct
 * users contribute to it, and differs from the former generation's only when at least 20 users' contributions do; else the former
 * value stays, with its former basis, so that small steps add up instead of being lost.
 */
export function orderStatistics(rows: readonly StatisticsRow[], former: OrderStatistics = { groups: [], basis: {} }): OrderStatistics {
  const cells = cellsOf(rows);
  for (const group of former.groups) cellAt(cells, group);
  const formerGroups = new Map(former.groups.map((group) => [keyOf(group), group]));

  const groups: StatisticsGroup[] = [];
  const basis: Record<string, Published['contributions']> = {};
  for (const [key, cell] of [...cells].sort(inSequence)) {
    const values: Partial<Record<Measure, number>> = {};
    const bases: Record<string, Published['contributions']> = {};
    for (const measure of measures) {
      const basisKey = JSON.stringify([cell.market, cell.model, cell.status, measure]);
      const formerValue = formerGroups.get(key)?.[measure];
      const before = formerValue === undefined ? null : { value: formerValue, contributions: former.basis[basisKey] ?? {} };
      const published = publish(measure, cell.measures[measure], before);
      if (!published) continue;
      values[measure] = published.value;
      bases[basisKey] = published.contributions;
    }
    // A median never has more contributors than its group has users; but a kept median may outlive its count, and goes with it.
    const { count, ...medians } = values;
    if (count === undefined) continue;
    groups.push({ market: cell.market, model: cell.model, status: cell.status, count, ...medians });
    Object.assign(basis, bases);
  }
  return { groups, basis };
}

/** The value to show, or null when there is none to show. */
function publish(measure: Measure, contributions: ReadonlyMap<string, number[]>, former: Published | null): Published | null {
  if (former && changedUsers(contributions, former.contributions) < limits.minimumGroupSize) return former;
  if (contributions.size < limits.minimumGroupSize) return null;
  const numbers = [...contributions.values()].flat();
  return { value: measure === 'count' ? numbers.length : median(numbers), contributions: Object.fromEntries(contributions) };
}

/** How many users joined, left or put in other numbers. */
function changedUsers(now: ReadonlyMap<string, readonly number[]>, before: Readonly<Record<string, readonly number[]>>): number {
  const users = new Set([...now.keys(), ...Object.keys(before)]);
  return [...users].filter((user) => String(now.get(user)) !== String(before[user])).length;
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

/** Keeps a user's numbers sorted, so that equal contributions are equal whatever the sequence of the rows. */
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
