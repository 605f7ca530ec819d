import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { WebhookReceiver } from '../support/clients/webhookReceiver.ts';
import { openWorld } from '../support/world/openWorld.ts';
import { webhookDelivery, webhookEndpoint } from '../support/webhooks/webhookFixtures.ts';
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
    `select state, reason, attempts, (select count(*)::int from webhook_attempt a where a.delivery_no = d.no) as recorded,
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
