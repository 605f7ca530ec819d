import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openUsageClient } from '../../../rest-api/database/databaseClients.ts';
import { openUsageRecorder } from '../../../rest-api/database/openUsageRecorder.ts';
import { certificatesLastUsed } from '../../../server/domain/usage/certificateActivity.ts';
import { writeUsage } from '../../../server/domain/usage/writeUsage.ts';
import { createLogger } from '../../../server/platform/logger.ts';
import { registry } from '../../../server/platform/metrics.ts';
import { finishedRequest } from '../../support/world/finishedRequests.ts';
import type { Fixtures, TestAuthority, TestCertificate, TestClient } from '../../support/world/Fixtures.ts';
import { openWorld } from '../../support/world/openWorld.ts';
import type { World } from '../../support/world/World.ts';

let world: World;
let fixtures: Fixtures;
let authority: TestAuthority;
let usage: ReturnType<typeof openUsageClient>;
beforeAll(async () => {
  world = await openWorld();
  ({ fixtures } = world);
  authority = await fixtures.authorities();
  usage = openUsageClient(world.urls.machineApi);
});
afterAll(async () => {
  await usage.close();
  await world.close();
});

async function subject(): Promise<{ client: TestClient; certificate: TestCertificate }> {
  const client = await fixtures.client();
  return { client, certificate: await fixtures.certificate(authority, client) };
}
const counts = ({ number }: TestClient) =>
  fixtures.sql`select extract(epoch from hour)::float8 * 1000 as hour, route, status, count from usage_counter where client_number = ${number} order by 1, 2, 3`;
const log = ({ number }: TestClient) =>
  fixtures.sql`select * from request_log where client_number = ${number} order by occurred_at, request_id`;

test('requests are counted by hour, operation and status, and each has its line in the log', async () => {
  const { client, certificate } = await subject();
  const at = (time: string) => new Date(`2026-11-21T${time}Z`);
  const batch = [
    finishedRequest(client, certificate, { occurredAt: at('09:59:59.999') }),
    finishedRequest(client, certificate, { occurredAt: at('10:00:00.000') }),
    finishedRequest(client, certificate, { occurredAt: at('10:30:00.000'), status: 304 }),
    finishedRequest(client, certificate, { occurredAt: at('10:59:59.999'), operation: 'getOrder', status: 404, problem: 'not_found' }),
  ];
  await writeUsage(usage.query, batch);
  await writeUsage(usage.query, [finishedRequest(client, certificate, { occurredAt: at('10:15:00.000') })]);
  const [nine, ten] = [at('09:00:00').getTime(), at('10:00:00').getTime()];
  expect(await counts(client)).toEqual([
    { hour: nine, route: 'getSync', status: 200, count: 1 },
    { hour: ten, route: 'getOrder', status: 404, count: 1 },
    { hour: ten, route: 'getSync', status: 200, count: 2 },
    { hour: ten, route: 'getSync', status: 304, count: 1 },
  ]);
  const rows = await log(client);
  expect(rows).toHaveLength(5);
  expect(rows.at(-1)).toEqual({
    client_number: client.number,
    occurred_at: at('10:59:59.999'),
    request_id: batch[3]?.requestId,
    method: 'GET',
    route: 'getOrder',
    status: 404,
    problem_code: 'not_found',
    certificate_id: certificate.id,
    serial: certificate.serial,
    duration_ms: 1.5,
  });
  const [activity] = await fixtures.sql`select last_request_at, last_sync_at from client_activity where client_number = ${client.number}`;
  expect(activity).toEqual({ last_request_at: at('10:59:59.999'), last_sync_at: at('10:30:00.000') });
});

test('a counter that can go no further does not keep the requests of others from being recorded', async () => {
  const [full, other] = [await subject(), await subject()];
  const batch = () => [finishedRequest(full.client, full.certificate), finishedRequest(other.client, other.certificate)];
  await writeUsage(usage.query, batch());
  await fixtures.sql`update usage_counter set count = 2147483647 where client_number = ${full.client.number}`;
  await writeUsage(usage.query, batch());
  expect((await counts(full.client)).map(({ count }) => count)).toEqual([2_147_483_647]);
  expect((await counts(other.client)).map(({ count }) => count)).toEqual([2]);
});

test('a batch that is written again, because its answer was lost, counts nothing twice', async () => {
  const { client, certificate } = await subject();
  const batch = [finishedRequest(client, certificate), finishedRequest(client, certificate)];
  await writeUsage(usage.query, batch);
  await writeUsage(usage.query, [...batch, finishedRequest(client, certificate)]);
  expect((await counts(client)).map(({ count }) => count)).toEqual([3]);
  expect(await log(client)).toHaveLength(3);
});

test('an older request that is written later does not turn the last times back', async () => {
  const { client, certificate } = await subject();
  const now = new Date();
  await writeUsage(usage.query, [finishedRequest(client, certificate, { occurredAt: now })]);
  await writeUsage(usage.query, [finishedRequest(client, certificate, { occurredAt: new Date(now.getTime() - 60_000) })]);
  const [activity] = await fixtures.sql`select last_request_at, last_sync_at from client_activity where client_number = ${client.number}`;
  expect(activity).toEqual({ last_request_at: now, last_sync_at: now });
});

