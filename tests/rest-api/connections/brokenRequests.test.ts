import { connect as connectPlainly } from 'node:net';
import { Writable } from 'node:stream';
import { connect } from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '../../../server/domain/shared/ids.ts';
import { createLogger } from '../../../server/platform/logger.ts';
import { expectContract } from '../../support/clients/contract.ts';
import type { TestCertificate } from '../../support/world/Fixtures.ts';
import type { MachineResponse } from '../../support/clients/MachineResponse.ts';
import { openWorld, type MachineWorld } from '../../support/world/openWorld.ts';
import { parseAnswers } from '../../support/clients/parseAnswers.ts';
import { expectProblem } from '../../support/clients/problems.ts';
import { Sharing } from '../../support/feed/sharing.ts';

let world: MachineWorld;
beforeAll(async () => {
  world = await openWorld({ machine: true });
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
  const { machine } = await world.backEnd();
  expectProblem(await machine.call('/v1/capabilities', { headers: { 'X-Large': 'x'.repeat(20_000) } }), 'headers_too_large');
});

test('a header that is longer than it may be is a problem that names it, for strangers and for clients', async () => {
  const { machine } = await world.backEnd();
  const answer = await machine.call('/v1/capabilities', { headers: { 'If-None-Match': `"${'x'.repeat(5_000)}"` } });
  expectProblem(answer, 'headers_too_large');
  expectContract('GET', '/v1/capabilities', answer);
  const detail = 'The header If-None-Match has at most 4096 bytes; this one has 5002.';
  expect(answer.body).toMatchObject({ detail, errors: [{ header: 'If-None-Match', detail }] });
  const strangers = await sendBytes(
    `POST /v1/link-codes/redeem HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json;a=${' '.repeat(15_000)}x\r\nConnection: close\r\n\r\n`,
  );
  expectProblem(strangers, 'headers_too_large');
  expect(strangers.body).toMatchObject({ errors: [{ header: 'Content-Type' }] });
});

