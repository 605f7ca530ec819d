import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { OperatorActor } from '../../../../server/domain/shared/actor.ts';
import { webhookLimits } from '../../../../server/domain/outbox/webhookLimits.ts';
import { deliveriesOf } from '../../../../server/domain/webhook/history/deliveries.ts';
import { ownDelivery, replaysOf } from '../../../../server/domain/webhook/history/ownDelivery.ts';
import type { SelectionFilter } from '../../../../server/domain/webhook/history/selection.ts';
import { carryOutReplay } from '../../../../server/domain/webhook/replay/carryOutReplay.ts';
import { replayCount, replayDeliveries } from '../../../../server/domain/webhook/replay/replayDeliveries.ts';
import { replayDelivery } from '../../../../server/domain/webhook/replay/replayDelivery.ts';
import { lastReplayOf } from '../../../../server/domain/webhook/replay/replayOrder.ts';
import { storedDelivery } from '../../../support/webhooks/deliveryRows.ts';
import type { TestEndpoint } from '../../../support/webhooks/endpointRows.ts';
import { ownEndpoint } from '../../../support/webhooks/ownEndpoint.ts';
import type { TestClient } from '../../../support/world/Fixtures.ts';
import { openWorld } from '../../../support/world/openWorld.ts';
import type { World } from '../../../support/world/World.ts';

const day = 24 * 60 * 60 * 1000;
const start = new Date('2026-11-20T12:00:00Z');
const now = new Date(start.getTime() + day);

let world: World;
beforeAll(async () => {
  world = await openWorld({ poolMax: 4 });
});
afterAll(() => world.close());

let client: TestClient;
let endpoint: TestEndpoint;
let actor: OperatorActor;
beforeEach(async () => {
  ({ client, endpoint, actor } = await ownEndpoint(world));
});

const store = (described: Partial<Parameters<typeof storedDelivery>[1]> = {}) =>
  storedDelivery(world, { endpoint, clientNumber: client.number, state: 'dead', at: start, ...described });
const replay = (deliveryId: string, at = now) => replayDelivery(world.em(), { actor, deliveryId, now: at });
const end = (id: string, state: 'delivered' | 'dead', at = now) =>
  world.rows(
    `update webhook_delivery set state = $2, finished_at = $3, reason = case when $2 = 'dead' then 'window_over' end where id = $1`,
    [id, state, at],
  );
const undelivered = async () =>
  (await deliveriesOf(world.em(), { endpointNumber: endpoint.number, filter: { undelivered: true }, first: 100 })).edges.map(
    ({ node }) => node.id,
  );

test('a dead letter is replayed as a new delivery of the same event, due at once and for 24 hours, and the trail says so', async () => {
  const letter = await store({ type: 'resource.updated', resourceId: `ord_${'1'.repeat(26)}` });
  const made = await replay(letter.id);
  expect(made).toMatchObject({
    state: 'pending',
    attemptsCount: 0,
    replayOf: letter.id,
    createdAt: now,
    nextAttemptAt: now,
    event: { id: letter.eventId },
  });
  expect(made.windowEndsAt).toEqual(new Date(now.getTime() + day));
  expect(made.id).not.toBe(letter.id);
  const replaysOfThis = async (id: string) => replaysOf(world.em(), await ownDelivery(world.em(), client.operatorId, id));
  expect((await replaysOfThis(letter.id)).map(({ id }) => id)).toEqual([made.id]);
  // It is no replay of itself.
  expect(await replaysOfThis(made.id)).toEqual([]);
  await end(made.id, 'delivered');
  expect(await ownDelivery(world.em(), client.operatorId, made.id)).toMatchObject({ state: 'delivered', nextAttemptAt: null });
  await world.rows(`update webhook_delivery set state = 'pending', finished_at = null where id = $1`, [made.id]);
  // The old delivery keeps its state, and the new one stands for the event from now on.
  expect(await undelivered()).toEqual([made.id]);
  const [entry] = await world.rows<{ action: string; details: object }>('select action, details from audit_entry where subject_id = $1', [
    made.id,
  ]);
  expect(entry).toEqual({
    action: 'webhook_delivery.replayed',
    details: { endpointId: endpoint.id, replayOf: letter.id, eventId: letter.eventId, eventType: 'resource.updated' },
  });
});

