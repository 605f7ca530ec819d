import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { OperatorActor } from '../../../../server/domain/shared/actor.ts';
import { webhookLimits } from '../../../../server/domain/outbox/webhookLimits.ts';
import { attemptDeliveries, waitingCount } from '../../../../server/domain/webhook/attempt/attemptDeliveries.ts';
import { attemptDelivery } from '../../../../server/domain/webhook/attempt/attemptDelivery.ts';
import { comeForward } from '../../../../server/domain/webhook/attempt/comeForward.ts';
import { storedDelivery } from '../../../support/webhooks/deliveryRows.ts';
import type { TestEndpoint } from '../../../support/webhooks/endpointRows.ts';
import { ownEndpoint } from '../../../support/webhooks/ownEndpoint.ts';
import type { TestClient } from '../../../support/world/Fixtures.ts';
import { openWorld } from '../../../support/world/openWorld.ts';
import type { World } from '../../../support/world/World.ts';

const hour = 3_600_000;
const start = new Date('2026-11-20T12:00:00Z');
const now = new Date(start.getTime() + hour);

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

type Described = Partial<Parameters<typeof storedDelivery>[1]>;
const store = (described: Described = {}) =>
  storedDelivery(world, { endpoint, clientNumber: client.number, state: 'pending', at: start, attempts: 1, ...described });
/** A delivery whose next attempt is in so many hours. */
async function waiting(hours: number, described: Described & { waitAsked?: boolean } = {}) {
  const { waitAsked = false, ...rest } = described;
  const delivery = await store(rest);
  const at = new Date(now.getTime() + hours * hour);
  await world.rows('update webhook_delivery set next_attempt_at = $2, wait_asked = $3 where id = $1', [delivery.id, at, waitAsked]);
  return delivery;
}
const tryNow = (deliveryId: string, as = actor) => attemptDelivery(world.em(), { actor: as, deliveryId, now });
type WaitingFilter = Parameters<typeof waitingCount>[1]['filter'];
const count = (filter: WaitingFilter = {}) =>
  waitingCount(world.em(), { operatorId: client.operatorId, endpointId: endpoint.id, filter, now });
const tryAll = (filter: WaitingFilter, expectedCount: number) =>
  attemptDeliveries(world.em(), { actor, endpointId: endpoint.id, filter, until: now, expectedCount, now });
const due = async () =>
  (
    await world.rows<{ id: string }>(
      `select id from webhook_delivery where endpoint_number = $1 and next_attempt_at <= $2 order by number`,
      [endpoint.number, now],
    )
  ).map(({ id }) => id);
const trail = (action: string) =>
  world.rows<{ subject_id: string; details: object }>(
    'select subject_id, details from audit_entry where action = $1 and integration_id = $2',
    [action, client.integrationId],
  );

test('a waiting delivery is due at once, also where its receiver asked to wait, and the trail says so', async () => {
  const { id, eventId } = await waiting(2, { waitAsked: true });
  const other = await waiting(2);
  expect(await tryNow(id)).toMatchObject({ id, state: 'pending', attemptsCount: 1, nextAttemptAt: now, waitAsked: false });
  expect(await due()).toEqual([id]);
  expect(await trail('webhook_delivery.tried_now')).toEqual([
    { subject_id: id, details: { endpointId: endpoint.id, eventId, eventType: 'connection.created' } },
  ]);
  // One that is due already stays as it is.
  await tryNow(id);
  expect(await trail('webhook_delivery.tried_now')).toHaveLength(1);
  expect(other.id).not.toBe(id);
});

test('what is held or over, what belongs to an endpoint that is not active, and another’s delivery cannot be tried now', async () => {
  const conflict = (words: string) => ({ code: 'conflict', message: expect.stringContaining(words) });
  await expect(tryNow((await store({ state: 'held' })).id)).rejects.toMatchObject(conflict('held'));
  for (const state of ['dead', 'delivered', 'discarded'] as const)
    await expect(tryNow((await store({ state })).id)).rejects.toMatchObject(conflict('Replay it instead'));
  const { id } = await waiting(2);
  const stranger = await world.fixtures.client();
  await expect(tryNow(id, { ...actor, operatorId: stranger.operatorId })).rejects.toMatchObject({ code: 'not_found' });
  await world.rows(`update webhook_endpoint set status = 'paused', paused_by = 'owner' where number = $1`, [endpoint.number]);
  await expect(tryNow(id)).rejects.toMatchObject(conflict('paused'));
  await expect(tryAll({}, 1)).rejects.toMatchObject(conflict('paused'));
  expect(await due()).toEqual([]);
});

