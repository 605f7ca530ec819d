import { expect, test } from '@jest/globals';
import { orderStatistics, type StatisticsRow } from '../../../server/domain/statistics/orderStatistics.ts';
import { seededRandom, type Random } from '../../../server/domain/sandbox/generator/seededRandom.ts';

const row = (user: number, more: Partial<StatisticsRow> = {}): StatisticsRow => ({
  user: `u${user}`,
  market: 'DE',
  model: 'Kestrel',
  status: 'delivered',
  orderedOn: '2026-01-01',
  builtOn: null,
  deliveredOn: null,
  ...more,
});
const users = (from: number, to: number, more?: Partial<StatisticsRow>) =>
  Array.from({ length: to - from }, (_, index) => row(from + index, more));

test('a group appears with twenty distinct users, not with twenty orders of nineteen', () => {
  expect(orderStatistics([...users(0, 19), row(0)]).groups).toEqual([]);
  expect(orderStatistics([...users(0, 20), row(0)]).groups).toEqual([{ market: 'DE', model: 'Kestrel', status: 'delivered', count: 21 }]);
});

test('a median needs twenty users of its own', () => {
  const built = { builtOn: '2026-01-11' };
  expect(orderStatistics([...users(0, 19, built), ...users(19, 30)]).groups[0]).not.toHaveProperty('median_days_ordered_to_built');
  expect(orderStatistics([...users(0, 20, built), ...users(20, 30)]).groups[0]).toMatchObject({
    count: 30,
    median_days_ordered_to_built: 10,
  });
});

test('each median counts the days of its own step, those of orders that were built and delivered', () => {
  const soon = { builtOn: '2026-01-11', deliveredOn: '2026-01-14' };
  const rows = [...users(0, 10, soon), ...users(10, 25, { ...soon, deliveredOn: '2026-03-01' }), ...users(25, 40, soon)];
  expect(orderStatistics(rows).groups[0]).toMatchObject({ median_days_ordered_to_built: 10, median_days_built_to_delivered: 3 });
  const after = (days: number) => ({ ...soon, deliveredOn: `2026-01-${11 + days}` });
  const [below, middle, above] = [users(0, 10, after(2)), users(10, 11, after(5)), users(11, 21, after(9))];
  const medianOf = (given: StatisticsRow[]) => orderStatistics(given).groups[0]?.median_days_built_to_delivered;
  expect([medianOf([...below, ...middle, ...above]), medianOf([...below, ...middle, ...above, row(21, after(9))])]).toEqual([5, 7]);
  expect(orderStatistics(users(0, 20, { orderedOn: null, builtOn: null, deliveredOn: '2026-03-01' })).groups).toEqual([
    { market: 'DE', model: 'Kestrel', status: 'delivered', count: 20 },
  ]);
});

test('changes of twenty users between two generations show at once, of nineteen not', () => {
  const first = orderStatistics(users(0, 30));
  expect(orderStatistics(users(0, 49), first).groups[0]?.count).toBe(30);
  expect(orderStatistics(users(0, 50), first).groups[0]?.count).toBe(50);
  expect(orderStatistics(users(0, 11), first).groups[0]?.count).toBe(30);
  expect(orderStatistics(users(0, 10), first).groups).toEqual([]);
});

test('small steps add up and show one generation after they have become twenty', () => {
  const first = orderStatistics(users(0, 30));
  const hidden = orderStatistics(users(0, 49), first);
  const pending = orderStatistics(users(0, 50), hidden);
  expect([hidden.groups[0]?.count, pending.groups[0]?.count]).toEqual([30, 30]);
  expect(orderStatistics(users(0, 50), pending).groups[0]?.count).toBe(50);
  // Changes that are undone before there are twenty of them have no effect.
  expect(orderStatistics(users(0, 30), orderStatistics(users(0, 30), hidden)).groups[0]?.count).toBe(30);
});

test('a value that small steps made due shows as it was then, whatever moves meanwhile', () => {
  const pending = orderStatistics(users(0, 45), orderStatistics(users(0, 35), orderStatistics(users(0, 25))));
  expect(pending.groups[0]?.count).toBe(25);
  for (const meanwhile of [users(0, 45), users(0, 35), users(5, 45), users(0, 64)]) {
    expect(orderStatistics(meanwhile, pending).groups[0]?.count).toBe(45);
  }
  expect(orderStatistics(users(0, 65), pending).groups[0]?.count).toBe(65);
});

test('a group that grows by single users appears, one generation after its twentieth', () => {
  const hidden = orderStatistics(users(0, 19), orderStatistics(users(0, 18)));
  const pending = orderStatistics(users(0, 20), hidden);
  expect([...hidden.groups, ...pending.groups]).toEqual([]);
  expect(orderStatistics(users(0, 20), pending).groups[0]?.count).toBe(20);
});

