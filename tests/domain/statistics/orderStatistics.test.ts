import { expect, test } from '@jest/globals';
import { orderStatistics, type StatisticsRow } from '../../../server/domain/statistics/orderStatistics.ts';

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

test('a value stays until the contributions of twenty users have changed, and small steps add up', () => {
  const first = orderStatistics(users(0, 30));
  const second = orderStatistics(users(0, 49), first);
  expect(second.groups[0]?.count).toBe(30);
  expect(orderStatistics(users(0, 50), second).groups[0]?.count).toBe(50);
  expect(orderStatistics(users(0, 11), first).groups[0]?.count).toBe(30);
  expect(orderStatistics(users(0, 10), first).groups).toEqual([]);
});
