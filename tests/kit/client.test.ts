import { randomBytes } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { rename, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { AccessEnded, type HistoryItem, KitError, pemFiles, Problem, RateLimited } from '../../kit/src/index.ts';
import { nextSteps } from '../../kit/src/contract/contract.ts';
import { errorCatalogue } from '../../server/domain/shared/errorCatalogue.ts';
import { Sharing } from '../support/feed/sharing.ts';
import { kitClient, pairInFiles } from '../support/kit/kitClient.ts';
import { openWorld, type MachineWorld } from '../support/world/openWorld.ts';

let world: MachineWorld;
let sharing: Sharing;
beforeAll(async () => {
  world = await openWorld({ machine: true });
  sharing = new Sharing(world);
});
afterAll(() => world.close());
afterEach(() => world.clock.run());

const refusalOf = (promise: Promise<unknown>): Promise<KitError> =>
  promise.then(
    () => Promise.reject(new Error('It was not refused.')),
    (error: unknown) => {
      expect(error).toBeInstanceOf(KitError);
      return error as KitError;
    },
  );

test('every operation of /v1 answers what it has', async () => {
  const { client, certificate } = await world.backEnd();
  const kit = (await kitClient(world, certificate)).client;
  const { code } = await sharing.code(client, { orders: 2, vehicles: 1 });
  const spaced = `${code.slice(0, 3)} ${code.slice(3, 6)} ${code.slice(6)}`;
  const { connection_id: connectionId, resources } = await kit.redeemLinkCode(spaced);
  expect(resources).toHaveLength(3);
  const { value: page, etag } = await kit.page();
  expect(page?.upserts.map(({ id }) => id).sort()).toEqual(resources.map(({ id }) => id).sort());
  expect(await kit.page({ etag })).toEqual({ value: null, etag });
  expect((await kit.page({ limit: 1 })).value).toMatchObject({ has_more: true });

  const orderId = resources.find(({ type }) => type === 'order')?.id ?? '';
  const vehicleId = resources.find(({ type }) => type === 'vehicle')?.id ?? '';
  const order = await kit.order(orderId);
  expect(order.value).toEqual(page?.upserts.find(({ id }) => id === orderId));
  expect((await kit.order(orderId, { etag: order.etag })).value).toBeNull();
  expect((await kit.vehicle(vehicleId)).value).toMatchObject({ id: vehicleId, connection_id: connectionId });

  const items = Array.from({ length: 1_100 }, (_, n) => ({ sequence: n + 1, changes: '[{"path":"status","to":"placed"}]' }));
  await world.fixtures.history(client, orderId, items);
  const read: HistoryItem[] = [];
  for await (const item of kit.history(orderId, { after: 50 })) read.push(item);
  // The last one is the order’s own, from when it was handed in.
  expect(read.map(({ sequence }) => sequence)).toEqual([...items.slice(50).map(({ sequence }) => sequence), expect.any(Number)]);
  expect((await kit.historyPage(vehicleId)).items).toHaveLength(1);

  const generation = await world.fixtures.generation(client);
  const statistics = await kit.statistics();
  expect(statistics.value.generation_id).toBe(generation);
  expect((await kit.statistics({ etag: statistics.etag })).value).toBeNull();

  const revocationId = await sharing.revokeResource(client, orderId);
  const ended = await refusalOf(kit.order(orderId));
  expect(ended).toBeInstanceOf(AccessEnded);
  expect(ended).toMatchObject({ code: 'access_ended', id: orderId, revocationId, requestId: expect.stringMatching(/^req_/) });
  const acknowledged = await kit.acknowledge(revocationId, 'k');
  expect(await kit.acknowledge(revocationId, 'k')).toEqual(acknowledged);
});

test('an error says the code, the request and the next step, and never the link code', async () => {
  const { certificate } = await world.backEnd();
  const kit = (await kitClient(world, certificate)).client;
  const refused = await refusalOf(kit.redeemLinkCode('0123456789'));
  expect(refused).toBeInstanceOf(Problem);
  expect(refused.code).toBe('link_code_not_redeemable');
  expect(refused.nextStep).toBe(nextSteps.link_code_not_redeemable);
  expect(refused.message).toContain(refused.requestId);
  expect(refused.message).toContain(refused.nextStep);
  const malformed = await refusalOf(kit.redeemLinkCode('98765432'));
  for (const error of [refused, malformed]) {
    expect(JSON.stringify([error, error.message, error.stack, error.cause])).not.toMatch(/0123456789|98765432/);
  }
});

test('the kit has a next step for every code that the machine API returns', () => {
  const returned = Object.entries(errorCatalogue).filter(([, row]) => !('portalOnly' in row));
  expect(nextSteps).toEqual(Object.fromEntries(returned.map(([code, { advice }]) => [code, advice])));
});

test('no data call is made while capabilities are not as expected, or while the production gate is closed', async () => {
  const { client, certificate, machine } = await world.backEnd({ scopes: ['orders.read'] });
  const production = (await kitClient(world, certificate, { expect: { environment: 'production' } })).client;
  expect(await refusalOf(production.page())).toMatchObject({ code: 'not_as_expected' });
  const wider = (await kitClient(world, certificate, { expect: { environment: 'sandbox', scopes: ['vehicles.read'] } })).client;
  expect(await refusalOf(wider.page())).toMatchObject({ code: 'not_as_expected', message: expect.stringContaining('vehicles.read') });
  // Nothing but capabilities was asked: the third call of this client takes the third place.
  expect((await machine.call('/v1/capabilities')).headers.ratelimit).toContain('"minute";r=17');

  const live = await world.backEnd({ environment: 'production', status: 'active' });
  const kit = (await kitClient(world, live.certificate, { expect: { environment: 'production' } })).client;
  expect(await refusalOf(kit.page())).toMatchObject({ code: 'production_data_disabled' });
  await sharing.openGates(live.client);
  expect((await kit.page()).value).toMatchObject({ has_more: false });
  expect(client.environment).toBe('sandbox');
});

test('calls wait for the minute before the service would refuse them, and say when the hour is used up', async () => {
  world.clock.stop();
  const { client, certificate } = await world.backEnd();
  await world.fixtures.override(client, 'requests_per_hour', 50);
  const { client: kit, waits } = await kitClient(world, certificate);
  const statuses = await statusesOf(async () => {
    for (let call = 0; call < 49; call += 1) await kit.page();
    // Capabilities were the first of the fifty: twenty, twenty, ten.
    expect(waits).toEqual([60_000, 60_000]);
    const limited = await refusalOf(kit.page());
    expect(limited).toBeInstanceOf(RateLimited);
    expect(Math.round(((limited as RateLimited).retryAt.getTime() - Date.now()) / 60_000)).toBe(58);
  });
  expect(statuses).toEqual(Array.from({ length: 50 }, () => 200));
});

test('what other processes take is seen in the headers, and left to them', async () => {
  world.clock.stop();
  const { client, certificate, machine } = await world.backEnd();
  const { client: kit, waits } = await kitClient(world, certificate);
  await kit.page();
  for (let round = 0; round < 2; round += 1) {
    for (let call = 0; call < 5; call += 1) await machine.call('/v1/capabilities');
    world.clock.advance(1_000);
    await kit.page();
  }
  // Six are left, and the others take five a second.
  world.clock.advance(1_300);
  await kit.page();
  expect(waits).toHaveLength(1);
  expect(client.number).toBeGreaterThan(0);
});

test('a refusal for too many requests is waited for as long as it says, and longer waits are left to the caller', async () => {
  world.clock.stop();
  const { certificate, machine } = await world.backEnd();
  for (let call = 0; call < 20; call += 1) await machine.call('/v1/capabilities');
  world.clock.advance(13_000);
  const { client: kit, waits } = await kitClient(world, certificate);
  await kit.capabilities();
  expect(waits).toEqual([47_000]);
  for (let call = 0; call < 19; call += 1) await machine.call('/v1/capabilities');
  const hasty = await kitClient(world, certificate, { longestWaitSeconds: 5 });
  expect(await refusalOf(hasty.client.capabilities())).toBeInstanceOf(RateLimited);
  expect(hasty.waits).toEqual([]);
});

/** The statuses of all answers that this process gets meanwhile. */
async function statusesOf(work: () => Promise<unknown>): Promise<(number | undefined)[]> {
  const statuses: (number | undefined)[] = [];
  const listen = (message: unknown) => statuses.push((message as { response: IncomingMessage }).response.statusCode);
  subscribe('http.client.response.finish', listen);
  await work().finally(() => unsubscribe('http.client.response.finish', listen));
  return statuses;
}

/** A server with the world’s certificate that answers as it is told, and how often it was asked. */
async function impostor(
  answer: (request: { url: string; method: string }, n: number) => { status: number; headers?: object; body?: string } | null,
) {
  const asked: string[] = [];
  const server = createServer({ cert: world.tls.certPem, key: world.tls.keyPem }, (request, response) => {
    const { url = '', method = '' } = request;
    asked.push(`${method} ${url}`);
    const { status, headers, body } = answer({ url, method }, asked.length) ?? { status: 0 };
    if (status === 0) return void request.socket.destroy();
    response.writeHead(status, { ...headers }).end(body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  world.onClose(() => {
    server.closeAllConnections();
    server.close();
  });
  return { asked, baseUrl: `https://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}

const problem = (code: keyof typeof errorCatalogue) => ({
  status: errorCatalogue[code].status,
  headers: { 'content-type': 'application/problem+json' },
  body: JSON.stringify({ code, status: errorCatalogue[code].status, detail: 'Test.', request_id: 'req_test' }),
});
const capabilities = { environment: 'sandbox', client_id: 'cli_test', scopes: [], quotas: { concurrent_requests: 4 } };
const ok = (body: object) => ({ status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

test('reads are repeated after 503 and broken connections with growing pauses, never before Retry-After, and in the end given up', async () => {
  const { certificate } = await world.backEnd();
  const answers = [
    { ...problem('temporarily_unavailable'), headers: { 'content-type': 'application/problem+json', 'retry-after': '9' } },
    null,
  ];
  const flaky = await impostor((_request, n) => (n <= 2 ? (answers[n - 1] ?? null) : ok(capabilities)));
  const { client: kit, waits } = await kitClient(world, certificate, { baseUrl: flaky.baseUrl });
  expect(await kit.capabilities()).toMatchObject({ client_id: 'cli_test' });
  expect(waits[0]).toBe(9_000);
  expect(waits[1]).toBeGreaterThanOrEqual(1_000);
  expect(waits[1]).toBeLessThanOrEqual(2_000);

  const down = await impostor(() => problem('temporarily_unavailable'));
  const patientKit = await kitClient(world, certificate, { baseUrl: down.baseUrl });
  expect(await refusalOf(patientKit.client.capabilities())).toMatchObject({ code: 'temporarily_unavailable', requestId: 'req_test' });
  expect(patientKit.waits).toHaveLength(5);
  expect(patientKit.waits.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(75_000);
});

test('a redemption is sent once, whatever becomes of it', async () => {
  const { certificate } = await world.backEnd();
  for (const answer of [null, problem('temporarily_unavailable'), problem('rate_limit_exceeded')]) {
    const server = await impostor(({ method }) => (method === 'POST' ? answer : ok(capabilities)));
    const { client: kit } = await kitClient(world, certificate, { baseUrl: server.baseUrl });
    await refusalOf(kit.redeemLinkCode('0123456789'));
    expect(server.asked.filter((each) => each.startsWith('POST'))).toHaveLength(1);
  }
});

test('an answer that is not the service’s is told apart, and a redirect is not followed', async () => {
  const { certificate } = await world.backEnd();
  for (const answer of [
    { status: 302, headers: { location: 'https://127.0.0.1:1/' } },
    { status: 403, headers: { 'content-type': 'text/html' }, body: '<h1>Proxy</h1>' },
    { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Sign in</h1>' },
  ]) {
    const server = await impostor(() => answer);
    const { client: kit, waits } = await kitClient(world, certificate, { baseUrl: server.baseUrl });
    expect(await refusalOf(kit.capabilities())).toMatchObject({ code: 'unexpected_answer' });
    expect([server.asked.length, waits]).toEqual([1, []]);
  }
});

test('a server that Node does not trust is not asked again', async () => {
  const { certificate } = await world.backEnd();
  const { client: kit, waits } = await kitClient(world, certificate, { ca: certificate.certPem });
  expect(await refusalOf(kit.capabilities())).toMatchObject({ code: 'unreachable' });
  expect(waits).toEqual([]);
});

test('a new pair in the same files is used from the next call on, and a half that fits nothing never', async () => {
  const { client, certificate } = await world.backEnd();
  const files = await pairInFiles(world, certificate);
  const { client: kit } = await kitClient(world, pemFiles(files));
  const used = async () => (await kit.capabilities()).certificate.id;
  expect(await used()).toBe(certificate.id);
  const newer = await world.fixtures.certificate(world.authority, client);
  await writeFile(files.cert, newer.certPem);
  expect(await used()).toBe(certificate.id);
  await writeFile(files.key, newer.keyPem.slice(0, 60));
  expect(await used()).toBe(certificate.id);
  await writeFile(files.key, newer.keyPem);
  expect(await used()).toBe(newer.id);

  const overlapping = Array.from({ length: 4 }, () => used());
  const third = await world.fixtures.certificate(world.authority, client);
  const next = await pairInFiles(world, third);
  await Promise.all([rename(next.cert, files.cert), rename(next.key, files.key)]);
  expect(new Set(await Promise.all(overlapping)).size).toBeLessThanOrEqual(2);
  expect(await used()).toBe(third.id);
  await expect(
    kitClient(world, pemFiles({ cert: files.cert, key: `${files.key}.none` })).then((made) => made.client.capabilities()),
  ).rejects.toMatchObject({ code: 'credentials_unusable' });
});

test('after a change of certificate, the client asks again who it is', async () => {
  const { certificate } = await world.backEnd();
  const files = await pairInFiles(world, certificate);
  const { client: kit } = await kitClient(world, pemFiles(files));
  await kit.page();
  const other = await world.backEnd({ environment: 'production', status: 'active' });
  await writeFile(files.cert, other.certificate.certPem);
  await writeFile(files.key, other.certificate.keyPem);
  expect(await refusalOf(kit.page())).toMatchObject({ code: 'not_as_expected' });
});

test('every call can be aborted, while it waits and while it is under way', async () => {
  world.clock.stop();
  const { certificate, machine } = await world.backEnd();
  const reason = new Error(randomBytes(4).toString('hex'));
  const { client: kit } = await kitClient(world, certificate);
  await kit.page();
  for (let call = 0; call < 18; call += 1) await machine.call('/v1/capabilities');
  await kit.page().catch(() => {});
  const controller = new AbortController();
  const silent = await impostor(({ url }) => (url.endsWith('capabilities') ? ok(capabilities) : (controller.abort(reason), ok({}))));
  const slow = (await kitClient(world, certificate, { baseUrl: silent.baseUrl })).client;
  await expect(slow.page({ signal: controller.signal })).rejects.toBe(reason);
  await expect(kit.page({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});
