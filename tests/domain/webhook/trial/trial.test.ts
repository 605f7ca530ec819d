import { execFileSync, spawn } from 'node:child_process';
import { createHash, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { OperatorActor } from '../../../../server/domain/shared/actor.ts';
import { newId } from '../../../../server/domain/shared/ids.ts';
import { webhookLimits } from '../../../../server/domain/outbox/webhookLimits.ts';
import { webhookEventTypes, type WebhookEventType } from '../../../../server/domain/outbox/eventTypes.ts';
import { endpointHealths } from '../../../../server/domain/webhook/endpoint/endpointHealth.ts';
import { failureGroups } from '../../../../server/domain/webhook/history/failureGroups.ts';
import { replayDelivery } from '../../../../server/domain/webhook/replay/replayDelivery.ts';
import { checkReceiver } from '../../../../server/domain/webhook/receiver-check/checkReceiver.ts';
import { curlCommand } from '../../../../server/domain/webhook/trial/curlCommand.ts';
import { loopbackErrors } from '../../../../server/domain/webhook/trial/loopbackUrl.ts';
import { sendTestEvent } from '../../../../server/domain/webhook/trial/sendTestEvent.ts';
import { requestSignedSample, signedSample } from '../../../../server/domain/webhook/trial/signedSample.ts';
import { signWebhookSample } from '../../../../server/domain/webhook/trial/signWebhookSample.ts';
import { WebhookReceiver } from '../../../support/clients/webhookReceiver.ts';
import type { TestEndpoint } from '../../../support/webhooks/endpointRows.ts';
import { ownEndpoint } from '../../../support/webhooks/ownEndpoint.ts';
import type { TestClient } from '../../../support/world/Fixtures.ts';
import { openWorld } from '../../../support/world/openWorld.ts';
import type { World } from '../../../support/world/World.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const kid = 'k'.repeat(43);
let world: World;
let receiver: WebhookReceiver;
beforeAll(async () => {
  world = await openWorld({ poolMax: 2 });
  receiver = await WebhookReceiver.start();
  world.onClose(() => receiver.close());
});
afterAll(() => world.close());

let client: TestClient;
let endpoint: TestEndpoint;
let actor: OperatorActor;
let order: string;
let connectionId: string;
beforeEach(async () => {
  ({ client, endpoint, actor } = await ownEndpoint(world, { url: receiver.url('tried'), payloadMode: 'full_payload' }));
  connectionId = await world.fixtures.connection(client);
  [order = ''] = await world.fixtures.share(client, connectionId, 1);
  await world.rows(
    'update tracked_resource t set synthetic_for = s.client_number from shared_resource s where s.tracked_resource_id = t.id and s.client_number = $1',
    [client.number],
  );
  receiver.requests.splice(0);
});

const send = (type: WebhookEventType, endpointId = endpoint.id) =>
  sendTestEvent(world.em(), { actor, endpointId, type, now: world.clock.now() });

/** Another connection, which is revoked as a whole, without its own event. */
async function revokeWhole(): Promise<{ connectionId: string; revocationId: string }> {
  const whole = await world.fixtures.connection(client);
  const revocationId = newId('rev');
  await world.rows(
    `insert into revocation (client_number, id, subject_type, subject_id, connection_id, revoked_at, deletion_deadline_at)
     values ($1, $2, 'connection', $3, $3, $4, $4::timestamptz + interval '7 days')`,
    [client.number, revocationId, whole, world.clock.now()],
  );
  return { connectionId: whole, revocationId };
}

test('a revoked resource is never told as a whole connection, which a receiver would delete', async () => {
  await world.fixtures.revoke(client, connectionId, order);
  await expect(send('connection.revoked')).rejects.toMatchObject({
    code: 'conflict',
    message: 'The sandbox has no revoked connection. Revoke a whole connection in the simulator first.',
  });
  const { connectionId: whole } = await revokeWhole();
  expect((await send('connection.revoked')).event).toMatchObject({ connectionId: whole, resourceId: null });
  expect((await send('resource.revoked')).event).toMatchObject({ connectionId, resourceId: order });
  await world.deliver(receiver);
});

test('a test event of every type is delivered like any other about the test data, and only the portal marks it', async () => {
  await world.fixtures.revoke(client, connectionId, (await world.fixtures.share(client, connectionId, 1))[0] ?? '');
  const { revocationId } = await revokeWhole();
  await world.fixtures.generation(client);
  for (const type of webhookEventTypes) expect((await send(type)).event).toMatchObject({ type, test: true });
  await world.deliver(receiver);
  const bodies = receiver.requests.map(({ body }) => JSON.parse(body.toString()) as { type: string; data: Record<string, unknown> });
  expect(bodies.map(({ type }) => type).sort()).toEqual([...webhookEventTypes].sort());
  const granted = bodies.find(({ type }) => type === 'resource.granted');
  expect(granted?.data).toMatchObject({ connection_id: connectionId, resource: { id: order, type: 'order' }, snapshot: { id: order } });
  const revoked = bodies.filter(({ data }) => 'revocation_id' in data);
  expect(revoked.filter(({ data }) => data['revocation_id'] === revocationId).map(({ type }) => type)).toEqual(['connection.revoked']);
  expect(receiver.requests.map(({ body }) => body.toString()).join()).not.toContain('test"');
  expect(await world.rows(`select distinct state from webhook_delivery where endpoint_number = $1`, [endpoint.number])).toEqual([
    { state: 'delivered' },
  ]);
});

test('a test event that fails is in the list, but raises no alarm: neither health nor dead letters count it', async () => {
  receiver.answer = () => 503;
  const { id } = await send('resource.granted');
  await world.deliver(receiver);
  receiver.answer = () => 404;
  const { id: second } = await send('resource.granted');
  await world.deliver(receiver);
  receiver.answer = () => 200;
  expect(await world.rows('select id, state from webhook_delivery where endpoint_number = $1 order by number', [endpoint.number])).toEqual([
    { id, state: 'pending' },
    { id: second, state: 'dead' },
  ]);
  expect((await endpointHealths(world.em(), [endpoint.number]))[0]).toMatchObject({ failingSince: null, failuresInRow: 0, dead: 0 });
  // Its sender looks for the cause.
  expect(await failureGroups(world.em(), endpoint.number)).toMatchObject([{ reason: 'terminal_status', status: 404, count: 1 }]);
  // Its replay is a test event, too.
  await replayDelivery(world.em(), { actor, deliveryId: second, now: world.clock.now() });
  expect(await world.rows('select distinct test from webhook_delivery where endpoint_number = $1', [endpoint.number])).toEqual([
    { test: true },
  ]);
});

test('a test event is refused for another’s endpoint, in production, to one that is not active, of a type it does not get, and without anything to tell', async () => {
  const code = (expected: string) => ({ code: expected });
  const stranger = await world.fixtures.webhookEndpoint(await world.fixtures.client());
  await expect(send('connection.created', stranger.id)).rejects.toMatchObject(code('not_found'));
  await expect(send('connection.revoked')).rejects.toMatchObject(code('conflict'));
  const narrow = await world.fixtures.webhookEndpoint(client, { eventTypes: ['connection.created'] });
  await expect(send('resource.updated', narrow.id)).rejects.toMatchObject({ code: 'invalid_request', fields: [{ path: 'input.type' }] });
  const paused = await world.fixtures.webhookEndpoint(client, { status: 'paused' });
  await expect(send('connection.created', paused.id)).rejects.toMatchObject(code('conflict'));
  await world.rows(`update client set environment = 'production' where number = $1`, [client.number]);
  await expect(send('connection.created')).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('sandbox') });
});

