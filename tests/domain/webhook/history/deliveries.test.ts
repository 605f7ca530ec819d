import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { attemptDurationBounds } from '../../../../server/domain/webhook/delivery/attemptChart.ts';
import { deliveryStates, type DeliveryState } from '../../../../server/domain/outbox/deliveryStatus.ts';
import type { WebhookEventType } from '../../../../server/domain/outbox/eventTypes.ts';
import { attemptHistory } from '../../../../server/domain/webhook/history/attemptHistory.ts';
import { attemptsOf } from '../../../../server/domain/webhook/history/attemptsOf.ts';
import { deliveriesOf } from '../../../../server/domain/webhook/history/deliveries.ts';
import { failureGroups } from '../../../../server/domain/webhook/history/failureGroups.ts';
import { ownDelivery } from '../../../../server/domain/webhook/history/ownDelivery.ts';
import { storedDelivery } from '../../../support/webhooks/deliveryRows.ts';
import type { TestEndpoint } from '../../../support/webhooks/endpointRows.ts';
import type { TestClient } from '../../../support/world/Fixtures.ts';
import { openWorld } from '../../../support/world/openWorld.ts';
import type { World } from '../../../support/world/World.ts';

const start = new Date('2026-11-20T12:00:00Z');
const after = (minutes: number) => new Date(start.getTime() + minutes * 60_000);
const order = `ord_${'1'.repeat(26)}`;

type Stored = { id: string; eventId: string; state: DeliveryState; type: WebhookEventType; at: Date; resourceId: string | null };
let world: World;
let client: TestClient;
let endpoint: TestEndpoint;
/** Newest first. */
const stored: Stored[] = [];
beforeAll(async () => {
  world = await openWorld({ poolMax: 2 });
  client = await world.fixtures.client();
  endpoint = await world.fixtures.webhookEndpoint(client);
  const types = ['connection.created', 'resource.updated', 'resource.revoked'] as const;
  for (let n = 0; n < 30; n += 1) {
    const state = deliveryStates[n % deliveryStates.length] ?? 'pending';
    const type = types[n % types.length] ?? 'connection.created';
    const resourceId = type === 'connection.created' ? null : n % 2 === 0 ? order : `ord_${'2'.repeat(26)}`;
    // Three at the same moment.
    const at = after(Math.floor(n / 3));
    const row = { state, type, at, resourceId };
    stored.unshift({
      ...row,
      ...(await storedDelivery(world, { endpoint, clientNumber: client.number, attempts: n === 3 ? 3 : 0, ...row })),
    });
  }
  const other = await world.fixtures.webhookEndpoint(client, { url: 'https://two.hooks.test/events' });
  await storedDelivery(world, { endpoint: other, clientNumber: client.number, state: 'dead', resourceId: order, type: 'resource.updated' });
});
afterAll(() => world.close());

type Filter = Parameters<typeof deliveriesOf>[1]['filter'];
const page = (filter: Filter, first = 100, cursor: string | null = null) =>
  deliveriesOf(world.em(), { endpointNumber: endpoint.number, filter, first, after: cursor });
const idsOf = async (filter: Filter) => (await page(filter)).edges.map(({ node }) => node.id);
const expected = (wanted: (row: Stored) => boolean) => stored.filter(wanted).map(({ id }) => id);

test('an owner reads why deliveries failed for good by cause, without those that were replayed and those of other endpoints', async () => {
  const groups = () => failureGroups(world.em(), endpoint.number);
  const cause = { reason: 'terminal_status', error: null } as const;
  expect(await groups()).toEqual([
    { ...cause, status: null, count: 5, firstAt: after(2), lastAt: after(9) },
    { ...cause, status: 404, count: 1, firstAt: after(1), lastAt: after(1) },
  ]);
  const last = stored.find(({ state }) => state === 'dead');
  await world.rows('update webhook_delivery set replayed_at = now() where id = $1', [last?.id]);
  expect((await groups()).map(({ count, lastAt }) => [count, lastAt])).toEqual([
    [4, after(7)],
    [1, after(1)],
  ]);
  await world.rows('update webhook_delivery set replayed_at = null where id = $1', [last?.id]);
});

test('an owner turns the pages of an endpoint’s deliveries, newest first, and sees each once', async () => {
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const { edges, pageInfo } = await page({}, 7, cursor);
    seen.push(...edges.map(({ node }) => node.id));
    cursor = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (cursor !== null);
  expect(seen).toEqual(stored.map(({ id }) => id));
});