test('each certificate keeps the time of its last accepted call, whatever was refused or is written late', async () => {
  const { client, certificate } = await subject();
  const unused = await fixtures.certificate(authority, client);
  const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 10, minute));
  await writeUsage(usage.query, [
    finishedRequest(client, certificate, { occurredAt: at(5), status: 429, problem: 'rate_limit_exceeded' }),
    finishedRequest(client, certificate, { occurredAt: at(4) }),
    finishedRequest(client, certificate, {
      occurredAt: at(6),
      status: 401,
      problem: 'client_certificate_revoked',
      certificateAccepted: false,
    }),
    // Past the limit of its address, a revoked certificate is answered like any other caller.
    finishedRequest(client, unused, {
      occurredAt: at(6),
      status: 429,
      problem: 'rate_limit_exceeded',
      certificateAccepted: false,
      logged: false,
    }),
  ]);
  await writeUsage(usage.query, [finishedRequest(client, certificate, { occurredAt: at(1) })]);
  const times = async () => certificatesLastUsed(world.orm.em.fork(), [unused.id, certificate.id]);
  expect(await times()).toEqual([null, at(5)]);
  await writeUsage(usage.query, [finishedRequest(client, unused, { occurredAt: at(2), logged: false })]);
  expect(await times()).toEqual([at(2), at(5)]);
});

test('a refused sync is a request, but no sync', async () => {
  const { client, certificate } = await subject();
  await writeUsage(usage.query, [finishedRequest(client, certificate, { status: 429, problem: 'rate_limit_exceeded' })]);
  const [activity] =
    await fixtures.sql`select last_request_at is null as never, last_sync_at from client_activity where client_number = ${client.number}`;
  expect(activity).toEqual({ never: false, last_sync_at: null });
});

test('what is only counted has no line in the log', async () => {
  const { client, certificate } = await subject();
  await writeUsage(usage.query, [finishedRequest(client, certificate, { logged: false, status: 429 })]);
  expect((await counts(client)).map(({ status, count }) => [status, count])).toEqual([[429, 1]]);
  expect(await log(client)).toEqual([]);
});

test('without admission’s word a request is tied by common name, else by serial, else dropped', async () => {
  const { client, certificate } = await subject();
  const other = await subject();
  const unknown = { fingerprintSha256: 'ff', serial: '77', commonName: client.commonName };
  await writeUsage(usage.query, [
    finishedRequest(client, certificate, { client: null, operation: 'a' }),
    finishedRequest(client, certificate, { client: null, operation: 'b', certificate: unknown }),
    finishedRequest(client, certificate, {
      client: null,
      operation: 'c',
      certificate: { ...unknown, commonName: 'svc:production:nobody', serial: certificate.serial },
    }),
    finishedRequest(client, certificate, {
      client: null,
      operation: 'd',
      certificate: { ...unknown, commonName: `svc:production:${client.id}` },
    }),
    // The common name decides: somebody else's certificate does not show in this client's log.
    finishedRequest(client, certificate, { client: null, operation: 'e', certificate: { ...unknown, serial: other.certificate.serial } }),
  ]);
  expect((await log(client)).map((row) => [row['route'], row['certificate_id'], row['serial']]).toSorted()).toEqual([
    ['a', certificate.id, certificate.serial],
    ['b', null, '77'],
    ['c', null, certificate.serial],
    ['e', null, other.certificate.serial],
  ]);
  expect(await log(other.client)).toEqual([]);
});

test('another client’s certificate never appears in a client’s request log, even if the request named the client', async () => {
  const { client, certificate } = await subject();
  const other = await subject();
  const { fingerprintSha256, serial } = other.certificate;
  const borrowed = { fingerprintSha256, serial, commonName: client.commonName };
  await writeUsage(usage.query, [finishedRequest(client, certificate, { client: null, certificate: borrowed })]);
  expect(await log(client)).toMatchObject([{ certificate_id: null, serial }]);
});

test('many processes that write the same counters in any order neither wait for each other for ever nor lose a count', async () => {
  const subjects = await Promise.all(Array.from({ length: 5 }, () => subject()));
  const processes = Array.from({ length: 4 }, () => openUsageClient(world.urls.machineApi));
  await Promise.all(
    processes.map(async ({ query }, turn) => {
      for (let round = 0; round < 20; round += 1) {
        const batch = subjects.flatMap(({ client, certificate }) =>
          [200, 304, 404].map((status) => finishedRequest(client, certificate, { status, occurredAt: new Date('2026-11-21T10:00:00Z') })),
        );
        await writeUsage(query, (turn + round) % 2 ? batch : batch.toReversed());
      }
    }),
  );
  for (const { client } of subjects) expect((await counts(client)).map(({ count }) => count)).toEqual([80, 80, 80]);
  await Promise.all(processes.map((each) => each.close()));
});

test('what PostgreSQL refuses is lost, which is counted and logged as an error, and what follows is written', async () => {
  const { client, certificate } = await subject();
  const lines: [level: string, line: object][] = [];
  const noting = (level: string) => (line: object) => void lines.push([level, line]);
  const logger = Object.assign(createLogger('machine-api', 'silent'), { error: noting('error'), warn: noting('warn') });
  const opened = openUsageRecorder(world.urls.machineApi, logger);
  // No status has a place for it.
  opened.recorder.add(finishedRequest(client, certificate, { status: 70_000 }));
  while (lines.length === 0) await new Promise(setImmediate);
  opened.recorder.add(finishedRequest(client, certificate));
  await opened.close();
  expect(lines).toEqual([['error', { count: 1, reason: 'refused', err: expect.objectContaining({ code: '22003' }) }]]);
  expect(await registry.metrics()).toContain('svc_usage_dropped_total{reason="refused"} 1\n');
  expect(await counts(client)).toMatchObject([{ status: 200, count: 1 }]);
});