test('a group that vanished does not come back with one user less', () => {
  const vanished = orderStatistics(users(0, 4), orderStatistics(users(0, 25)));
  expect(vanished.groups).toEqual([]);
  const back = orderStatistics(users(0, 24), orderStatistics(users(0, 24), vanished));
  expect(back.groups).toEqual([]);
  expect(orderStatistics(users(20, 60), back).groups[0]?.count).toBe(40);
});

test('a group that everybody left does not come back with one user more', () => {
  const left = orderStatistics([], orderStatistics(users(0, 25)));
  expect(left.groups).toEqual([]);
  expect(orderStatistics(users(0, 26), left).groups).toEqual([]);
});

test('users who move between markets or models change both groups, and no other', () => {
  const of = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts).flatMap(([name, count]) => {
      const [market = '', model = ''] = name.split(' ');
      return users(0, count, { market, model });
    });
  const shown = (counts: Record<string, number>, former?: ReturnType<typeof orderStatistics>) =>
    orderStatistics(of(counts), former).groups.map(({ market, model, count }) => `${market} ${model} ${count}`);
  const first = orderStatistics(of({ 'AT Kestrel': 30, 'AT Tarn': 40, 'DE Kestrel': 50 }));
  expect(shown({ 'AT Kestrel': 31, 'AT Tarn': 60, 'DE Kestrel': 30 }, first)).toEqual(['AT Kestrel 30', 'AT Tarn 60', 'DE Kestrel 30']);
});

test('groups come by market, model and the life of an order, whatever the sequence of the rows', () => {
  const groups = [
    { market: 'AT', model: 'Kestrel', status: 'placed' },
    { market: 'AT', model: 'Tarn', status: 'placed' },
    { market: 'AT', model: 'Tarn', status: 'built' },
    { market: 'DE', model: 'Kestrel', status: 'delivered' },
    { market: 'DE', model: 'Kestrel', status: 'cancelled' },
  ] as const;
  const rows = groups.flatMap((group) => users(0, 20, group));
  for (const given of [rows, rows.toReversed()]) {
    expect(orderStatistics(given).groups).toEqual(groups.map((group) => ({ ...group, count: 20 })));
  }
});

test('the same orders in another sequence are no change, and what is left of nobody is kept of nobody', () => {
  const both = [...users(0, 25, { builtOn: '2026-01-21' }), ...users(0, 25, { builtOn: '2026-01-11' })];
  const first = orderStatistics(both);
  expect(first.groups[0]).toMatchObject({ count: 50, median_days_ordered_to_built: 15 });
  expect(orderStatistics(both.toReversed(), first)).toEqual(first);
  expect(orderStatistics([], orderStatistics(users(0, 5)))).toEqual({ groups: [], basis: {} });
});

test('whatever has happened before, changing any one user after a publication alters no count and no median of the next', () => {
  const random = seededRandom('statistics');
  let due = 0;
  for (let history = 0; history < 40; history += 1) {
    let population = new Map(users(0, random.between(10, 60)).map((each) => [each.user, [each]]));
    let published = orderStatistics([...population.values()].flat());
    for (let generation = 0; generation < 25; generation += 1) {
      const unchanged = orderStatistics([...population.values()].flat(), published);
      if (JSON.stringify(unchanged.groups) !== JSON.stringify(published.groups)) due += 1;
      for (const changed of changesOfOneUser(random, population)) {
        expect(orderStatistics([...changed.values()].flat(), published).groups).toEqual(unchanged.groups);
      }
      for (let step = random.between(0, 30); step > 0; step -= 1) population = random.pick(changesOfOneUser(random, population));
      published = orderStatistics([...population.values()].flat(), random.chance(0.5) ? unchanged : published);
    }
  }
  // Both kinds of publication occurred: with small steps due, and with nothing due.
  expect(due).toBeGreaterThan(20);
  expect(due).toBeLessThan(990);
});

type Population = Map<string, StatisticsRow[]>;

/** Every change by one user: joining, leaving, another order, other dates, or another status. */
function changesOfOneUser(random: Random, population: Population): Population[] {
  const user = random.pick([...population.keys(), 'u0']);
  const [order = row(0)] = population.get(user) ?? [];
  const newcomer = `u${random.between(100, 100_000)}`;
  const withUser = (name: string, rows: StatisticsRow[]) => new Map([...population, [name, rows]]);
  return [
    withUser(newcomer, [{ ...row(0), user: newcomer }]),
    new Map([...population].filter(([name]) => name !== user)),
    withUser(user, [...(population.get(user) ?? []), { ...order, user }]),
    withUser(user, [{ ...order, user, builtOn: `2026-0${random.between(2, 9)}-01`, deliveredOn: '2026-10-01' }]),
    withUser(user, [{ ...order, user, status: random.pick(['built', 'delivered'] as const) }]),
  ];
}
