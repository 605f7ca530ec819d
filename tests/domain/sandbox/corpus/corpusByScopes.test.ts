import { expect, test } from '@jest/globals';
import { scopesRefusal } from '../../../../server/domain/integration/profile/scopeRules.ts';
import { allScopes, scopesOfBits, type Scope } from '../../../../server/domain/shared/scopes.ts';
import { generateCorpus, type CorpusResource } from '../../../../server/domain/sandbox/generator/generateCorpus.ts';
import { orderStatistics } from '../../../../server/domain/statistics/orderStatistics.ts';

const now = new Date('2026-11-21T10:00:00.250Z');
const allowed = Array.from({ length: 1 << allScopes.length }, (_, bits) => scopesOfBits(bits)).filter((scopes) => !scopesRefusal(scopes));

/** What the corpus for these scopes contains, by kind; written by hand from docs/specification.md, “Test data”. */
function expectedKinds(scopes: readonly Scope[]) {
  const has = (scope: Scope) => scopes.includes(scope);
  const type = (read: Scope, history: Scope, snapshots: number) => ({
    snapshots: has(read) ? snapshots : 0,
    // The mark of an incomplete history is part of the snapshot, which can be read without the history's scope.
    incomplete: has(read) ? 1 : 0,
    completeHistories: has(history) ? snapshots - 1 : 0,
  });
  return {
    order: type('orders.read', 'orders.history.read', 500),
    vehicle: type('vehicles.read', 'vehicles.history.read', 50),
    tombstone: has('orders.read') ? 'order' : has('vehicles.read') ? 'vehicle' : null,
    voyages: has('shipping.read'),
    shippingHistory: has('shipping.read') && has('orders.history.read'),
    statistics: has('statistics.orders.read'),
    participants: has('statistics.orders.read'),
  };
}

function kindsOf(scopes: readonly Scope[]) {
  const { resources, revoked, statisticsRows, users } = generateCorpus({ seed: 'kinds', now, scopes });
  const all = revoked ? [...resources, revoked] : resources;
  const type = (wanted: CorpusResource['type'], history: boolean) => {
    const own = resources.filter((resource) => resource.type === wanted);
    const complete = own.filter(({ historyComplete, items }) => historyComplete && items.some(({ changes }) => !isDelivery(changes)));
    return {
      snapshots: own.length,
      incomplete: own.filter(({ historyComplete }) => !historyComplete).length,
      completeHistories: history ? own.filter(({ historyComplete, items }) => historyComplete && items.length > 0).length : complete.length,
    };
  };
  return {
    order: type('order', scopes.includes('orders.history.read')),
    vehicle: type('vehicle', scopes.includes('vehicles.history.read')),
    tombstone: revoked?.type ?? null,
    voyages: all.some(({ projection }) => projection.shipping !== null),
    shippingHistory: all.some(({ items }) => items.some(({ section }) => section === 'shipping')),
    statistics: statisticsRows !== null && orderStatistics(statisticsRows).groups.length >= 5,
    participants: users.some(({ optedIn }) => optedIn),
  };
}

/** The only history item that is kept without its scope, because statistics are computed from the day of an order’s delivery. */
const isDelivery = (changes: readonly { path: string; to?: unknown }[]) =>
  changes.some(({ path, to }) => path === 'status' && to === 'delivered');

test('there are 58 sets of scopes that an integration can ask for', () => {
  expect(allowed).toHaveLength(58);
});

test.each(allowed.map((scopes) => [scopes.join(' '), scopes] as const))(
  'the sandbox for %s holds each kind of fixture that it allows, and nothing else',
  (_, scopes) => {
    expect(kindsOf(scopes)).toEqual(expectedKinds(scopes));
  },
);

test('without shipping.read, an order changes only when something other than its voyage does', () => {
  const moments = (scopes: readonly Scope[]) =>
    generateCorpus({ seed: 'ship', now, scopes }).resources.map(({ items, changedAt }) => [
      changedAt,
      items.map(({ occurredAt }) => occurredAt),
    ]);
  const blind = moments(['orders.read', 'orders.history.read']);
  for (const [changedAt, occurredAt] of blind) if (occurredAt?.length === changedAt?.length) expect(changedAt).toEqual(occurredAt);
  const count = (found: typeof blind) => found.flatMap(([changedAt]) => changedAt).length;
  expect(count(blind)).toBeLessThan(count(moments(['orders.read', 'orders.history.read', 'shipping.read'])));
});
