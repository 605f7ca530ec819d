import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '../../../server/domain/shared/ids.ts';
import type { TestCertificate, TestClient } from '../../support/world/Fixtures.ts';
import type { MachineClient } from '../../support/clients/machineClient.ts';
import { openWorld, type MachineWorld } from '../../support/world/openWorld.ts';
import { expectProblem } from '../../support/clients/problems.ts';
import { parseAnswers } from '../../support/clients/parseAnswers.ts';

const kibibyte = 1024;
const path = `/v1/revocations/${newId('rev')}/ack`;

let world: MachineWorld;
let client: TestClient;
let certificate: TestCertificate;
let machine: MachineClient;
beforeAll(async () => {
  world = await openWorld({ machine: true });
  ({ client, certificate, machine } = await world.backEnd());
  for (const quota of ['requests_per_minute', 'concurrent_requests']) await world.fixtures.override(client, quota, 10_000);
});
afterAll(() => world.close());

const post = (body: unknown, headers: Record<string, string> = {}) =>
  machine.call(path, { method: 'POST', body, headers: { 'Idempotency-Key': 'key', ...headers } });

/** A connection of this client on which a test writes its own bytes. */
async function connection(port = world.api.port, who: TestCertificate | null = certificate): Promise<TLSSocket> {
  const own = who && { cert: who.certPem, key: who.keyPem };
  const socket = connect({ port, servername: 'localhost', ca: world.tls.caPem, ...own });
  await once(socket, 'secureConnect');
  return socket;
}

/** Everything that the server sends until it ends the connection. */
async function readToTheEnd(socket: TLSSocket) {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return parseAnswers(Buffer.concat(chunks));
}

const head = (...headers: string[]) =>
  [`POST ${path} HTTP/1.1`, 'Host: localhost', 'Idempotency-Key: key', 'Content-Type: application/json', ...headers, '', ''].join('\r\n');

test('JSON is taken with and without parameters of its media type', async () => {
  for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"', 'application/json; v=1']) {
    expectProblem(await post({ deletion_completed: true }, { 'Content-Type': type }), 'not_found');
  }
});

test('other media types, charsets and codings are refused with 415', async () => {
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'application/jsonp',
    'text/json',
    '',
  ]) {
    expectProblem(await post({ deletion_completed: true }, { 'Content-Type': type }), 'unsupported_media_type');
  }
  expectProblem(await post({ deletion_completed: true }, { 'Content-Encoding': 'gzip' }), 'unsupported_media_type');
  const untyped = await machine.call(path, { method: 'POST', headers: { 'Idempotency-Key': 'key' } });
  expectProblem(untyped, 'unsupported_media_type');
});

test('what is no JSON object is refused, and what is wrong in one is named by its pointer', async () => {
  const wrong: [unknown, string][] = [
    ['', ''],
    ['{', ''],
    ['{"deletion_completed":true}x', ''],
    [Buffer.from([0x7b, 0xff, 0x7d]), ''],
    ['[]', ''],
    ['null', ''],
    ['"text"', ''],
    ['17', ''],
    ['{"deletion_completed":true,"deletion_complete":true}', ''],
    ['{"deletion_completed":true,"abcdefghijklmnop":true}', ''],
    ['{"deletion_completed":true,"__proto__":{}}', ''],
    ['{"deletion_completed":true,"0123456789":1}', ''],
    ['{"deletion_completed":false,"deletion_completed":true}', '/deletion_completed'],
    ['{"deletion_completed":false,"deletion\\u005fcompleted":true}', '/deletion_completed'],
    ['{}', '/deletion_completed'],
    ['{"deletion_completed":"true"}', '/deletion_completed'],
    ['{"deletion_completed":{"deletion_completed":true}}', '/deletion_completed'],
  ];
  for (const [body, pointer] of wrong) {
    const answer = await post(body);
    expectProblem(answer, 'invalid_request', { errors: [{ pointer, detail: expect.any(String) }] });
    expect(answer.text).not.toMatch(/0123456789|abcdefghijklmnop/);
  }
});

test('a body of 16 KiB is read, and one byte more is 413', async () => {
  const padded = (bytes: number) => `{"deletion_completed":true${' '.repeat(bytes - 27)}}`;
  expect(Buffer.byteLength(padded(16 * kibibyte))).toBe(16 * kibibyte);
  expectProblem(await post(padded(16 * kibibyte)), 'not_found');
  expectProblem(await post(padded(16 * kibibyte + 1)), 'content_too_large');
  expectProblem(await post(padded(300 * kibibyte)), 'content_too_large');
});