test('an owner finds deliveries by state, type, time, event and resource, and by all of them together', async () => {
  expect(await idsOf({ states: ['dead', 'held'] })).toEqual(expected(({ state }) => state === 'dead' || state === 'held'));
  expect(await idsOf({ types: ['resource.revoked'] })).toEqual(expected(({ type }) => type === 'resource.revoked'));
  expect(await idsOf({ from: after(3), to: after(6) })).toEqual(expected(({ at }) => at >= after(3) && at < after(6)));
  const some = stored[4];
  expect(await idsOf({ eventId: some?.eventId ?? '' })).toEqual([some?.id]);
  expect(await idsOf({ resourceId: order })).toEqual(expected(({ resourceId }) => resourceId === order));
  expect(await idsOf({ resourceId: order, states: ['delivered'], types: ['resource.updated'], from: after(1) })).toEqual(
    expected(
      ({ resourceId, state, type, at }) => resourceId === order && state === 'delivered' && type === 'resource.updated' && at >= after(1),
    ),
  );
  expect(await idsOf({ eventId: some?.eventId ?? '', resourceId: `ord_${'9'.repeat(26)}` })).toEqual([]);
});

test('an owner asks what was never delivered', async () => {
  expect(await idsOf({ undelivered: true })).toEqual(expected(({ state }) => state !== 'delivered'));
  expect(await idsOf({ undelivered: true, states: ['delivered'] })).toEqual([]);
});

test('a filter that names nothing of ours, or a time that ends before it begins, is refused with its field', async () => {
  for (const [filter, path] of [
    [{ eventId: 'evt_1' }, 'eventId'],
    [{ resourceId: 'con_1' }, 'resourceId'],
    [{ from: after(1), to: after(1) }, 'to'],
  ] as const) {
    await expect(page(filter)).rejects.toMatchObject({ code: 'invalid_request', fields: [{ path }] });
  }
});

test('an owner opens one delivery with its attempts in order, and somebody else’s is not found', async () => {
  const wanted = stored.find(({ at, state }) => at.getTime() === after(1).getTime() && state === 'dead');
  const delivery = await ownDelivery(world.em(), client.operatorId, wanted?.id ?? '');
  expect(delivery).toMatchObject({ state: 'dead', reason: 'terminal_status', event: { id: wanted?.eventId, type: wanted?.type } });
  const [attempts] = await attemptsOf(world.em(), [delivery.number]);
  expect(attempts?.map(({ number }) => number)).toEqual([1, 2, 3]);
  expect(attempts?.[0]).toMatchObject({
    dnsMs: 1.5,
    connectMs: 2,
    tlsMs: 3,
    firstByteMs: 4.25,
    totalMs: 12,
    address: '198.51.100.7',
    status: 404,
    error: null,
    responseText: 'Nobody here',
    keyId: 'kid',
  });
  const stranger = await world.fixtures.client();
  for (const [operatorId, id] of [
    [stranger.operatorId, delivery.id],
    [client.operatorId, `dlv_${'0'.repeat(26)}`],
    [client.operatorId, 'dlv_'],
  ] as const) {
    await expect(ownDelivery(world.em(), operatorId, id)).rejects.toMatchObject({ code: 'not_found' });
  }
});

test('the chart of a day has an hour in each bar with its outcomes, and the durations that half and 95 % of the attempts stay below', async () => {
  const now = new Date('2026-11-20T12:30:00Z');
  const durations = (place: number, count: number) => [...attemptDurationBounds, Infinity].map((_, index) => (index === place ? count : 0));
  const hours: [string, string, number, number[]][] = [
    ['2026-11-20T12:00:00Z', 'delivered', 90, durations(4, 90)],
    ['2026-11-20T12:00:00Z', 'dead', 10, durations(9, 10)],
    ['2026-11-20T11:00:00Z', 'delivered', 5, durations(attemptDurationBounds.length, 5)],
    ['2026-11-19T13:00:00Z', 'retried', 4, durations(0, 4)],
    ['2026-11-19T12:00:00Z', 'delivered', 7, durations(0, 7)],
  ];
  for (const [hour, outcome, count, counts] of hours) {
    await world.rows('insert into webhook_attempt_hour (endpoint_number, hour, outcome, count, durations) values ($1, $2, $3, $4, $5)', [
      endpoint.number,
      hour,
      outcome,
      count,
      counts,
    ]);
  }
  const day = await attemptHistory(world.em(), { endpointNumber: endpoint.number, period: 'day', now });
  expect(day).toHaveLength(24);
  expect(day[0]).toMatchObject({ from: new Date('2026-11-19T13:00:00Z'), delivered: 0, retried: 4, dead: 0 });
  expect(day[23]).toEqual({ from: new Date('2026-11-20T12:00:00Z'), delivered: 90, retried: 0, dead: 10, p50Ms: 78, p95Ms: 3750 });
  // Above all bounds, the last one.
  expect(day[22]).toMatchObject({ delivered: 5, p50Ms: attemptDurationBounds.at(-1) });
  expect(day[12]).toMatchObject({ delivered: 0, p50Ms: null, p95Ms: null });
  const week = await attemptHistory(world.em(), { endpointNumber: endpoint.number, period: 'week', now });
  expect(week).toHaveLength(28);
  expect(week.at(-1)).toMatchObject({ from: new Date('2026-11-20T12:00:00Z'), delivered: 90 });
  expect(week.at(-5)).toMatchObject({ from: new Date('2026-11-19T12:00:00Z'), delivered: 7, retried: 4 });
});
