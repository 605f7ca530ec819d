import { once } from 'node:events';
import { connect } from 'node:tls';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { newSerial, createRootAuthority } from '../../server/domain/certificate/certificateAuthority.ts';
import { usageLimits } from '../../server/domain/usage/usageLimits.ts';
import { generateSigningKey, softwareKey, softwareSigner } from '../../server/platform/keyStore.ts';
import { openDatabaseProxy } from '../support/run/databaseProxy.ts';
import { issueTestCertificate, type TestCertificate, type TestClient } from '../support/world/Fixtures.ts';
import { openWorld, type MachineWorld } from '../support/world/openWorld.ts';
import { expectProblem } from '../support/clients/problems.ts';

const day = 24 * 60 * 60 * 1000;
const expired = { notBefore: new Date(Date.now() - 3 * day), notAfter: new Date(Date.now() - day) };
const usable = { notBefore: new Date(Date.now() - day), notAfter: new Date(Date.now() + day) };

let world: MachineWorld;
beforeAll(async () => {
  world = await openWorld({ machine: true });
});
afterAll(() => world.close());
afterEach(() => {
  world.clock.run();
});

type Line = {
  request_id: string;
  method: string;
  route: string;
  status: number;
  problem_code: string | null;
  certificate_id: string | null;
  serial: string | null;
  duration_ms: number;
};
/** The client's log once it has this many lines, oldest first. */
async function logOf({ number }: TestClient, lines: number, { fixtures } = world): Promise<Line[]> {
  for (;;) {
    const rows = await fixtures.sql<Line[]>`select * from request_log where client_number = ${number} order by occurred_at, request_id`;
    if (rows.length >= lines) return rows;
  }
}
/** How often the client's requests were counted, once there are this many. */
async function countsOf({ number }: TestClient, requests: number): Promise<Record<string, number>> {
  for (;;) {
    const rows = await world.fixtures.sql<{ key: string; count: number }[]>`
      select route || ' ' || status as key, sum(count)::int as count from usage_counter where client_number = ${number} group by 1`;
    const total = rows.reduce((sum, { count }) => sum + count, 0);
    if (total >= requests) return Object.fromEntries(rows.map(({ key, count }) => [key, count]));
  }
}

/** When the certificate last made a call, as far as it has been written; null for never. */
async function lastUseOf({ id }: TestCertificate): Promise<Date | null> {
  const [row] = await world.fixtures.sql<
    { last_used_at: Date }[]
  >`select last_used_at from certificate_activity where certificate_id = ${id}`;
  return row?.last_used_at ?? null;
}

test('each request stands in the log by the id of its answer, with its operation, status, problem, certificate and duration', async () => {
  const { client, certificate, machine } = await world.backEnd();
  const answers = [
    await machine.call('/v1/sync'),
    await machine.call('/v1/orders/ord_00000000000000000000000000', { method: 'HEAD' }),
    await machine.call('/v1/no/such/path', { describe: false }),
    await machine.call('/v1/sync', { method: 'POST' }),
  ];
  const rows = await logOf(client, 4);
  const inOrder = answers.map(({ headers }) => rows.find(({ request_id }) => request_id === headers['x-request-id']));
  expect(inOrder.map((row) => [row?.method, row?.route, row?.status, row?.problem_code])).toEqual([
    ['GET', 'getSync', 200, null],
    ['HEAD', 'getOrder', 404, 'not_found'],
    ['GET', 'nothing', 404, 'not_found'],
    ['POST', 'path', 405, 'method_not_allowed'],
  ]);
  for (const row of rows) {
    expect([row.certificate_id, row.serial]).toEqual([certificate.id, certificate.serial]);
    expect(row.duration_ms).toBeGreaterThan(0);
  }
});

test('a request with a head that is refused stands in the log of whose certificate it came with', async () => {
  const { client, certificate, machine } = await world.backEnd();
  const { certPem: cert, keyPem: key } = certificate;
  const socket = connect({ port: world.api.port, host: '127.0.0.1', servername: 'localhost', ca: world.tls.caPem, cert, key });
  socket.write('GET /v1/sync HTTP/1.1\r\nConnection: close\r\n\r\n');
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const requestId = /^X-Request-Id: (\S+)/m.exec(Buffer.concat(chunks).toString())?.[1];
  expect(requestId).toBeDefined();
  await machine.call('/v1/sync');
  // Requests are written in the order in which they end, so what is missing now never comes.
  const [first] = await logOf(client, 1);
  expect(first).toMatchObject({ request_id: requestId, route: 'getSync', status: 400, problem_code: 'invalid_request' });
});