test('a body in chunks is measured as it comes, and the connection goes on after its end', async () => {
  const socket = await connection();
  const chunk = `${kibibyte.toString(16)}\r\n${' '.repeat(kibibyte)}\r\n`;
  socket.write(head('Transfer-Encoding: chunked'));
  for (let turn = 0; turn < 100; turn += 1) socket.write(chunk);
  socket.write('0\r\n\r\n');
  socket.write(`${head('Content-Length: 27', 'Connection: close')}{"deletion_completed":true}`);
  expect((await readToTheEnd(socket)).map(({ status }) => status)).toEqual([413, 404]);
});

test('chunks that are none are answered with 400', async () => {
  const socket = await connection();
  socket.write(`${head('Transfer-Encoding: chunked')}no chunk\r\n`);
  const [answer] = await readToTheEnd(socket);
  expect(answer?.status).toBe(400);
});

test('a body that never arrives is 408, once, and the connection is closed', async () => {
  const api = await world.secondApi({ requestTimeoutMs: 300 });
  const socket = await connection(api.port);
  socket.write(`${head('Content-Length: 27')}{"deletion`);
  const answers = await readToTheEnd(socket);
  expect(answers.map(({ status }) => status)).toEqual([408]);
});

test('a caller that hangs up within its body leaves no lease taken', async () => {
  for (let turn = 0; turn < 5; turn += 1) {
    const socket = await connection();
    socket.write(`${head('Content-Length: 27')}{"deletion`);
    socket.destroy();
  }
  for (;;) {
    const [row] = await world.fixtures.sql<
      { taken: number }[]
    >`select cardinality(leases) as taken from client_quota where client_number = ${client.number}`;
    if (row?.taken === 0) break;
  }
  expect((await machine.call('/v1/sync')).status).toBe(200);
});

test('who is refused before the body is read gets the whole answer, and the connection goes on', async () => {
  const socket = await connection();
  const large = 'x'.repeat(200 * kibibyte);
  socket.write(`POST /v1/nothing HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${large.length}\r\n\r\n${large}`);
  socket.write('GET /v1/capabilities HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  expect((await readToTheEnd(socket)).map(({ status }) => status)).toEqual([404, 200]);
});

test('operations that take no body refuse one', async () => {
  for (const method of ['GET', 'HEAD']) {
    const answer = await machine.call('/v1/sync', { method, body: { deletion_completed: true } });
    expect(answer.status).toBe(400);
  }
  expectProblem(await machine.call('/v1/sync', { body: 'x' }), 'invalid_request', {
    errors: [{ pointer: '', detail: expect.any(String) }],
  });
  expect((await machine.call('/v1/sync', { headers: { 'Content-Length': '0', 'Content-Type': 'text/plain' } })).status).toBe(200);
});

test('the body is looked at only after the scope', async () => {
  const reader = await world.backEnd({ scopes: ['orders.read'] });
  for (const body of ['{', 'x'.repeat(20 * kibibyte)]) {
    expectProblem(await reader.machine.call(path, { method: 'POST', body }), 'scope_required', { required_scopes: ['revocations.ack'] });
  }
});

test('a body is asked for only once it is read, and what the head decides is answered at once', async () => {
  const reader = await world.backEnd({ scopes: ['orders.read'] });
  const refusals = [
    { who: certificate, lines: head('Content-Length: 27', 'Expect: 100-continue').replace('application/json', 'text/plain'), status: 415 },
    { who: certificate, lines: head('Content-Length: 20000', 'Expect: 100-continue'), status: 413 },
    { who: reader.certificate, lines: head('Content-Length: 27', 'Expect: 100-continue'), status: 403 },
    { who: null, lines: head('Content-Length: 27', 'Expect: 100-continue'), status: 401 },
  ];
  for (const { who, lines, status } of refusals) {
    const socket = await connection(world.api.port, who);
    socket.write(lines);
    const answers = await readToTheEnd(socket);
    expect(answers.map((answer) => answer.status)).toEqual([status]);
    expect(answers[0]?.headers['connection']).toBe('close');
  }
  const socket = await connection();
  socket.write(head('Content-Length: 27', 'Expect: 100-continue', 'Connection: close'));
  const [asked] = (await once(socket, 'data')) as [Buffer];
  expect(asked.toString()).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  socket.write('{"deletion_completed":true}');
  expect((await readToTheEnd(socket)).map((answer) => answer.status)).toEqual([404]);
});
