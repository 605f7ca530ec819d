import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { IsolationLevel } from '@mikro-orm/postgresql';
import { findSharedResource } from '../../server/domain/feed/findSharedResource.ts';
import { clearSandbox } from '../../server/domain/sandbox/corpus/clearSandbox.ts';
import { revokeResource } from '../../server/domain/sharing/revocation/revokeResource.ts';
import { retryDelay } from '../../server/domain/webhook/delivery/retryPolicy.ts';
import { pauseWebhookEndpoint } from '../../server/domain/webhook/endpoint/pauseWebhookEndpoint.ts';
import { resumeWebhookEndpoint } from '../../server/domain/webhook/endpoint/resumeWebhookEndpoint.ts';
import { reviseWebhookEndpoint } from '../../server/domain/webhook/endpoint/reviseWebhookEndpoint.ts';
import { replayCount } from '../../server/domain/webhook/replay/replayDeliveries.ts';
import { replayDelivery } from '../../server/domain/webhook/replay/replayDelivery.ts';
import { operatorOf } from '../domain/lifecycles/certificateWalk.ts';
import { WebhookReceiver } from '../support/clients/webhookReceiver.ts';
import { type StoredEvent, webhookDelivery, webhookEndpoint } from '../support/webhooks/webhookFixtures.ts';
import { openWorld } from '../support/world/openWorld.ts';
import type { World } from '../support/world/World.ts';

let world: World;
let receiver: WebhookReceiver;

beforeAll(async () => {
  world = await openWorld();
  world.clock.stop();
  receiver = await WebhookReceiver.start();
  world.onClose(() => receiver.close());
});
afterAll(() => world.close());
beforeEach(() => {
  receiver.requests.length = 0;
  receiver.answer = () => 200;
});

const deliveryOf = async (id: string) => {
  const [row] = await world.rows<Record<string, unknown>>(
    `select state, reason, attempts, (select count(*)::int from webhook_attempt a where a.delivery_number = d.number) as recorded,
            date_part('epoch', next_attempt_at - $2) as next_in from webhook_delivery d where id = $1`,
    [id, world.clock.now()],
  );
  return row;
};

test('an event is sent signed to the endpoint, and the answer is on record', async () => {
  const client = await world.fixtures.client();
  const endpoint = await webhookEndpoint(world, client, { url: receiver.url('first') });
  const connectionId = await world.fixtures.connection(client);
  const { id, eventId } = await webhookDelivery(world, client, endpoint, { type: 'connection.created', connectionId });
  await world.deliver(receiver);
  const [request] = receiver.at('first');
  expect(request?.headers['x-svc-event-id']).toBe(eventId);
  expect(JSON.parse(String(request?.body))).toMatchObject({
    id: eventId,
    type: 'connection.created',
    data: { connection_id: connectionId },
  });
  expect(await deliveryOf(id)).toMatchObject({ state: 'delivered', attempts: 1, recorded: 1 });
});

const hour = 3_600_000;
/** Someone whose order is shared with an endpoint of this mode. */
async function shared(name: string, payloadMode: 'notification' | 'full_payload', environment: 'sandbox' | 'production' = 'sandbox') {
  const client = await world.fixtures.client({ environment, status: environment === 'production' ? 'active' : 'sandbox' });
  const endpoint = await webhookEndpoint(world, client, { url: receiver.url(name), payloadMode });
  const connectionId = await world.fixtures.connection(client);
  const [id = ''] = await world.fixtures.share(client, connectionId, 1, { shipping: true });
  const about = { connectionId, resource: { id, type: 'order' } } as const;
  return {
    client,
    endpoint,
    about,
    send: (event: StoredEvent, window?: number) => webhookDelivery(world, client, endpoint, event, window),
  };
}

test('a full payload encloses exactly what the detail response answers, and a notification nothing', async () => {
  for (const payloadMode of ['full_payload', 'notification'] as const) {
    const { client, about, send } = await shared(payloadMode.replace('_', '-'), payloadMode);
    await send({ type: 'resource.updated', ...about });
    await world.deliver(receiver);
    const detail = await findSharedResource((text, parameters) => world.rows(text, parameters), {
      clientNumber: client.number,
      ...about.resource,
    });
    const body = String(receiver.at(payloadMode.replace('_', '-'))[0]?.body);
    const text = detail.state === 'live' ? detail.text : 'none';
    expect(text).toContain('"shipping":');
    if (payloadMode === 'full_payload') expect(body.endsWith(`,"snapshot":${text},"history_complete":true}}`)).toBe(true);
    else expect(JSON.parse(body)).toMatchObject({ data: { connection_id: about.connectionId, resource: about.resource } });
    expect(body.includes('"snapshot"')).toBe(payloadMode === 'full_payload');
  }
});

