import { connect } from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { expectContract } from '../support/contract.ts';
import type { MachineResponse } from '../support/MachineResponse.ts';
import { MachineApiWorld } from '../support/machineApiWorld.ts';
import { expectProblem } from '../support/problems.ts';

let world: MachineApiWorld;
beforeAll(async () => {
  world = await MachineApiWorld.open();
});
afterAll(() => world.close());

/** Writes bytes on a TLS connection and reads until the server closes it. */
async function sendBytes(bytes: string, port = world.api.port): Promise<MachineResponse> {
  const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', ca: world.tls.caPem });
  socket.write(bytes);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const answer = Buffer.concat(chunks).toString();
  const end = answer.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = answer.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
  const text = answer.slice(end + 4);
  return { status: Number(statusLine.split(' ')[1]), headers, text, body: JSON.parse(text) };
}

test('headers over 16 KiB are answered with 431', async () => {
  const answer = await sendBytes(`GET /v1/capabilities HTTP/1.1\r\nHost: localhost\r\nX-Large: ${'x'.repeat(17_000)}\r\n\r\n`);
  expectProblem(answer, 'headers_too_large');
  expectContract('GET', '/v1/capabilities', answer);
});

test('a request that a client sends with too many headers is a problem for it too', async () => {
  const { machine } = await world.operator();
  expectProblem(await machine.call('/v1/capabilities', { headers: { 'X-Large': 'x'.repeat(20_000) } }), 'headers_too_large');
});

test('bytes that are no HTTP are answered with 400', async () => {
  for (const bytes of [
    'nonsense\r\n\r\n',
    'GET /v1/sync HTTP/9.9\r\n\r\n',
    'GET /v1/sync HTTP/1.1\r\nBad Header: x\r\n\r\n',
    'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
  ]) {
    const answer = await sendBytes(bytes);
    expectProblem(answer, 'invalid_request');
    expectContract('GET', '/v1/sync', answer);
  }
});

test('a request without a Host header is answered with 400', async () => {
  expectProblem(await sendBytes('GET /v1/sync HTTP/1.1\r\nConnection: close\r\n\r\n'), 'invalid_request');
});

test('a request with two Host headers is answered with 400, whether they agree or not', async () => {
  for (const other of ['localhost', 'elsewhere.example']) {
    const answer = await sendBytes(`GET /v1/sync HTTP/1.1\r\nHost: localhost\r\nhost: ${other}\r\nConnection: close\r\n\r\n`);
    expectProblem(answer, 'invalid_request');
    expectContract('GET', '/v1/sync', answer);
  }
});

test('an unknown expectation and an upgrade are ignored', async () => {
  expectProblem(
    await sendBytes('GET /v1/sync HTTP/1.1\r\nHost: localhost\r\nExpect: miracles\r\nConnection: close\r\n\r\n'),
    'client_certificate_required',
  );
  expectProblem(
    await sendBytes('GET /v1/sync HTTP/1.1\r\nHost: localhost\r\nUpgrade: h2c\r\nConnection: Upgrade, close\r\n\r\n'),
    'client_certificate_required',
  );
});

test('a request that never ends is answered with 408', async () => {
  const api = await world.secondApi({ requestTimeoutMs: 200 });
  expectProblem(await sendBytes('GET /v1/sync HTTP/1.1\r\nHost: local', api.port), 'request_timeout');
});

test('a request that takes too long is answered with 408 and its place is given back', async () => {
  const api = await world.secondApi({ requestTimeoutMs: 200 });
  const { client, certificate } = await world.operator();
  const machine = world.connect(certificate, api);
  const release = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const lock = world.fixtures.sql.begin(async (sql) => {
    await sql`lock table shared_resource in access exclusive mode`;
    locked.resolve();
    await release.promise;
  });
  await locked.promise;
  expectProblem(await machine.call('/v1/sync'), 'request_timeout');
  release.resolve();
  await lock;
  expect((await machine.call('/v1/sync')).status).toBe(200);
  for (;;) {
    const [row] = await world.fixtures.sql<
      { taken: number }[]
    >`select cardinality(leases) as taken from client_quota where client_no = ${client.no}`;
    if (row?.taken === 0) break;
  }
});

test('a target that no parser of addresses can read is answered with 400, and the service goes on', async () => {
  for (const target of ['http://[::1', '//[', '/v1/sync#\u0001', '*', 'v1/sync', '/v1/ﬀ']) {
    const answer = await sendBytes(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    expect([target, answer.status]).toEqual([target, target === '//[' ? 401 : 400]);
  }
  expectProblem(
    await sendBytes('GET http://localhost/v1/sync HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'),
    'client_certificate_required',
  );
});
