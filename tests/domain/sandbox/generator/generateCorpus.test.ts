import { expect, test } from '@jest/globals';
import { allScopes } from '../../../../server/domain/shared/scopes.ts';
import { seededRandom } from '../../../../server/domain/sandbox/generator/seededRandom.ts';
import { nextOrder } from '../../../../server/domain/sandbox/generator/simulatedSteps.ts';
import { generateCorpus } from '../../../../server/domain/sandbox/generator/generateCorpus.ts';
import { orderStatistics } from '../../../../server/domain/statistics/orderStatistics.ts';
import { type OrderData, orderStatuses, vehicleStatuses } from '../../../../server/domain/tracking/allowlist.ts';
import { applyChanges } from '../../tracking/applyChanges.ts';

const now = new Date('2026-11-21T10:00:00.250Z');
const corpora = ['one', 'two', 'three', 'four'].map((seed) => generateCorpus({ seed, now, scopes: allScopes }));

test('the same seed gives the same corpus, another seed another one', () => {
  expect(generateCorpus({ seed: 'one', now, scopes: allScopes })).toEqual(corpora[0]);
  expect(JSON.stringify(corpora[0])).not.toBe(JSON.stringify(corpora[2]));
});

test('each corpus has 500 orders and 50 vehicles in all states over at least 100 users, one of each with an incomplete history', () => {
  for (const { resources, users } of corpora) {
    const states = (type: string) => new Set(resources.filter((r) => r.type === type).map((r) => JSON.parse(r.projection.core).status));
    expect(resources.filter((r) => r.type === 'order')).toHaveLength(500);
    expect(resources.filter((r) => r.type === 'vehicle')).toHaveLength(50);
    expect(states('order')).toEqual(new Set(orderStatuses));
    expect(states('vehicle')).toEqual(new Set(vehicleStatuses));
    expect(new Set(resources.map((r) => r.user)).size).toBeGreaterThanOrEqual(100);
    expect(users.length).toBe(new Set(resources.map((r) => r.user)).size);
    expect(resources.flatMap(({ historyComplete, type }) => (historyComplete ? [] : [type])).sort()).toEqual(['order', 'vehicle']);
    expect(new Set(resources.map((r) => JSON.parse(r.projection.core).market)).size).toBeGreaterThanOrEqual(6);
  }
});

test('every complete history leads to its snapshot in rising sequence, and nothing has happened in the future', () => {
  for (const { resources } of corpora) {
    for (const { projection, items, historyComplete, updatedAt } of resources) {
      const sequences = items.map((item) => item.sequence);
      expect(sequences).toEqual([...new Set(sequences)].sort((one, other) => one - other));
      expect(Math.max(updatedAt, ...items.map((item) => item.occurredAt))).toBeLessThanOrEqual(now.getTime());
      if (!historyComplete) continue;
      const state = items.reduce((before, item) => applyChanges(before, item.changes), {});
      expect(state).toEqual({
        ...JSON.parse(projection.core),
        ...(projection.shipping ? { shipping: JSON.parse(projection.shipping) } : {}),
      });
    }
  }
});

test('several statistics groups reach twenty users in every corpus', () => {
  for (const { statisticsRows } of corpora) expect(orderStatistics(statisticsRows ?? []).groups.length).toBeGreaterThanOrEqual(5);
});

test('an order that is advanced to its end reports nothing of its voyage twice, whatever had been reported before', () => {
  let discharged = 0;
  for (const { resources } of corpora) {
    for (const { projection, type } of resources) {
      if (type !== 'order' || projection.shipping === null) continue;
      let order: OrderData | null = { ...JSON.parse(projection.core), shipping: JSON.parse(projection.shipping) };
      const before = order?.shipping?.events?.some(({ kind }) => kind === 'discharged') === true && order.status === 'at_port';
      for (let next = order; next; next = nextOrder(next, seededRandom('steps'), now)) order = next;
      const kinds = order?.shipping?.events?.map(({ kind, port }) => `${kind} ${port}`) ?? [];
      expect(kinds).toEqual([...new Set(kinds)]);
      if (before) discharged += 1;
    }
  }
  expect(discharged).toBeGreaterThan(0);
});