test('whose endpoint it is comes before how often it was tried', async () => {
  const stranger = await world.fixtures.webhookEndpoint(await world.fixtures.client());
  for (const kind of ['test_event_endpoint', 'signed_sample_endpoint', 'receiver_check_endpoint'])
    await world.rows('insert into attempt_window (kind, source, window_start, count) values ($1, $2, $3, 1000)', [
      kind,
      stranger.id,
      world.clock.now(),
    ]);
  const notFound = expect.objectContaining({ code: 'not_found' });
  const asked = { actor, endpointId: stranger.id, now: world.clock.now() };
  await expect(send('integration.suspended', stranger.id)).rejects.toEqual(notFound);
  await expect(requestSignedSample(world.em(), { ...asked, type: 'integration.suspended', url: 'http://localhost/' })).rejects.toEqual(
    notFound,
  );
  await expect(checkReceiver(world.em(), asked)).rejects.toEqual(notFound);
});

test('sixty test events an hour are sent to an endpoint', async () => {
  for (let n = 0; n < webhookLimits.testEventsPerEndpointPerHour; n += 1) await send('integration.suspended');
  await expect(send('integration.suspended')).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
});

test.each([
  'http://localhost',
  'http://localhost/',
  'http://localhost:9000/webhooks?a=%7e',
  'https://127.0.0.1:8443/a/../b',
  'http://[::1]:1/x',
])('a sample may be signed for %s', (url) => {
  expect(loopbackErrors(url, 'url')).toEqual([]);
});
test.each([
  'http://localhost.example/',
  'http://localhost@example.org/',
  'http://localhost:80@example.org/',
  'http://127.0.0.1.example.org/',
  'http://127.0.0.2/',
  'http://0.0.0.0/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://127.1/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::1%25lo]/',
  'http://[::]/',
  'http://LOCALHOST/',
  'http://localhost\\@example.org/',
  'http://localhost:99999/',
  'http://localhost:0/',
  'http://localhost/#f',
  "http://localhost/'",
  'http://localhost/ x',
  'http://localhost\n.example.org/',
  ' http://localhost/',
  'ftp://localhost/',
  'localhost:9000',
  'https://example.org/',
  `http://localhost/${'a'.repeat(2048)}`,
])('a sample is never signed for %s', (url) => {
  expect(loopbackErrors(url, 'url')).toMatchObject([{ path: 'url' }]);
});