test('many are counted by a filter first, and no more than were counted are tried', async () => {
  const first = await waiting(2, { type: 'statistics.updated' });
  const second = await waiting(3, { type: 'statistics.updated' });
  await waiting(1);
  await store({ state: 'dead' });
  expect(await count()).toEqual({ count: 3, tooMany: false, until: now });
  const filter: WaitingFilter = { types: ['statistics.updated'] };
  expect((await count(filter)).count).toBe(2);
  await expect(tryAll(filter, 1)).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('2 now, 1 then') });
  expect(await due()).toEqual([]);
  expect(await tryAll(filter, 2)).toBe(2);
  expect(await due()).toEqual([first.id, second.id]);
  expect(await trail('webhook_endpoint.tried_now')).toEqual([{ subject_id: endpoint.id, details: { deliveries: 2 } }]);
  // Giving the order twice tries nothing twice.
  expect(await tryAll(filter, 2)).toBe(0);
  expect(await trail('webhook_endpoint.tried_now')).toHaveLength(1);
});

test('what was stored after the count is not included, and single ones can be named', async () => {
  const named = await waiting(1);
  const other = await waiting(1);
  await waiting(1, { at: new Date(now.getTime() + 1) });
  expect((await count()).count).toBe(2);
  const filter = { deliveryIds: [named.id] };
  expect((await count(filter)).count).toBe(1);
  expect(await tryAll(filter, 1)).toBe(1);
  expect(await due()).toEqual([named.id]);
  expect(await tryAll({}, 1)).toBe(1);
  expect(await due()).toEqual([named.id, other.id]);
});

test('each wrong value of an order is refused with its place', async () => {
  const wrong = (path: string) => ({ code: 'invalid_request', fields: [expect.objectContaining({ path })] });
  await expect(tryAll({}, 0)).rejects.toMatchObject(wrong('input.expectedCount'));
  await expect(tryAll({}, webhookLimits.deliveriesReplayedAtOnce + 1)).rejects.toMatchObject(wrong('input.expectedCount'));
  await expect(tryAll({ from: now, to: start }, 1)).rejects.toMatchObject(wrong('input.filter.to'));
  await expect(tryAll({ deliveryIds: ['evt_1'] }, 1)).rejects.toMatchObject(wrong('input.filter.deliveryIds'));
  await expect(count({ deliveryIds: ['evt_1'] })).rejects.toMatchObject(wrong('filter.deliveryIds'));
  const later = new Date(now.getTime() + 1);
  const order = { actor, endpointId: endpoint.id, filter: {}, until: later, expectedCount: 1, now };
  await expect(attemptDeliveries(world.em(), order)).rejects.toMatchObject(wrong('input.until'));
});

test('what waits for a receiver that has recovered comes forward in slices, the earliest first and scattered, but no wait that it has asked for', async () => {
  const { slice, spread } = webhookLimits.webhookComeForward;
  const asked = await waiting(1, { waitAsked: true });
  await world.rows(
    `insert into webhook_delivery (id, endpoint_number, event_id, type, next_attempt_at, window_ends_at, created_at)
     select 'dlv_' || $1::int || '_' || n, $1::int, 'evt_' || n, 'connection.created', $2::timestamptz + n * interval '1 minute', $2::timestamptz + interval '7 days', $2
       from generate_series(1, $3) n`,
    [endpoint.number, new Date(now.getTime() + hour), slice + slice / 2],
  );
  const come = () =>
    comeForward((text, parameters) => world.rows(text, parameters), { endpointNumber: endpoint.number, now: now.getTime() });
  const soon = async () =>
    (
      await world.rows<{ in: number }>(
        `select (extract(epoch from next_attempt_at - $2) * 1000)::float8 as in from webhook_delivery where endpoint_number = $1 and next_attempt_at <= $3 order by number`,
        [endpoint.number, now, new Date(now.getTime() + spread)],
      )
    ).map((row) => row.in);
  expect(await come()).toBe(slice);
  const times = await soon();
  expect(times).toHaveLength(slice);
  expect(Math.min(...times)).toBeGreaterThanOrEqual(0);
  // Nobody draws a hundred times from one tenth of the time.
  expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(spread / 10);
  expect(await come()).toBe(slice / 2);
  expect(await come()).toBe(0);
  expect(await soon()).toHaveLength(slice + slice / 2);
  expect(await due()).not.toContain(asked.id);
});