test('counters of two processes add up, 304 apart from 200, and the last sync is remembered', async () => {
  world.clock.stop();
  const { client, certificate, machine } = await world.backEnd();
  await world.fixtures.override(client, 'requests_per_minute', 1_000);
  const other = world.connect(certificate, await world.secondApi());
  const { etag } = (await machine.call('/v1/sync')).headers;
  for (let turn = 0; turn < 10; turn += 1) {
    await machine.call('/v1/sync', { headers: { 'if-none-match': String(etag) } });
    await other.call('/v1/sync');
    await other.call('/v1/capabilities');
  }
  expect(await countsOf(client, 31)).toEqual({ 'getSync 200': 11, 'getSync 304': 10, 'getCapabilities 200': 10 });
  const [activity] = await world.fixtures
    .sql`select last_request_at, last_sync_at from client_activity where client_number = ${client.number}`;
  expect(activity).toEqual({ last_request_at: world.clock.now(), last_sync_at: world.clock.now() });
  expect(await lastUseOf(certificate)).toEqual(world.clock.now());
});

test('a certificate that was replaced, revoked, or has expired is refused, and the log says with which one', async () => {
  const { client, certificate, machine } = await world.backEnd();
  await world.fixtures.sql`update certificate set usable_until = ${new Date(Date.now() - 1_000)} where id = ${certificate.id}`;
  expectProblem(await machine.call('/v1/sync'), 'client_certificate_expired');
  await world.fixtures.revokeCertificate(certificate);
  expectProblem(await machine.call('/v1/sync'), 'client_certificate_revoked');
  const old = await world.fixtures.certificate(world.authority, client, expired);
  expectProblem(await world.connect(old).call('/v1/sync'), 'client_certificate_expired');
  expect((await logOf(client, 3)).map((row) => [row.status, row.problem_code, row.certificate_id, row.serial])).toEqual([
    [401, 'client_certificate_expired', certificate.id, certificate.serial],
    [401, 'client_certificate_revoked', certificate.id, certificate.serial],
    [401, 'client_certificate_expired', old.id, old.serial],
  ]);
});

test('a certificate of ours that is not on record is tied to the client that its common name names', async () => {
  const { client } = await world.backEnd();
  const issued = await issueTestCertificate(world.authority, client.commonName, usable);
  const machine = world.connect({ certPem: issued.pem + world.authority.chainPem, keyPem: issued.keyPem });
  expectProblem(await machine.call('/v1/sync'), 'client_certificate_unknown');
  expect(await logOf(client, 1)).toMatchObject([
    { problem_code: 'client_certificate_unknown', certificate_id: null, serial: issued.serialHex },
  ]);
});

test('an untrusted chain with a client’s name in it never stands in that client’s log', async () => {
  const { client, machine } = await world.backEnd();
  const key = generateSigningKey('P-256');
  const root = await createRootAuthority({ commonName: 'Test issuing', serial: newSerial(), ...usable, key: softwareKey(key) });
  for (const lifetime of [usable, expired]) {
    const forged = await issueTestCertificate({ signer: softwareSigner(root.pem, key) }, client.commonName, lifetime);
    const answer = await world.connect({ certPem: forged.pem + root.pem, keyPem: forged.keyPem }).call('/v1/sync');
    expectProblem(answer, 'client_certificate_invalid');
  }
  // Written in the order in which they ended: anything from before the client's own call would be there with it.
  await machine.call('/v1/sync');
  expect((await logOf(client, 1)).map(({ status }) => status)).toEqual([200]);
  expect(await countsOf(client, 1)).toEqual({ 'getSync 200': 1 });
});

test('past the limit of its address a refused certificate is counted, but fills no log', async () => {
  world.clock.stop();
  const api = await world.secondApi({ unauthenticatedRequestsPerMinute: 3 });
  const { client, certificate } = await world.backEnd();
  await world.fixtures.revokeCertificate(certificate);
  const machine = world.connect(certificate, api);
  for (let turn = 0; turn < 8; turn += 1) await machine.call('/v1/sync');
  expect(await countsOf(client, 8)).toEqual({ 'getSync 401': 3, 'getSync 429': 5 });
  expect(await lastUseOf(certificate)).toBeNull();
  expect((await logOf(client, 3)).map(({ status }) => status)).toEqual([401, 401, 401]);
});