const request = (url: string, type: WebhookEventType = 'resource.updated') =>
  requestSignedSample(world.em(), { actor, endpointId: endpoint.id, type, url, now: world.clock.now() });
const sign = (sampleId: string) =>
  signWebhookSample(world.em(), {
    sampleId,
    signingKey: () => Promise.resolve({ kid, privateKey }),
    source: 'https://api.example',
    clock: world.clock,
  });

test('a worker signs a sample, and its command delivers exactly what was signed to a receiver on the same machine', async () => {
  const got: { message: IncomingMessage; body: Buffer }[] = [];
  const server = createServer((message, response) => {
    const chunks: Buffer[] = [];
    message
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        got.push({ message, body: Buffer.concat(chunks) });
        response.end();
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a/../in?x=%7e[1]`;
  const { id, command: none } = await request(url);
  expect(none).toBeNull();
  expect(await world.rows('select action, details from audit_entry where subject_id = $1', [endpoint.id])).toEqual([
    {
      action: 'webhook_endpoint.sample_signed',
      details: { eventType: 'resource.updated', origin: new URL(url).origin, sampleId: id },
    },
  ]);
  await sign(id);
  await sign(id);
  const { command } = await signedSample(world.em(), client.operatorId, id);
  // The shell and curl, where the machine has them: the command is for people.
  const curl = run('curl', ['--version']) !== null;
  if (curl) {
    await new Promise<void>((resolve) => {
      server.once('request', (message: IncomingMessage) => message.once('end', () => resolve()));
      spawn('sh', ['-c', command ?? 'false'], { stdio: 'ignore' });
    });
    const [{ message, body } = { message: undefined, body: Buffer.alloc(0) }] = got;
    expect(message?.url).toBe('/a/../in?x=%7e[1]');
    const header = (name: string) => String(message?.headers[name]);
    expect(header('content-digest')).toBe(`sha-256=:${createHash('sha256').update(body).digest('base64')}:`);
    const [, parameters = ''] = /^svc=(.*)$/.exec(header('signature-input')) ?? [];
    const base = [
      '"@method": POST',
      `"@target-uri": ${url}`,
      ...['content-digest', 'x-svc-event-id', 'x-svc-event-timestamp'].map((name) => `"${name}": ${header(name)}`),
      `"@signature-params": ${parameters}`,
    ].join('\n');
    const signature = Buffer.from(header('signature').slice(5, -1), 'base64');
    expect(verify(null, Buffer.from(base), createPublicKey(publicKey.export({ format: 'pem', type: 'spki' })), signature)).toBe(true);
    expect(JSON.parse(body.toString())).toMatchObject({
      type: 'resource.updated',
      environment: 'sandbox',
      data: { resource: { id: order }, snapshot: { id: order } },
    });
  }
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await expect(signedSample(world.em(), (await world.fixtures.client()).operatorId, id)).rejects.toMatchObject({ code: 'not_found' });
});

function run(command: string, options: readonly string[]): string | null {
  try {
    return execFileSync(command, options, { encoding: 'utf8' });
  } catch {
    return null;
  }
}

test('a sample of every type is signed', async () => {
  await world.fixtures.revoke(client, connectionId, (await world.fixtures.share(client, connectionId, 1))[0] ?? '');
  await revokeWhole();
  await world.fixtures.generation(client);
  for (const type of webhookEventTypes) {
    const { id } = await request('http://127.0.0.1:8080/hooks', type);
    await sign(id);
    const { command } = await signedSample(world.em(), client.operatorId, id);
    expect(command).toContain(`"type":"${type}"`);
  }
});

test('a sample for a receiver with TLS takes its certificate as it is', () => {
  const facts = { headers: {}, body: '{}' };
  expect(curlCommand({ url: 'https://localhost:8443/in', ...facts })).toContain('curl -sS -i -k ');
  expect(curlCommand({ url: 'http://localhost:8080/in', ...facts })).not.toContain('-k');
});

test('nothing in a sample ends its quotation in the shell', () => {
  const echoed = curlCommand({ url: 'http://localhost/', headers: { A: "it's $HOME" }, body: `{"a":"'; exit 1 #"}` }).replace(
    'curl',
    'printf "%s|"',
  );
  expect(execFileSync('sh', ['-c', echoed], { encoding: 'utf8' }).split('|')).toEqual(
    expect.arrayContaining(["A: it's $HOME", `{"a":"'; exit 1 #"}`]),
  );
});