test('pressing replay twice, also at the same moment, makes one delivery', async () => {
  const { id } = await store();
  const made = await Promise.all([replay(id), replay(id), replay(id)]);
  expect(new Set(made.map((each) => each.id)).size).toBe(1);
  expect((await replay(id)).id).toBe(made[0]?.id);
  // Once it has ended, it can be replayed again, from whichever of the two.
  await end(made[0]?.id ?? '', 'dead');
  const again = await replay(id);
  expect(again.id).not.toBe(made[0]?.id);
  expect(await undelivered()).toEqual([again.id]);
});

test('an event counts as never delivered until one of its deliveries succeeds, and never again afterwards', async () => {
  const { id } = await store();
  const made = await replay(id);
  await end(made.id, 'delivered');
  expect(await undelivered()).toEqual([]);
  // A delivered one can be replayed, and what becomes of that replay changes nothing.
  const once = await replay(made.id);
  expect(await undelivered()).toEqual([]);
  await end(once.id, 'dead');
  expect(await undelivered()).toEqual([]);
  await end((await replay(id)).id, 'dead');
  expect(await undelivered()).toEqual([]);
});

test('nothing is replayed while it is under way, to an endpoint that is not active, or after 29 days', async () => {
  const pending = await store({ state: 'pending' });
  await expect(replay(pending.id)).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('under way') });
  const { id } = await store();
  for (const [status, words] of [
    ['registered', 'proven'],
    ['paused', 'paused'],
    ['removed', 'removed'],
  ] as const) {
    const other = await world.fixtures.webhookEndpoint(await sameOwner(), { status });
    const letter = await store({ endpoint: other });
    await expect(replay(letter.id)).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining(words) });
  }
  const last = start.getTime() + webhookLimits.webhookHistoryKept - webhookLimits.webhookReplayWindow;
  await expect(replay(id, new Date(last))).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('29 days') });
  expect(await replay(id, new Date(last - 1))).toMatchObject({ state: 'pending' });
});

test('what was discarded is not replayed, neither alone nor with others, since it would be discarded again', async () => {
  const discarded = await store({ state: 'discarded' });
  await expect(replay(discarded.id)).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('was discarded') });
  await expect(count({ states: ['discarded'] })).rejects.toMatchObject({ fields: [{ path: 'filter.states' }] });
  expect([await count({}), await count({ undelivered: true }), await count({ deliveryIds: [discarded.id] })]).toMatchObject(
    Array.from({ length: 3 }, () => ({ count: 0 })),
  );
});

/** Another integration of the same operator, because one has three endpoints at most. */
async function sameOwner(): Promise<TestClient> {
  const other = await world.fixtures.client();
  await world.rows('update integration set operator_id = $2 where id = $1', [other.integrationId, client.operatorId]);
  return other;
}

const count = (filter: SelectionFilter, at = now) =>
  replayCount(world.em(), { operatorId: client.operatorId, endpointId: endpoint.id, filter, now: at });
async function order(filter: SelectionFilter, counted?: Awaited<ReturnType<typeof count>>) {
  const { count: expectedCount, selectionDigest, until } = counted ?? (await count(filter));
  return replayDeliveries(world.em(), { actor, endpointId: endpoint.id, filter, until, expectedCount, selectionDigest, now });
}
const carryOut = (replayId: string) => carryOutReplay(world.em(), { replayId, now });
const replaysMade = async () =>
  (
    await world.rows<{ count: number }>(
      'select count(*)::int as count from webhook_delivery where endpoint_number = $1 and replay_of is not null',
      [endpoint.number],
    )
  )[0]?.count;

test('many are replayed as they were counted: by type, time and what was never delivered', async () => {
  for (let n = 0; n < 4; n += 1)
    await store({ type: n % 2 ? 'connection.created' : 'statistics.updated', at: new Date(start.getTime() + n * 1000) });
  await store({ state: 'delivered' });
  await store({ state: 'pending' });
  await store({ at: new Date(now.getTime() - 30 * day) });
  expect(await count({})).toMatchObject({ count: 4, tooMany: false, until: now });
  expect(await count({ states: ['delivered', 'dead'] })).toMatchObject({ count: 5 });
  expect(await count({ states: ['delivered', 'dead'], undelivered: true })).toMatchObject({ count: 4 });
  expect(await count({ from: new Date(start.getTime() + 1000), to: new Date(start.getTime() + 3000) })).toMatchObject({ count: 2 });
  const { id, count: ordered } = await order({ types: ['statistics.updated'] });
  expect(ordered).toBe(2);
  await carryOut(id);
  expect(await replaysMade()).toBe(2);
  expect(await lastReplayOf(world.em(), endpoint.number)).toMatchObject({ id, count: 2, replayed: 2, finishedAt: now });
  expect(await count({})).toMatchObject({ count: 2 });
});