test('bytes that are no HTTP are answered with 400', async () => {
  for (const bytes of [
    'nonsense\r\n\r\n',
    'GET /v1/sync HTTP/1.1\r\nBad Header: x\r\n\r\n',
    'F@O /v1/sync HTTP/1.1\r\nHost: x\r\n\r\n',
    'FOO /v1/sync\r\nHost: x\r\n\r\n',
    'FOO /v1/sync FTP/1.1\r\nHost: x\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  ]) {
    const answer = await sendBytes(bytes);
    expectProblem(answer, 'invalid_request');
    expectContract('GET', '/v1/sync', answer);
  }
});

test('lines that end with anything but CRLF are answered with 400, and told so', async () => {
  const detail = 'Every line ends with CRLF, the first one right after HTTP/1.1.';
  for (const lines of ['HTTP/1.1\nHost: a\n\n', 'HTTP/1.1 \r\nHost: a\r\n\r\n', 'HTTP/1.1\r\nHost: a\n\r\n'])
    expectProblem(await sendBytes(`GET /v1/sync ${lines}`), 'invalid_request', { detail });
});

const hostErrors = { errors: [{ header: 'Host', detail: 'The request must have exactly one Host header, with the name of a host.' }] };

test('a request without a Host header, or with one that is no host, is answered with 400 that names the header', async () => {
  for (const host of ['', 'Host:\r\n', 'Host: a b\r\n']) {
    const answer = await sendBytes(`GET /v1/sync HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);
    expectProblem(answer, 'invalid_request', hostErrors);
    expectContract('GET', '/v1/sync', answer);
  }
});

test('a request line of another version of HTTP is answered with 505, with a Host and without', async () => {
  for (const version of ['0.9', '1.2', '1.9', '2.0', '3.0', '9.9'])
    for (const host of ['', 'Host: localhost\r\n']) {
      const answer = await sendBytes(`GET /v1/sync HTTP/${version}\r\n${host}\r\n`);
      expectProblem(answer, 'http_version_not_supported');
      expectContract('GET', '/v1/sync', answer);
    }
  expectProblem(await sendBytes('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), 'http_version_not_supported');
});

test('a method that the service knows nowhere is answered with 501, whether the parser knows it or not', async () => {
  for (const method of ['FOO', 'get', 'GETS', 'PROPFIND', 'QUERY', 'M-SEARCH', 'CONNECT', "!#$%&'*+.^_`|~9"]) {
    const answer = await sendBytes(`${method} /v1/sync HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    expect([method, answer.status]).toEqual([method, 501]);
    expectProblem(answer, 'not_implemented');
    expectContract('GET', '/v1/sync', answer);
  }
  for (const known of ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])
    expectProblem(
      await sendBytes(`${known} /v1/sync HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`),
      'client_certificate_required',
    );
});

test('a request with two Host headers is answered with 400, whether they agree or not', async () => {
  for (const other of ['localhost', 'elsewhere.example']) {
    const answer = await sendBytes(`GET /v1/sync HTTP/1.1\r\nHost: localhost\r\nhost: ${other}\r\nConnection: close\r\n\r\n`);
    expectProblem(answer, 'invalid_request', hostErrors);
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

test('a request that takes too long is answered with 408 and its lease is released', async () => {
  const api = await world.secondApi({ requestTimeoutMs: 200 });
  const { client, certificate, machine: unhurried } = await world.backEnd();
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
  // At the service that has more time, because a busy machine can need more than 200 ms for any request.
  expect((await unhurried.call('/v1/sync')).status).toBe(200);
  for (;;) {
    const [row] = await world.fixtures.sql<
      { taken: number }[]
    >`select cardinality(leases) as taken from client_quota where client_number = ${client.number}`;
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

/**
 * The answers that a client's connection gets to these bytes, written one piece per turn of the event loop; `end` closes the client's side.
 */
async function answersTo(
  writes: readonly string[],
  { certificate, port = world.api.port, end = false }: { certificate?: TestCertificate; port?: number; end?: boolean },
): Promise<MachineResponse[]> {
  // The client's side ends only when the test says so.
  const transport = connectPlainly({ port, host: '127.0.0.1', allowHalfOpen: true });
  const socket = connect({
    socket: transport,
    servername: 'localhost',
    ca: world.tls.caPem,
    ...(certificate && { cert: certificate.certPem, key: certificate.keyPem }),
  });
  for (const bytes of writes) {
    await new Promise((resolve) => socket.write(bytes, resolve));
    await new Promise(setImmediate);
  }
  if (end) socket.end();
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return parseAnswers(Buffer.concat(chunks));
}

const capabilities = 'GET /v1/capabilities HTTP/1.1\r\nHost: localhost\r\n\r\n';
const statuses = (answers: readonly MachineResponse[]) => answers.map(({ status }) => status);

test('a redemption that took effect is answered so, whatever follows its body, in the same write or later', async () => {
  const { client, certificate } = await world.backEnd();
  const sharing = new Sharing(world);
  for (const together of [true, false]) {
    const { code } = await sharing.code(client);
    const body = JSON.stringify({ code });
    const redemption = `POST /v1/link-codes/redeem HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const answers = await answersTo(together ? [`${redemption}x`] : [redemption, 'x'], { certificate });
    expect(statuses(answers)).toEqual([200, 400]);
    expect(answers[0]?.body).toMatchObject({ connection_id: expect.stringMatching(/^con_/) });
    expectProblem(answers[1] as MachineResponse, 'invalid_request');
  }
});

test('good requests that were sent ahead of a bad one are answered in order, then the bad one, then nothing', async () => {
  const { certificate } = await world.backEnd();
  const missing = 'GET /v1/nothing HTTP/1.1\r\nHost: localhost\r\n\r\n';
  for (const [bad, status] of [
    ['nonsense\r\n\r\n', 400],
    [`GET /v1/sync HTTP/1.1\r\nHost: localhost\r\nX-Large: ${'x'.repeat(17_000)}\r\n\r\n`, 431],
    ['CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', 501],
    ['FOO /v1/sync HTTP/1.1\r\nHost: x\r\n\r\n', 501],
    ['GET /v1/sync HTTP/1.2\r\nHost: x\r\n\r\n', 505],
  ] as const) {
    expect(statuses(await answersTo([`${capabilities}${missing}${bad}${capabilities}`], { certificate }))).toEqual([200, 404, status]);
  }
  // An expectation is answered before its request. What follows is broken, and longer than one read by the server.
  const expecting = 'GET /v1/nothing HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n\r\n';
  const pieces = Array<string>(20).fill('x'.repeat(2_000));
  expect(statuses(await answersTo([`${expecting}${pieces.join('')}`], { certificate }))).toEqual([100, 404, 400]);
  const large = 'GET /v1/sync HTTP/1.1\r\nHost: localhost\r\nX-Large: ';
  expect(statuses(await answersTo([`${expecting}${large}`, ...pieces], { certificate }))).toEqual([100, 404, 431]);
});

test('a request that asks for another protocol is answered in its turn, and ends the connection rather than lose what follows it', async () => {
  const { certificate } = await world.backEnd();
  const upgrade = 'GET /v1/nothing HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive, Upgrade\r\nUpgrade: h2c\r\n\r\n';
  for (const writes of [[`${capabilities}${upgrade}${capabilities}`], [capabilities, upgrade, capabilities]]) {
    const answers = await answersTo(writes, { certificate });
    expect(statuses(answers)).toEqual([200, 404]);
    expect(answers[1]?.headers).toMatchObject({ connection: 'close' });
  }
});

test('a request that does not arrive in time is answered 408 behind the answer to the one before it', async () => {
  const { certificate } = await world.backEnd();
  const { port } = await world.secondApi({ requestTimeoutMs: 300 });
  const answers = await answersTo([`${capabilities}GET /v1/sync HT`], { certificate, port });
  expect(statuses(answers)).toEqual([200, 408]);
  expectProblem(answers[1] as MachineResponse, 'request_timeout');
});

test('who ends their side with the request is answered', async () => {
  const { certificate } = await world.backEnd();
  expect(statuses(await answersTo([capabilities], { certificate, end: true }))).toEqual([200]);
  expect(statuses(await answersTo([`${capabilities}${capabilities}`], { certificate, end: true }))).toEqual([200, 200]);
  expect(statuses(await answersTo(['GET /v1/sync HT'], { certificate, end: true }))).toEqual([400]);
});

test('a caller who hangs up within a body is not logged as a database that is out of reach', async () => {
  const lines: Record<string, unknown>[] = [];
  const concluded = Promise.withResolvers<void>();
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      if (lines.at(-1)?.['msg'] === 'request') setImmediate(concluded.resolve);
      done();
    },
  });
  const { port } = await world.secondApi({ logger: createLogger('test', 'info', sink) });
  const { client, certificate } = await world.backEnd();
  const line = connectPlainly(port, '127.0.0.1');
  const socket = connect({
    socket: line,
    servername: 'localhost',
    ca: world.tls.caPem,
    cert: certificate.certPem,
    key: certificate.keyPem,
  });
  socket.write('POST /v1/link-codes/redeem HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{');
  // Once a lease is taken, the request is waiting for its body.
  for (;;) {
    const [row] = await world.fixtures.sql<
      { taken: number }[]
    >`select cardinality(leases) as taken from client_quota where client_number = ${client.number}`;
    if (row?.taken === 1) break;
  }
  socket.on('error', () => {});
  line.resetAndDestroy();
  await concluded.promise;
  expect(lines.map(({ msg, status }) => ({ msg, status }))).toEqual([{ msg: 'request', status: 499 }]);
});