test('what access no longer shows when it is due is discarded, each with its reason, and nothing of it is sent', async () => {
  const { client, endpoint, about, send } = await shared('discards', 'full_payload');
  const scopes = (list: string) => world.rows(`update client set scopes = $2 where number = $1`, [client.number, list.split(' ')]);
  const generation = await send({ type: 'statistics.updated', generationId: 'gen_0' });
  await scopes('vehicles.read');
  const hidden = await send({ type: 'resource.updated', ...about });
  const statistics = await send({ type: 'statistics.updated', generationId: 'gen_0' });
  await world.deliver(receiver);
  expect(await deliveryOf(hidden.id)).toMatchObject({ state: 'discarded', reason: 'not_visible' });
  expect(await deliveryOf(statistics.id)).toMatchObject({ state: 'discarded', reason: 'not_visible' });
  expect(await deliveryOf(generation.id)).toMatchObject({ state: 'discarded', reason: 'not_visible' });
  await scopes('orders.read statistics.orders.read');
  const replaced = await send({ type: 'statistics.updated', generationId: 'gen_0' });
  const gone = await send({ type: 'connection.created', connectionId: about.connectionId });
  await world.rows('delete from webhook_event where id = $1', [gone.eventId]);
  await world
    .em()
    .transactional((tx) => revokeResource(tx, { clientNumber: client.number, resourceId: about.resource.id, now: world.clock.now() }));
  const revoked = await send({ type: 'resource.granted', ...about });
  await world.deliver(receiver);
  expect(await deliveryOf(replaced.id)).toMatchObject({ state: 'discarded', reason: 'generation_replaced' });
  expect(await deliveryOf(gone.id)).toMatchObject({ state: 'discarded', reason: 'event_gone' });
  expect(await deliveryOf(revoked.id)).toMatchObject({ state: 'discarded', reason: 'access_revoked' });
  // The revocation’s own event is the only one that went out.
  expect(receiver.at('discards').map(({ body }) => (JSON.parse(String(body)) as { type: string }).type)).toEqual(['resource.revoked']);
  const removed = await send({ type: 'connection.created', connectionId: about.connectionId });
  await world.rows(`update webhook_endpoint set status = 'removed', slot = null, removed_at = $2 where number = $1`, [
    endpoint.number,
    world.clock.now(),
  ]);
  await world.deliver(receiver);
  expect(await deliveryOf(removed.id)).toMatchObject({ state: 'discarded', reason: 'endpoint_gone' });
});

test('what the endpoint no longer subscribes to is discarded when it is due or released, and cannot be replayed', async () => {
  const { client, endpoint, about, send } = await shared('unsubscribed', 'notification');
  const [by, now] = [{ actor: operatorOf(client.operatorId), endpointId: endpoint.id }, world.clock.now()];
  receiver.answer = () => 404;
  const letter = await send({ type: 'resource.granted', ...about });
  await world.deliver(receiver);
  receiver.answer = () => 200;
  await pauseWebhookEndpoint(world.em(), { ...by, now });
  const held = await send({ type: 'resource.updated', ...about });
  await world.deliver(receiver);
  expect(await deliveryOf(held.id)).toMatchObject({ state: 'held', reason: 'endpoint_not_active' });
  await reviseWebhookEndpoint(world.em(), { ...by, eventTypes: ['connection.created'], now });
  await resumeWebhookEndpoint(world.em(), { ...by, now });
  const pending = await send({ type: 'resource.granted', ...about });
  const kept = await send({ type: 'connection.created', connectionId: about.connectionId });
  await world.deliver(receiver);
  for (const { id } of [held, pending])
    expect(await deliveryOf(id)).toMatchObject({ state: 'discarded', reason: 'not_subscribed', attempts: 0 });
  expect(await deliveryOf(kept.id)).toMatchObject({ state: 'delivered' });

  const replayed = replayDelivery(world.em(), { actor: by.actor, deliveryId: letter.id, now });
  await expect(replayed).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('no longer subscribes to resource.granted'),
  });
  const counted = () =>
    replayCount(world.em(), { operatorId: client.operatorId, endpointId: endpoint.id, filter: {}, now: world.clock.now() });
  expect(await counted()).toMatchObject({ count: 0 });
  await reviseWebhookEndpoint(world.em(), { ...by, eventTypes: ['resource.granted'], now });
  expect(await counted()).toMatchObject({ count: 1 });
});

