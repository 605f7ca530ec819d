import { once } from 'node:events';
import { connect as connectPlainly, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { MachineApi } from '../../support/world/machine.ts';
import { closedConnections, openConnections } from '../../../server/platform/metrics.ts';
import type { TestCertificate } from '../../support/world/Fixtures.ts';
import { openWorld, type MachineWorld } from '../../support/world/openWorld.ts';
import { waitForLock } from '../../support/database/waitForLock.ts';

/** The first bytes of a handshake whose rest never arrives. */
const partOfARecord = Buffer.from('16030140000100', 'hex');

let world: MachineWorld;
let certificate: TestCertificate;
beforeAll(async () => {
  world = await openWorld({ machine: true });
  ({ certificate } = await world.backEnd());
});
afterAll(() => world.close());

/** Connections that never finish their handshake: silent ones, and ones that send a part of a record. */
async function unfinished(api: MachineApi, count: number, localAddress = '127.0.0.1'): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, (_, turn) => {
    const socket = connectPlainly({ port: api.port, host: '127.0.0.1', localAddress });
    socket.on('error', () => {});
    if (turn % 2 === 1) socket.write(partOfARecord);
    return socket;
  });
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  return sockets;
}

/** A finished handshake, with a certificate. */
async function secure(api: MachineApi): Promise<Socket> {
  const socket = connectSecurely({
    port: api.port,
    host: '127.0.0.1',
    servername: 'localhost',
    ca: world.tls.caPem,
    cert: certificate.certPem,
    key: certificate.keyPem,
  });
  await once(socket, 'secureConnect');
  return socket.on('error', () => {});
}

/** Waits until each is closed. A reset closes a socket too, so it does not fail (`events.once` would). */
const allClosed = (sockets: Socket[]) =>
  Promise.all(sockets.map(async (socket) => socket.closed || new Promise((resolve) => socket.resume().once('close', resolve))));
const openNow = async () => (await openConnections.get()).values.find(({ labels }) => labels.server === 'rest-api')?.value ?? 0;
const closedFor = async (reason: string) =>
  (await closedConnections.get()).values.find(({ labels }) => labels.server === 'rest-api' && labels.reason === reason)?.value ?? 0;

test('a handshake that is not finished in time is closed, and nothing of it stays open', async () => {
  const api = await world.secondApi({ handshakeTimeoutMs: 200 });
  const [open, timedOut] = [await openNow(), await closedFor('handshake_timeout')];
  await allClosed(await unfinished(api, 20));
  while ((await openNow()) !== open) await new Promise(setImmediate);
  expect((await closedFor('handshake_timeout')) - timedOut).toBe(20);
  // The limit does not apply to a client that has finished its handshake.
  const client = world.connect(certificate, api);
  expect((await client.call('/v1/capabilities')).status).toBe(200);
});

test('a handshake that goes on byte by byte has no more time than any other', async () => {
  const api = await world.secondApi({ handshakeTimeoutMs: 200 });
  const timedOut = await closedFor('handshake_timeout');
  const [, socket] = await unfinished(api, 2);
  const dribble = setInterval(() => socket?.write(Buffer.of(0)), 20);
  await allClosed(socket ? [socket] : []);
  clearInterval(dribble);
  expect((await closedFor('handshake_timeout')) - timedOut).toBe(2);
});

test('one address has so many handshakes under way, and pushes out its own, not those of others', async () => {
  const api = await world.secondApi({ connections: 40 });
  const others = await unfinished(api, 4, '127.0.0.7');
  const flood = await unfinished(api, 30, '127.0.0.8');
  await allClosed(flood.slice(0, 20));
  expect(others.filter(({ closed, readableEnded }) => closed || readableEnded)).toEqual([]);
  for (const socket of [...others, ...flood]) socket.destroy();
});

test('a client is served while strangers at many addresses hold all the connections that there may be', async () => {
  const api = await world.secondApi({ connections: 40 });
  const strangers = await Promise.all(Array.from({ length: 8 }, (_, at) => unfinished(api, 10, `127.0.1.${at + 1}`)));
  expect((await world.connect(certificate, api).call('/v1/capabilities')).status).toBe(200);
  for (const socket of strangers.flat()) socket.destroy();
});

test('a request without TLS is told so, and nothing of it stays open while its sender holds on', async () => {
  const api = await world.secondApi({ handshakeTimeoutMs: 3_600_000 });
  const [open, failed] = [await openNow(), await closedFor('handshake_failed')];
  const socket = connectPlainly({ port: api.port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {});
  const answer = Promise.race([once(socket, 'data'), once(socket, 'end')]);
  socket.write('GET /v1/sync HTTP/1.1\r\nHost: localhost\r\n\r\n');
  expect(String(await answer)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n[^]*\r\n\r\nThis port speaks HTTPS only\.\n$/);
  expect((await closedFor('handshake_failed')) - failed).toBe(1);
  while ((await openNow()) > open) await new Promise(setImmediate);
  socket.destroy();
});

test('a stop waits neither for handshakes, nor for idle connections, nor for half a request', async () => {
  const api = await world.secondApi();
  const sockets = await unfinished(api, 10);
  sockets.push(await secure(api), await secure(api), await secure(api));
  sockets.at(-1)?.write('GET /v1/sync HT');
  sockets.at(-2)?.write('GET /v1/capabilities HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(sockets.at(-2)?.resume() as Socket, 'data');
  await Promise.all([api.close(), allClosed(sockets)]);
});

test('a stop lets a request that has arrived end, and closes its connection', async () => {
  const api = await world.secondApi();
  const socket = await secure(api);
  const release = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const lock = world.fixtures.sql.begin(async (sql) => {
    await sql`lock table shared_resource in access exclusive mode`;
    locked.resolve();
    await release.promise;
  });
  await locked.promise;
  socket.write('GET /v1/sync HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await waitForLock({ rows: async (text) => [...(await world.fixtures.sql.unsafe(text))] as never });
  const closed = api.close();
  release.resolve();
  await lock;
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 200 [^]*\r\nConnection: close\r\n/);
  await closed;
});