test('a body that breaks off is one answer, whose request id is the one in the log', async () => {
  const lines: Record<string, unknown>[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
  const { port } = await world.secondApi({ logger: createLogger('test', 'info', sink) });
  const { certificate } = await world.backEnd();
  const head = 'POST /v1/link-codes/redeem HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
  for (const [broken, end] of [
    [`${head}Transfer-Encoding: chunked\r\n\r\nno chunk\r\n`, false],
    [`${head}Content-Length: 20\r\n\r\n{"code"`, true],
  ] as const) {
    const answers = await answersTo([broken], { certificate, port, end });
    expect(statuses(answers)).toEqual([400]);
    const { requestId, status } = lines.at(-1) ?? {};
    expect({ requestId, status }).toEqual({ requestId: answers[0]?.headers['x-request-id'], status: 400 });
  }
  expect(lines.filter(({ msg }) => msg === 'request')).toHaveLength(2);
});

test('a connection may be filled with requests ahead of their answers only so far', async () => {
  const { client, certificate } = await world.backEnd();
  for (const quota of ['requests_per_minute', 'requests_per_hour'] as const) await world.fixtures.override(client, quota, 10_000);
  const answers = await answersTo([capabilities.repeat(2_000)], { certificate });
  expect(answers.length).toBeLessThan(100);
  expect(statuses(answers.slice(0, -1))).toEqual(answers.slice(0, -1).map(() => 200));
  expectProblem(answers.at(-1) as MachineResponse, 'invalid_request');
});

test('a transfer coding other than chunked is answered 501, with chunked behind it and without', async () => {
  for (const coding of ['gzip', 'identity', 'gzip, chunked', 'br', 'deflate\r\nTransfer-Encoding: chunked']) {
    const answer = await sendBytes(
      `POST /v1/link-codes/redeem HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: ${coding}\r\nConnection: close\r\n\r\n0\r\n\r\n`,
    );
    expect([coding, answer.status]).toEqual([coding, 501]);
    expectProblem(answer, 'not_implemented');
    expectContract('POST', '/v1/link-codes/redeem', answer);
  }
  for (const contradiction of ['Transfer-Encoding: chunked\r\nContent-Length: 5', 'Content-Length: 5\r\nTransfer-Encoding: chunked'])
    expectProblem(
      await sendBytes(`POST /v1/link-codes/redeem HTTP/1.1\r\nHost: localhost\r\n${contradiction}\r\n\r\n0\r\n\r\n`),
      'invalid_request',
    );
});

test('requests that cannot be read count for their address like those without a certificate', async () => {
  const { certificate } = await world.backEnd();
  const api = await world.secondApi({ unauthenticatedRequestsPerMinute: 5 });
  const kinds = [
    'nonsense\r\n\r\n',
    'GET /v1/sync HTTP/1.1\r\nConnection: close\r\n\r\n',
    `GET /v1/sync HTTP/1.1\r\nHost: localhost\r\nX-Large: ${'x'.repeat(17_000)}\r\n\r\n`,
    'GET * HTTP/1.1\r\nHost: localhost\r\n\r\n',
    'POST /v1/sync HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\n\r\n',
  ];
  for (const bytes of kinds) expect((await sendBytes(bytes, api.port)).status).not.toBe(429);
  for (const bytes of kinds) {
    const answer = await sendBytes(bytes, api.port);
    expectProblem(answer, 'rate_limit_exceeded', { violated_policies: ['unauthenticated'] });
    // The headers name the policy, too.
    expectContract('GET', '/v1/sync', answer);
  }
  // None of this uses up what a client has.
  expect((await world.connect(certificate, api).call('/v1/capabilities')).status).toBe(200);
});

test('a name or a path that is not in the contract is not repeated', async () => {
  const { machine } = await world.backEnd();
  const secret = '0123456789';
  for (const [method, path] of [
    ['GET', `/v1/sync?${secret}=1`],
    ['GET', `/v1/sync?limit=1&code${secret}`],
    ['GET', `/v1/link-codes/${secret}/redeem`],
    ['GET', `/v1/orders/${secret}`],
    ['POST', `/v1/orders/${secret}/history`],
    ['POST', `/v1/revocations/${secret}/ack`],
  ] as const) {
    const answer = await machine.call(path, { method, describe: false });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.text).not.toContain(secret);
  }
  expectProblem(await machine.call('/v1/sync?limit=0'), 'invalid_request', {
    errors: [{ parameter: 'limit', detail: expect.any(String) }],
  });
  const id = newId('ord');
  expectProblem(await machine.call(`/v1/orders/${id}`), 'not_found', { instance: `/v1/orders/${id}` });
});

test('a refusal that ends the connection reaches a caller who is still sending', async () => {
  const body = 'x'.repeat(100_000);
  for (const [head, status] of [
    ['POST * HTTP/1.1\r\nHost: localhost', 400],
    ['POST /v1/sync HTTP/1.1\r\nConnection: close', 400],
    ['POST /v1/sync HTTP/1.1\r\nHost: localhost\r\nConnection: close', 401],
  ] as const) {
    const sent = `${head}\r\nContent-Length: ${20 * body.length}\r\n\r\n`;
    expect(statuses(await answersTo([sent, ...Array<string>(20).fill(body)], {}))).toEqual([status]);
  }
});
