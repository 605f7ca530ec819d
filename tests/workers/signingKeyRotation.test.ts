import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { adminCommand } from '../../server/adminCommands.ts';
import type { publishedKeys } from '../../server/domain/webhook/signing/jwks.ts';
import { checkDigest, verifyByRfc9421 } from '../support/clients/rfc9421.ts';
import { type ReceivedRequest, WebhookReceiver } from '../support/clients/webhookReceiver.ts';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';
import { terminalConfig } from '../support/world/testKeys.ts';
import type { TestEndpoint } from '../support/webhooks/endpointRows.ts';
import { webhookDelivery, webhookEndpoint } from '../support/webhooks/webhookFixtures.ts';
import { keepSigningKeys } from '../../workers/tasks/keepSigningKeys.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

let world: PortalWorld;
let receiver: WebhookReceiver;
beforeAll(async () => {
  world = await openWorld({ portal: true });
  world.clock.stop();
  receiver = await WebhookReceiver.start();
});
afterAll(async () => {
  await world.close();
  await receiver.close();
});

/** A receiver that reads the key set once an hour and at no other time, so that a key which it does not know yet fails. */
function cachingReceiver(name: string) {
  let keys: Awaited<ReturnType<typeof publishedKeys>> = [];
  let readAt = -Infinity;
  return async ({ method, headers, body }: ReceivedRequest): Promise<string> => {
    const now = world.clock.now().getTime();
    if (now - readAt >= hour) {
      const response = await world.browser().fetch('/.well-known/svc-integration-webhook-jwks.json');
      ({ keys } = (await response.json()) as { keys: typeof keys });
      readAt = now;
    }
    const fields = Object.fromEntries(Object.entries(headers).map(([field, value]) => [field, String(value)]));
    const request = { method, targetUri: `https://${name}.hooks.test/webhooks`, headers: fields, body };
    checkDigest(request);
    return String(verifyByRfc9421(request, 'svc', keys).get('keyid'));
  };
}

test('a 401 ends the delivery, also while the key that signed has only just been published', async () => {
  await keepSigningKeys({}, world.workerContext());
  const client = await world.fixtures.client();
  const endpoint = await webhookEndpoint(world, client, { url: receiver.url('strict') });
  await webhookDelivery(world, client, endpoint, { type: 'connection.created', connectionId: await world.fixtures.connection(client) });
  receiver.answer = () => 401;
  await world.deliver(receiver);
  expect(await world.rows('select state, reason, attempts from webhook_delivery')).toEqual([
    { state: 'dead', reason: 'terminal_status', attempts: 1 },
  ]);
  await world.rows('delete from webhook_delivery');
});

test('no receiver that keeps the key set for an hour meets an unknown key, through a rotation by schedule and one by hand under load', async () => {
  const client = await world.fixtures.client();
  const connectionId = await world.fixtures.connection(client);
  const names = ['one', 'two', 'three'];
  const verify = Object.fromEntries(names.map((name) => [`${name}.hooks.test`, cachingReceiver(name)]));
  const endpoints: TestEndpoint[] = [];
  for (const name of names) endpoints.push(await webhookEndpoint(world, client, { url: receiver.url(name) }));
  const used: string[] = [];
  const failures: string[] = [];
  receiver.answer = async (request) => {
    try {
      used.push((await verify[request.host]?.(request)) ?? '');
      return 200;
    } catch (error) {
      failures.push((error as Error).message);
      return 401;
    }
  };

  let sent = 0;
  /** Events for some of the endpoints, so that their caches are of different ages, while the clock’s job and the deliveries run at once. */
  const load = async (step: number) => {
    for (const [index, endpoint] of endpoints.entries()) {
      if ((step + index) % 4 === 0) continue;
      await webhookDelivery(world, client, endpoint, { type: 'connection.created', connectionId });
      sent += 1;
    }
    await Promise.all([world.deliver(receiver), keepSigningKeys({}, world.workerContext())]);
  };
  const during = async (time: number) => {
    for (let step = 0; step * 7 * minute < time; step += 1) {
      await load(step);
      world.clock.advance(7 * minute);
    }
  };

  await during(14 * minute);
  world.clock.advance(90 * day - 64 * minute);
  await during(2 * hour);
  expect(new Set(used).size).toBe(2);
  world.clock.advance(day - 90 * minute);
  await during(35 * minute);
  await adminCommand(['rotate-webhook-key'])(world.em(), world.clock.now(), terminalConfig());
  await during(75 * minute);

  expect(failures).toEqual([]);
  expect(used).toHaveLength(sent);
  expect(new Set(used).size).toBe(3);
  expect(await world.rows(`select distinct state from webhook_delivery`)).toEqual([{ state: 'delivered' }]);
});
