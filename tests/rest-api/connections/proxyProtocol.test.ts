import { once } from 'node:events';
import { BlockList, connect, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { MachineApi } from '../../support/world/machine.ts';
import { closedConnections, openConnections } from '../../../server/platform/metrics.ts';
import { openBalancer } from '../../support/clients/balancer.ts';
import type { MachineResponse } from '../../support/clients/MachineResponse.ts';
import { expectProblem } from '../../support/clients/problems.ts';
import { proxyV2, proxyV2For } from '../../support/clients/proxyHeaders.ts';
import { Sharing } from '../../support/feed/sharing.ts';
import { openWorld, type MachineWorld } from '../../support/world/openWorld.ts';

const trustedBalancers = new BlockList();
trustedBalancers.addAddress('127.0.0.1');
const hello = Buffer.from('160301', 'hex');

let world: MachineWorld;
beforeAll(async () => {
  world = await openWorld({ machine: { trustedBalancers, unauthenticatedRequestsPerMinute: 2 } });
});
afterAll(() => world.close());

/** The machine API as callers see it through a balancer. */
async function behindBalancer(options?: { together: boolean }): Promise<MachineApi> {
  const balancer = await openBalancer(world.api.port, options);
  world.onClose(() => balancer.close());
  return { ...world.api, url: balancer.url };
}

/** Connects as a balancer does, or from another address, and writes these bytes. */
async function send(bytes: Buffer, { port } = world.api, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true }).on('error', () => {});
  await once(socket, 'connect');
  socket.write(bytes);
  return socket;
}

const closed = (socket: Socket) =>
  new Promise((resolve) => (socket.closed ? resolve(null) : socket.resume().once('end', resolve).once('close', resolve)));
const openNow = async () => (await openConnections.get()).values.find(({ labels }) => labels.server === 'rest-api')?.value ?? 0;
const closedFor = async (reason: string) =>
  (await closedConnections.get()).values.find(({ labels }) => labels.server === 'rest-api' && labels.reason === reason)?.value ?? 0;

test('behind a balancer each address has its own redemptions and its own requests without a certificate', async () => {
  const { client, certificate } = await world.backEnd();
  await world.fixtures.override(client, 'requests_per_minute', 100);
  const api = await behindBalancer();
  const redeem = (localAddress: string, code = '0000000000'): Promise<MachineResponse> =>
    world.connect(certificate, api, { localAddress }).call('/v1/link-codes/redeem', { method: 'POST', body: { code } });
  for (let count = 0; count < 10; count += 1) expectProblem(await redeem('127.0.0.11'), 'link_code_not_redeemable');
  expectProblem(await redeem('127.0.0.11'), 'link_code_attempts_exceeded');
  const { code } = await new Sharing(world).code(client);
  expect((await redeem('127.0.0.12', code)).status).toBe(200);
  expect(await world.rows('select distinct host(ip) as ip from audit_entry where actor_type = $1', ['client'])).toEqual([
    { ip: '127.0.0.12' },
  ]);

  const bare = (localAddress: string) => world.connect(undefined, api, { localAddress }).call('/v1/sync');
  for (const refusal of ['client_certificate_required', 'client_certificate_required', 'rate_limit_exceeded'] as const)
    expectProblem(await bare('127.0.0.11'), refusal);
  expectProblem(await bare('127.0.0.12'), 'client_certificate_required');
});

test('header and handshake may arrive byte by byte, and a request as large as there may be follows them', async () => {
  const { certificate } = await world.backEnd();
  const machine = world.connect(certificate, await behindBalancer({ together: false }));
  expect((await machine.call('/v1/capabilities', { headers: { 'X-Large': 'x'.repeat(14_000) } })).status).toBe(200);
});

test('who is no balancer cannot say who they are: their header is no TLS', async () => {
  const failed = await closedFor('handshake_failed');
  await closed(await send(Buffer.concat([proxyV2For('203.0.113.7'), hello]), world.api, '127.0.0.2'));
  expect((await closedFor('handshake_failed')) - failed).toBe(1);
  // They are served without one.
  const { certificate } = await world.backEnd();
  expect((await world.connect(certificate, world.api, { localAddress: '127.0.0.2' }).call('/v1/capabilities')).status).toBe(200);
});

test('a balancer that begins with anything else, or ends within the header, is refused at once', async () => {
  const [open, refused] = [await openNow(), await closedFor('proxy_header')];
  for (const bytes of [hello, Buffer.from(`PROXY TCP4 ${'1'.repeat(120)}`), proxyV2(0x21, 0x11, [1, 2, 3])])
    await closed(await send(bytes));
  const half = await send(proxyV2For('203.0.113.7').subarray(0, 20));
  half.end();
  await closed(half);
  expect((await closedFor('proxy_header')) - refused).toBe(4);
  // It only looks whether the port is open.
  const check = await send(Buffer.alloc(0));
  check.end();
  await closed(check);
  expect((await closedFor('proxy_header')) - refused).toBe(4);
  while ((await openNow()) > open) await new Promise(setImmediate);
});

test('no header, half of one and one that goes on byte by byte have no more time than a handshake', async () => {
  const api = await world.secondApi({ trustedBalancers, handshakeTimeoutMs: 200 });
  const [open, timedOut] = [await openNow(), await closedFor('handshake_timeout')];
  const header = proxyV2For('203.0.113.7');
  const long = proxyV2(0x21, 0x11, Array<number>(1_024).fill(0));
  const pieces = [Buffer.alloc(0), header.subarray(0, 13), Buffer.concat([header, hello]), long.subarray(0, 20)];
  const sockets = await Promise.all(pieces.map((bytes) => send(bytes, api)));
  const dribble = setInterval(() => sockets.at(-1)?.write(Buffer.of(0)), 20);
  while ((await openNow()) - open < 4) await new Promise(setImmediate);
  await Promise.all(sockets.map(closed));
  clearInterval(dribble);
  expect((await closedFor('handshake_timeout')) - timedOut).toBe(4);
  while ((await openNow()) !== open) await new Promise(setImmediate);
});

test('connections count for the address in the header, and the balancer’s own checks for the balancer', async () => {
  const api = await world.secondApi({ trustedBalancers, connections: 40 });
  const arriving = (header: Buffer, count: number) =>
    Promise.all(Array.from({ length: count }, () => send(Buffer.concat([header, hello]), api)));
  const others = await arriving(proxyV2For('203.0.113.7'), 4);
  const checks = await arriving(proxyV2(0x20, 0, []), 4);
  const flood = await arriving(proxyV2For('203.0.113.8'), 30);
  await Promise.all(flood.slice(0, 20).map(closed));
  expect([...others, ...checks].filter((socket) => socket.closed || socket.readableEnded)).toEqual([]);
  for (const socket of [...others, ...checks, ...flood]) socket.destroy();
});

test('a balancer’s own check gets as far as a handshake, and counts for the balancer', async () => {
  const transport = await send(proxyV2(0x20, 0, []));
  const socket = connectSecurely({ socket: transport, servername: 'localhost', ca: world.tls.caPem });
  await once(socket, 'secureConnect');
  socket.destroy();
});
