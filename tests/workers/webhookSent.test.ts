import { hash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { revokeResource } from '../../server/domain/sharing/revocation/revokeResource.ts';
import { attemptsOf } from '../../server/domain/webhook/history/attemptsOf.ts';
import { deliveriesOf } from '../../server/domain/webhook/history/deliveries.ts';
import { deliveryBodies } from '../../server/domain/webhook/history/deliveryBodies.ts';
import { WebhookReceiver } from '../support/clients/webhookReceiver.ts';
import { webhookDelivery, webhookEndpoint } from '../support/webhooks/webhookFixtures.ts';
import { openWorld } from '../support/world/openWorld.ts';
import type { World } from '../support/world/World.ts';

const hour = 3_600_000;
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

async function shared(name: string, payloadMode: 'notification' | 'full_payload') {
  const client = await world.fixtures.client();
  const endpoint = await webhookEndpoint(world, client, { url: receiver.url(name), payloadMode });
  const connectionId = await world.fixtures.connection(client);
  const [resourceId = ''] = await world.fixtures.share(client, connectionId, 1, { shipping: true });
  const event = { type: 'resource.updated', connectionId, resource: { id: resourceId, type: 'order' } } as const;
  return { client, endpoint, resourceId, send: () => webhookDelivery(world, client, endpoint, event) };
}

const attemptAt = async (number: number) => (await attemptsOf(world.em(), [number]))[0]?.[0];
const bodiesOf = (number: number) => deliveryBodies(world.em(), { number, source: 'https://api.example' });
const sentTo = (name: string) => receiver.at(name)[0]?.body ?? Buffer.alloc(0);

test('an attempt keeps where it went, its mode and the digest of its body, whatever becomes of the endpoint', async () => {
  const { endpoint, send } = await shared('kept-facts', 'notification');
  const { number } = await send();
  await world.deliver(receiver);
  await world.rows(`update webhook_endpoint set url = $2, payload_mode = 'full_payload' where number = $1`, [
    endpoint.number,
    receiver.url('moved-on'),
  ]);
  const sha256 = hash('sha256', sentTo('kept-facts'), 'base64');
  expect(await attemptAt(number)).toMatchObject({
    url: receiver.url('kept-facts'),
    payloadMode: 'notification',
    revision: null,
    bodySha256: sha256,
  });
  // Made again from the event, byte for byte.
  expect((await bodiesOf(number)).notification).toEqual({ text: String(sentTo('kept-facts')), sha256, revision: null });
});

test('of a full payload the revision and the digest are kept; what would be sent now is made again until access ends', async () => {
  const { client, resourceId, send } = await shared('full-facts', 'full_payload');
  const { number } = await send();
  await world.deliver(receiver);
  const body = sentTo('full-facts');
  const { revision } = (JSON.parse(String(body)) as { data: { snapshot: { revision: number | string } } }).data.snapshot;
  const attempt = await attemptAt(number);
  expect(attempt).toMatchObject({ payloadMode: 'full_payload', revision: String(revision), bodySha256: hash('sha256', body, 'base64') });
  expect((await bodiesOf(number)).now).toEqual({ text: String(body), sha256: attempt?.bodySha256, revision: String(revision) });
  await world.rows('update shared_resource set revision = revision + 1 where client_number = $1 and id = $2', [client.number, resourceId]);
  const { now } = await bodiesOf(number);
  expect([now?.revision, now?.sha256 === attempt?.bodySha256]).toEqual([String(Number(revision) + 1), false]);
  await world.em().transactional((tx) => revokeResource(tx, { clientNumber: client.number, resourceId, now: world.clock.now() }));
  expect(await bodiesOf(number)).toMatchObject({ notification: { text: expect.stringContaining(resourceId) }, now: null });
});

test('nothing with a snapshot is made again in production while the gate is closed', async () => {
  const { client, send } = await shared('gate-closed', 'full_payload');
  const { number } = await send();
  expect((await bodiesOf(number)).now).not.toBeNull();
  await world.rows(`update client set environment = 'production' where number = $1`, [client.number]);
  expect((await bodiesOf(number)).now).toBeNull();
});

test('a wait that the receiver asked for is known as such, and an ordinary one is not', async () => {
  for (const [name, retryAfter] of [
    ['ordinary', undefined],
    ['asks', '7200'],
    ['asks-too-little', '1'],
  ] as const) {
    const { endpoint, send } = await shared(name, 'notification');
    receiver.answer = () => ({ status: 503, ...(retryAfter !== undefined && { headers: { 'retry-after': retryAfter } }) });
    await send();
    await world.deliver(receiver);
    const { edges } = await deliveriesOf(world.em(), { endpointNumber: endpoint.number, filter: {}, first: 1 });
    expect([name, edges[0]?.node.waitAsked]).toEqual([name, name === 'asks']);
  }
});

test.each([
  [5, 'come forward within seconds'],
  [4, 'stay where they are'],
])('after the first success that follows %s failures in a row, waiting deliveries %s', async (failures) => {
  const { endpoint, send } = await shared(`recovered-${failures}`, 'notification');
  const waiting = [await send(), await send()];
  for (const { number } of waiting)
    await world.rows('update webhook_delivery set next_attempt_at = $2, attempts = 3 where number = $1', [
      number,
      new Date(world.clock.now().getTime() + 3 * hour),
    ]);
  await send();
  await world.rows('update webhook_endpoint set failures_in_row = $2, failing_since = $3 where number = $1', [
    endpoint.number,
    failures,
    new Date(world.clock.now().getTime() - hour),
  ]);
  await world.deliver(receiver);
  const waits = await world.rows<{ in: number }>(
    `select (extract(epoch from next_attempt_at - $2))::float8 as in from webhook_delivery where endpoint_number = $1 and state = 'pending' order by number`,
    [endpoint.number, world.clock.now()],
  );
  expect(waits).toHaveLength(2);
  for (const wait of waits) {
    if (failures >= 5) expect(wait.in).toBeLessThanOrEqual(5);
    else expect(wait.in).toBe(3 * 3_600);
  }
});
