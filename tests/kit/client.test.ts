import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { AccessEnded, type HistoryItem, KitError, pemFiles, Problem, RateLimited } from '../../kit/src/index.ts';
import { Gate } from '../../kit/src/client/Gate.ts';
import type { Answer } from '../../kit/src/client/calls.ts';
import { nextSteps } from '../../kit/src/contract/contract.ts';
import { errorCatalogue } from '../../server/domain/shared/errorCatalogue.ts';
import { Sharing } from '../support/feed/sharing.ts';
import { kitClient, pairInFiles } from '../support/kit/kitClient.ts';
import { statusesOf } from '../support/kit/statusesOf.ts';
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

const sum = (waits: readonly number[]): number => waits.reduce((before, ms) => before + ms, 0);

test('a process that is alone uses all of a minute at once and waits for the next, none is refused, and it is said when the hour is used up', async () => {
  world.clock.stop();
  const { client, certificate } = await world.backEnd();
  await world.fixtures.override(client, 'requests_per_hour', 50);
  const { client: kit, waits } = await kitClient(world, certificate);
  const statuses = await statusesOf(async () => {
    // Capabilities are the first of the twenty.
    for (let call = 0; call < 19; call += 1) await kit.page();
    expect(waits).toEqual([]);
    for (let call = 0; call < 30; call += 1) await kit.page();
    // Each comes within the first two seconds of the next minute, whose beginning is known to the second.
    expect(waits).toHaveLength(2);
    expect(sum(waits)).toBeLessThanOrEqual(126_000);
    const limited = await refusalOf(kit.page());
    expect(limited).toBeInstanceOf(RateLimited);
    expect(Math.round(((limited as RateLimited).retryAt.getTime() - Date.now() + sum(waits)) / 60_000)).toBe(60);
  });
  expect(statuses).toEqual(Array.from({ length: 50 }, () => 200));
});

test('as much is left to other processes as they have taken', async () => {
  world.clock.stop();
  const { certificate, machine } = await world.backEnd();
  const others = async () => {
    for (let call = 0; call < 7; call += 1) expect((await machine.call('/v1/capabilities')).status).toBe(200);
  };
  const { client: kit, waits } = await kitClient(world, certificate);
  await kit.page();
  await others();
  // Of the eleven that are left, four.
  for (let call = 0; call < 4; call += 1) await kit.page();
  expect(sum(waits)).toBeLessThan(30_000);
  await others();
  await kit.page();
  // It comes within the first two seconds of the next minute, whose beginning is known to the second.
  expect(sum(waits)).toBeGreaterThanOrEqual(60_000);
  expect(sum(waits)).toBeLessThanOrEqual(63_000);
});

test('what commands took that have ended stops no further one', async () => {
  world.clock.stop();
  const { certificate, machine } = await world.backEnd();
  for (let call = 0; call < 12; call += 1) await machine.call('/v1/capabilities');
  const { client: kit, waits } = await kitClient(world, certificate);
  for (let call = 0; call < 7; call += 1) await kit.page();
  expect(waits).toEqual([]);
});

test('a process that is alone has four calls under way; where others call, one, and the first one of a window goes alone', async () => {
  let [now, opened] = [0, 0];
  const gate = new Gate({ now: () => now, wait: (ms) => Promise.resolve((now += ms)) });
  const begun: ((answer?: Answer) => void)[] = [];
  const turn = () => new Promise((resolve) => void setImmediate(resolve));
  const begin = (calls: number) => {
    for (let call = 0; call < calls; call += 1) void gate.enter(['minute'], Infinity).then((leave) => begun.push(leave));
    return turn();
  };
  const end = (left: number) => {
    const state = `"minute";r=${left};t=${Math.ceil((opened + 60_000 - now) / 1000)}`;
    const headers = { 'ratelimit-policy': '"minute";q=20;w=60', ratelimit: state };
    begun.shift()?.({ status: 200, headers, body: Buffer.alloc(0) });
    return turn();
  };
  await begin(1);
  await end(19);
  await begin(6);
  expect(begun).toHaveLength(4);
  for (const left of [18, 17, 16, 15, 14, 13]) await end(left);
  expect(begun).toHaveLength(0);

  opened = now += 100_000;
  await begin(3);
  expect(begun).toHaveLength(1);
  await end(19);
  expect(begun).toHaveLength(2);
  for (const left of [18, 17]) await end(left);

  await begin(1);
  // Three of these were others’.
  await end(13);
  await begin(3);
  for (const left of [12, 11, 10]) {
    expect(begun).toHaveLength(1);
    await end(left);
  }

  opened = now += 100_000;
  await begin(3);
  for (const left of [19, 18, 17]) {
    expect(begun).toHaveLength(1);
    await end(left);
  }
});

test('a refusal for too many requests is waited for as long as it says, and longer waits are left to the caller', async () => {
  world.clock.stop();
  const { certificate, machine } = await world.backEnd();
  for (let call = 0; call < 20; call += 1) await machine.call('/v1/capabilities');
  world.clock.advance(13_000);
  const { client: kit, waits } = await kitClient(world, certificate);
  await kit.capabilities();
  // Then it comes at a random moment of the next two seconds, because others may have been told the same.
  expect(waits[0]).toBe(47_000);
  expect(waits[1]).toBeLessThanOrEqual(2_000);
  for (let call = 0; call < 19; call += 1) await machine.call('/v1/capabilities');
  const hasty = await kitClient(world, certificate, { longestWaitSeconds: 5 });
  expect(await refusalOf(hasty.client.capabilities())).toBeInstanceOf(RateLimited);
  expect(hasty.waits).toEqual([]);
});

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
  expect(sum(patientKit.waits)).toBeLessThan(75_000);
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