test('types that only a later release knows stay when the others are changed', async () => {
  const { client, endpoint } = await shared('latertypes', 'notification');
  await world.rows(`update webhook_endpoint set event_types = event_types || 'of.later'::text where id = $1`, [endpoint.id]);
  const by = { actor: operatorOf(client.operatorId), endpointId: endpoint.id, now: world.clock.now() };
  const { eventTypes } = await reviseWebhookEndpoint(world.em(), { ...by, eventTypes: ['resource.granted'] });
  expect(eventTypes).toEqual(['resource.granted', 'of.later']);
});

test('what tells of a former sandbox is discarded with a reason when it is replayed, and never read again', async () => {
  const { client, about, send } = await shared('former', 'notification');
  receiver.answer = () => 404;
  await send({ type: 'connection.created', connectionId: about.connectionId });
  await world
    .em()
    .transactional((tx) => revokeResource(tx, { clientNumber: client.number, resourceId: about.resource.id, now: world.clock.now() }));
  await world.deliver(receiver);
  const letters = await world.rows<{ id: string; type: string }>(
    `select d.id, d.type from webhook_delivery d join webhook_event e on e.id = d.event_id where e.client_number = $1 and d.state = 'dead' order by d.number`,
    [client.number],
  );
  expect(letters.map(({ type }) => type)).toEqual(['connection.created', 'resource.revoked']);
  await world.em().transactional((tx) => clearSandbox(tx, client.number), { isolationLevel: IsolationLevel.READ_COMMITTED });
  receiver.requests.length = 0;
  const actor = operatorOf(client.operatorId);
  for (const { id: deliveryId } of letters) {
    const { id } = await replayDelivery(world.em(), { actor, deliveryId, now: world.clock.now() });
    await world.deliver(receiver);
    expect(await deliveryOf(id)).toMatchObject({ state: 'discarded', reason: 'sandbox_replaced', attempts: 0 });
  }
  expect(receiver.requests).toEqual([]);
});

test('what is held goes out as soon as its reason has ended, also if that was missed when it ended', async () => {
  const { client, endpoint, about, send } = await shared('held', 'notification', 'production');
  const gates = (open: boolean) =>
    world.rows(
      'with s as (update service_gate set production_data_enabled = $1) update integration set production_gate_open = $1 where id = $2',
      [open, client.integrationId],
    );
  const status = (value: string) => world.rows(`update integration set status = $2 where id = $1`, [client.integrationId, value]);
  const pause = (value: string) =>
    world.rows(`update webhook_endpoint set status = $2, paused_by = case $2 when 'paused' then 'owner' end where number = $1`, [
      endpoint.number,
      value,
    ]);
  const { id } = await send({ type: 'connection.created', connectionId: about.connectionId });
  const suspension = await send({ type: 'integration.suspended' });
  await pause('paused');
  const reasons: unknown[] = [];
  for (const change of [() => status('suspended'), () => pause('active'), () => status('active'), () => gates(true)]) {
    await world.deliver(receiver);
    reasons.push((await deliveryOf(id))?.['reason']);
    await change();
  }
  expect(reasons).toEqual(['endpoint_not_active', 'endpoint_not_active', 'integration_suspended', 'gate_closed']);
  expect(receiver.at('held').map(({ headers }) => headers['x-svc-event-id'])).toEqual([suspension.eventId]);
  await world.deliver(receiver);
  await gates(false);
  expect(await deliveryOf(id)).toMatchObject({ state: 'delivered', reason: null, attempts: 1 });
});