test('a client that goes on after 429 is counted, but fills no log', async () => {
  world.clock.stop();
  const { client, machine } = await world.backEnd();
  const refused = usageLimits.refusalsLoggedPerMinute + 5;
  for (let turn = 0; turn < 20 + refused; turn += 1) await machine.call('/v1/capabilities');
  expect(await countsOf(client, 20 + refused)).toEqual({ 'getCapabilities 200': 20, 'getCapabilities 429': refused });
  expect(await logOf(client, 20 + usageLimits.refusalsLoggedPerMinute)).toHaveLength(20 + usageLimits.refusalsLoggedPerMinute);
});

test('a caller that hangs up stands in the log with status 499', async () => {
  const { client, certificate } = await world.backEnd();
  const socket = connect({
    port: world.api.port,
    servername: 'localhost',
    ca: world.tls.caPem,
    cert: certificate.certPem,
    key: certificate.keyPem,
  });
  await once(socket, 'secureConnect');
  await world.fixtures.sql.begin(async (sql) => {
    // The page cannot be read before the caller is gone.
    await sql`lock table shared_resource in access exclusive mode`;
    socket.write('GET /v1/sync HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const leases = async () => (await sql`select 1 from client_quota where client_number = ${client.number} and leases <> '{}'`).length;
    while ((await leases()) === 0);
    socket.destroy();
    while ((await leases()) === 1);
  });
  expect(await logOf(client, 1)).toMatchObject([{ route: 'getSync', status: 499, problem_code: null }]);
});

test('nothing of a path, a query, a code or an address reaches a row', async () => {
  const { client, machine } = await world.backEnd();
  const secrets = ['ord_1111111111111111111111secret'.slice(0, 30), 'a-cursor-of-mine', '0123456789', 'my-own-key', '127.0.0.1'];
  await machine.call(`/v1/orders/${secrets[0]}`, { describe: false });
  await machine.call(`/v1/sync?updated_since=${secrets[1]}`, { describe: false });
  await machine.call(`/v1/link-codes/redeem?code=${secrets[2]}`, { method: 'POST', describe: false });
  await machine.call(`/v1/revocations/${secrets[0]}/ack`, {
    method: 'POST',
    headers: { 'idempotency-key': 'my-own-key' },
    describe: false,
  });
  await machine.call(`/v1/${secrets[2]}`, { describe: false });
  await logOf(client, 5);
  const [all] = await world.fixtures.sql<{ text: string }[]>`
    select concat((select json_agg(l) from request_log l where client_number = ${client.number}), (select json_agg(c) from usage_counter c where client_number = ${client.number})) as text`;
  for (const secret of secrets) expect(all?.text).not.toContain(secret);
});

test('while the database is away requests are answered, and are in the log when it is back', async () => {
  const proxy = await openDatabaseProxy();
  const own = await openWorld({ machine: true });
  try {
    const api = await own.secondApi({ databaseUrl: proxy.through(own.urls.machineApi) });
    const client = await own.fixtures.client();
    const machine = own.connect(await own.fixtures.certificate(own.authority, client), api);
    expect((await machine.call('/v1/capabilities')).status).toBe(200);
    proxy.cut();
    for (let turn = 0; turn < 3; turn += 1) expectProblem(await machine.call('/v1/sync'), 'temporarily_unavailable');
    proxy.mend();
    for (;;) if ((await machine.call('/v1/sync')).status === 200) break;
    const rows = await logOf(client, 5, own);
    expect(rows.filter(({ problem_code }) => problem_code === 'temporarily_unavailable').length).toBeGreaterThanOrEqual(3);
    expect(rows.at(0)).toMatchObject({ route: 'getCapabilities', status: 200 });
    expect(rows.at(-1)).toMatchObject({ route: 'getSync', status: 200 });
  } finally {
    await own.close();
    await proxy.close();
  }
});

test('closing a process writes what still waits', async () => {
  const { client, certificate } = await world.backEnd();
  const api = await world.secondApi();
  await world.connect(certificate, api).call('/v1/capabilities');
  await api.close();
  const rows = await world.fixtures.sql`select route from request_log where client_number = ${client.number}`;
  expect(rows).toEqual([{ route: 'getCapabilities' }]);
});
