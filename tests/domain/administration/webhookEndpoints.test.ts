import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { failingWebhookEndpoints, type EndpointView } from '../../../server/domain/administration/failingWebhookEndpoints.ts';
import { pauseAnyWebhookEndpoint, resumeAnyWebhookEndpoint } from '../../../server/domain/administration/pauseAnyWebhookEndpoint.ts';
import { pauseWebhookEndpoint } from '../../../server/domain/webhook/endpoint/pauseWebhookEndpoint.ts';
import { resumeWebhookEndpoint } from '../../../server/domain/webhook/endpoint/resumeWebhookEndpoint.ts';
import type { OperatorActor } from '../../../server/domain/shared/actor.ts';
import { WebhookReceiver } from '../../support/clients/webhookReceiver.ts';
import { webhookDelivery } from '../../support/webhooks/webhookFixtures.ts';
import { openWorld } from '../../support/world/openWorld.ts';
import type { World } from '../../support/world/World.ts';

let world: World;
let receiver: WebhookReceiver;
let administrator: OperatorActor;
beforeAll(async () => {
  world = await openWorld({ poolMax: 2 });
  receiver = await WebhookReceiver.start();
  world.onClose(() => receiver.close());
  administrator = actorOf((await world.fixtures.client()).operatorId);
});
afterAll(() => world.close());

const actorOf = (operatorId: string): OperatorActor => ({
  type: 'operator',
  operatorId,
  roles: [],
  ip: '192.0.2.1',
  requestId: 'req_test',
});
const idsOf = async (view: EndpointView) =>
  (await failingWebhookEndpoints(world.em(), { view, first: 100 })).edges.map(({ node }) => node.id);
const now = () => world.clock.now();

test('administrators see the endpoints that only fail, those that have failed for longest first, by their hosts', async () => {
  const client = await world.fixtures.client();
  const [late, early, well] = [
    await world.fixtures.webhookEndpoint(client, { url: 'https://late.hooks.test/secret' }),
    await world.fixtures.webhookEndpoint(client, { url: 'https://early.hooks.test/secret' }),
    await world.fixtures.webhookEndpoint(client),
  ];
  for (const [{ number }, since] of [
    [late, '2026-11-20T12:00:00Z'],
    [early, '2026-11-19T12:00:00Z'],
  ] as const)
    await world.rows('update webhook_endpoint set failing_since = $2, failures_in_row = 9 where number = $1', [number, since]);
  expect(await idsOf('failing')).toEqual([early.id, late.id]);
  expect(await idsOf('failing')).not.toContain(well.id);
  const { edges, pageInfo } = await failingWebhookEndpoints(world.em(), { view: 'failing', first: 1 });
  expect(edges[0]?.node).toMatchObject({
    host: 'early.hooks.test',
    integrationId: client.integrationId,
    failingSince: new Date('2026-11-19T12:00:00Z'),
  });
  const next = await failingWebhookEndpoints(world.em(), { view: 'failing', first: 1, after: pageInfo.endCursor });
  expect(next.edges.map(({ node }) => node.id)).toEqual([late.id]);
});

test('an administrator pauses an endpoint: nothing is sent until an administrator resumes it, and the owner reads why', async () => {
  const client = await world.fixtures.client();
  const endpoint = await world.fixtures.webhookEndpoint(client, { url: receiver.url('paused') });
  const decision = { actor: administrator, endpointId: endpoint.id, reason: '  It answers nobody. ', now: now() };
  expect(await pauseAnyWebhookEndpoint(world.em(), decision)).toMatchObject({
    status: 'paused',
    pausedBy: 'administrator',
    pauseReason: 'It answers nobody.',
  });
  expect(await idsOf('paused')).toEqual([endpoint.id]);
  await webhookDelivery(world, client, endpoint, { type: 'connection.created', connectionId: await world.fixtures.connection(client) });
  await world.deliver(receiver);
  expect(receiver.requests).toEqual([]);
  const owner = { actor: actorOf(client.operatorId), endpointId: endpoint.id, now: now() };
  await expect(resumeWebhookEndpoint(world.em(), owner)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('administrator'),
  });
  await expect(pauseAnyWebhookEndpoint(world.em(), decision)).rejects.toMatchObject({ code: 'conflict' });
  world.clock.advance(1000);
  await resumeAnyWebhookEndpoint(world.em(), { ...decision, reason: 'Mended', now: now() });
  await world.deliver(receiver);
  expect(receiver.requests).toHaveLength(1);
  expect(
    await world.rows('select action, operator_id as owner, details from audit_entry where subject_id = $1 order by id', [endpoint.id]),
  ).toEqual([
    { action: 'webhook_endpoint.paused', owner: client.operatorId, details: { reason: 'It answers nobody.' } },
    { action: 'webhook_endpoint.resumed', owner: client.operatorId, details: { reason: 'Mended' } },
  ]);
  expect(await world.rows(`select kind, details from mail where operator_id = $1 order by created_at, id`, [client.operatorId])).toEqual([
    { kind: 'webhook_paused', details: { environment: 'sandbox', host: 'paused.hooks.test', reason: 'It answers nobody.' } },
    { kind: 'webhook_resumed', details: { environment: 'sandbox', host: 'paused.hooks.test', reason: 'Mended' } },
  ]);
});

test('an owner’s own pause stays the owner’s, an administrator’s own endpoint is left to others, and a reason is needed', async () => {
  const client = await world.fixtures.client();
  const endpoint = await world.fixtures.webhookEndpoint(client);
  const decision = { actor: administrator, endpointId: endpoint.id, reason: 'A reason.', now: now() };
  await pauseWebhookEndpoint(world.em(), { actor: actorOf(client.operatorId), endpointId: endpoint.id, now: now() });
  await expect(resumeAnyWebhookEndpoint(world.em(), decision)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('owner'),
  });
  expect(await pauseAnyWebhookEndpoint(world.em(), decision)).toMatchObject({ pausedBy: 'administrator' });
  await expect(pauseAnyWebhookEndpoint(world.em(), { ...decision, actor: actorOf(client.operatorId) })).rejects.toMatchObject({
    code: 'forbidden',
  });
  expect(() => pauseAnyWebhookEndpoint(world.em(), { ...decision, reason: ' ' })).toThrow(/reason/);
  await expect(pauseAnyWebhookEndpoint(world.em(), { ...decision, endpointId: 'whk_x' })).rejects.toMatchObject({ code: 'not_found' });
});