test('a failed attempt is repeated after its delay under the same event ID, and each attempt is on record', async () => {
  const { endpoint, about, send } = await shared('retried', 'notification');
  const { id, eventId, number } = await send({ type: 'connection.created', connectionId: about.connectionId });
  receiver.answer = () => ({ status: 503, body: 'come back\0later' });
  await world.deliver(receiver);
  const delay = retryDelay(eventId, endpoint.id, 1) / 1_000;
  expect(await deliveryOf(id)).toMatchObject({ state: 'pending', attempts: 1, next_in: delay });
  await world.deliver(receiver);
  expect(receiver.at('retried').length).toBe(1);
  world.clock.advance(delay * 1_000);
  receiver.answer = () => ({ status: 429, headers: { 'retry-after': '1000' } });
  await world.deliver(receiver);
  expect(await deliveryOf(id)).toMatchObject({ state: 'pending', attempts: 2, next_in: 1_000 });
  world.clock.advance(1_000_000);
  receiver.answer = () => 204;
  await world.deliver(receiver);
  expect(await deliveryOf(id)).toMatchObject({ state: 'delivered', attempts: 3 });
  expect(new Set(receiver.at('retried').map(({ headers }) => headers['x-svc-event-id']))).toEqual(new Set([eventId]));
  const attempts = await world.rows(
    `select number, host(address) as address, status, error, response, total_us > 0 as took, first_byte_us > 0 as answered, key_id is not null as signed
       from webhook_attempt where delivery_number = $1 order by number`,
    [number],
  );
  const common = { address: '127.0.0.1', error: null, took: true, answered: true, signed: true };
  expect(attempts).toEqual([
    { ...common, number: 1, status: 503, response: 'come back\uFFFDlater' },
    { ...common, number: 2, status: 429, response: null },
    { ...common, number: 3, status: 204, response: null },
  ]);
  const charted = await world.rows(
    `select outcome, sum(count)::int as count, sum((select sum(n) from unnest(durations) n))::int as durations from webhook_attempt_hour
      where endpoint_number = $1 group by outcome order by outcome`,
    [endpoint.number],
  );
  expect(charted).toEqual([
    { outcome: 'delivered', count: 1, durations: 1 },
    { outcome: 'retried', count: 2, durations: 2 },
  ]);
});

test('a terminal status makes a dead letter at once, and a retry beyond the window at the end', async () => {
  const { endpoint, about, send } = await shared('terminal', 'notification');
  const first = await send({ type: 'connection.created', connectionId: about.connectionId });
  receiver.answer = () => 410;
  await world.deliver(receiver);
  expect(await deliveryOf(first.id)).toMatchObject({ state: 'dead', reason: 'terminal_status', attempts: 1 });
  const second = await send({ type: 'connection.created', connectionId: about.connectionId }, 15_000);
  receiver.answer = () => 500;
  await world.deliver(receiver);
  expect(await deliveryOf(second.id)).toMatchObject({ state: 'dead', reason: 'window_over', attempts: 1 });
  const health = () =>
    world.rows(
      'select failures_in_row, failing_since is not null as failing, last_success_at is not null as succeeded from webhook_endpoint where number = $1',
      [endpoint.number],
    );
  expect(await health()).toEqual([{ failures_in_row: 2, failing: true, succeeded: false }]);
  receiver.answer = () => 200;
  await send({ type: 'connection.created', connectionId: about.connectionId });
  await world.deliver(receiver);
  expect(await health()).toEqual([{ failures_in_row: 0, failing: false, succeeded: true }]);
});

test('deliveries that nobody attempts end with their window: those of a paused endpoint as dead letters, those behind the gate as discarded', async () => {
  const paused = await shared('window-paused', 'notification');
  await world.rows(`update webhook_endpoint set status = 'paused', paused_by = 'owner' where number = $1`, [paused.endpoint.number]);
  const closed = await shared('window-closed', 'notification', 'production');
  const [one, other] = [
    await paused.send({ type: 'connection.created', connectionId: paused.about.connectionId }, hour),
    await closed.send({ type: 'connection.created', connectionId: closed.about.connectionId }, hour),
  ];
  await world.deliver(receiver);
  world.clock.advance(hour);
  await world.deliver(receiver);
  expect(await deliveryOf(one.id)).toMatchObject({ state: 'dead', reason: 'endpoint_not_active', attempts: 0 });
  expect(await deliveryOf(other.id)).toMatchObject({ state: 'discarded', reason: 'window_over_while_held', attempts: 0 });
});