test('an order replays exactly what was counted, even if more is found to have ended before', async () => {
  const minutes = (n: number) => new Date(start.getTime() + n * 60_000);
  const late = [await store({ state: 'pending', at: minutes(-1) }), await store({ state: 'pending', at: minutes(1) })];
  const counted = [await store(), await store()];
  const { id } = await order({});
  // Their results were stored late, and say that they ended before the count.
  // In whatever order the table is read, they come before one of those that were counted.
  for (const each of [...late, ...counted]) await end(each.id, 'dead', start);
  await carryOut(id);
  const replayed = await world.rows<{ id: string }>(
    'select replay_of as id from webhook_delivery where endpoint_number = $1 and replay_of is not null order by number',
    [endpoint.number],
  );
  expect(replayed).toEqual(counted.map((each) => ({ id: each.id })));
});

test('an order that is given twice, and a job that runs twice at once, replay nothing twice', async () => {
  for (let n = 0; n < 5; n += 1) await store();
  const counted = await count({});
  const [first, second] = [await order({}, counted), await order({}, counted)];
  await Promise.all([carryOut(first.id), carryOut(first.id), carryOut(second.id)]);
  expect(await replaysMade()).toBe(5);
  expect((await lastReplayOf(world.em(), endpoint.number))?.finishedAt).toEqual(now);
});

test('nothing is ordered if the deliveries are others by then, even as many, or more than 10,000', async () => {
  const { id } = await store();
  const counted = await count({});
  await replay(id);
  await store();
  await expect(order({}, counted)).rejects.toMatchObject({ code: 'conflict' });
  await expect(order({}, { ...counted, count: 10_001 })).rejects.toMatchObject({
    code: 'invalid_request',
    fields: [{ path: 'input.expectedCount' }],
  });
  await expect(order({}, { ...counted, count: 0 })).rejects.toMatchObject({ fields: [{ path: 'input.expectedCount' }] });
  await expect(count({ states: ['pending'] })).rejects.toMatchObject({ fields: [{ path: 'filter.states' }] });
  await expect(count({ deliveryIds: ['x'] })).rejects.toMatchObject({ fields: [{ path: 'filter.deliveryIds' }] });
  await world.rows(
    `insert into webhook_delivery (id, endpoint_number, event_id, type, state, window_ends_at, created_at, finished_at)
     select 'dlv_' || lpad(n::text, 26, '0'), d.endpoint_number, d.event_id, d.type, 'dead', d.window_ends_at, d.created_at, d.created_at
       from webhook_delivery d, generate_series(1, 10001) n where d.id = $1`,
    [id],
  );
  expect(await count({})).toMatchObject({ count: 10_000, tooMany: true });
});

test('an operator has 50,000 deliveries replayed in a day at most, counted as they were ordered', async () => {
  const [one, two, three] = [await store(), await store(), await store()];
  await replay(one.id);
  await world.rows(`update attempt_window set count = $2 where kind = 'replay_operator' and source = $1`, [
    client.operatorId,
    webhookLimits.replaysPerOperatorPerDay - 1,
  ]);
  const both = { deliveryIds: [two.id, three.id] };
  await expect(order(both)).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
  await order({ deliveryIds: [two.id] });
  await expect(replay(three.id)).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
  expect(await replay(three.id, new Date(now.getTime() + day))).toMatchObject({ state: 'pending' });
});

test('chosen dead letters are replayed, and what is not the owner’s own is not among them', async () => {
  const [one, two] = [await store(), await store()];
  const stranger = await world.fixtures.client();
  const foreign = await storedDelivery(world, {
    endpoint: await world.fixtures.webhookEndpoint(stranger),
    clientNumber: stranger.number,
    state: 'dead',
    at: start,
  });
  const filter = { deliveryIds: [one.id, foreign.id] };
  const { id } = await order(filter);
  await carryOut(id);
  expect(await replaysMade()).toBe(1);
  expect((await undelivered()).includes(two.id)).toBe(true);
  expect((await undelivered()).includes(one.id)).toBe(false);
  await expect(
    replayCount(world.em(), { operatorId: stranger.operatorId, endpointId: endpoint.id, filter: {}, now }),
  ).rejects.toMatchObject({ code: 'not_found' });
});
