import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabaseClients, openUsageClient, type DatabaseClients } from '../../../rest-api/database/databaseClients.ts';
import type { Orm } from '../../../server/database/orm.ts';
import { admit } from '../../../server/domain/client/admission/admit.ts';
import type { CostClass } from '../../../server/domain/client/quotas.ts';
import type { FinishedRequest } from '../../../server/domain/usage/FinishedRequest.ts';
import { errorGroups } from '../../../server/domain/usage/errorGroups.ts';
import { errorGroupsSql } from '../../../server/domain/usage/errorGroups.sql.ts';
import { quotaLeft } from '../../../server/domain/usage/quotaLeft.ts';
import { usage } from '../../../server/domain/usage/usage.ts';
import { writeUsage } from '../../../server/domain/usage/writeUsage.ts';
import { removeExpired } from '../../../workers/tasks/removeExpired.ts';
import type { WorkerContext } from '../../../workers/workerContext.ts';
import { finishedRequest } from '../../support/world/finishedRequests.ts';
import type { Fixtures, TestAuthority, TestCertificate, TestClient } from '../../support/world/Fixtures.ts';
import { openWorld } from '../../support/world/openWorld.ts';
import type { World } from '../../support/world/World.ts';
import { loggedRequests } from '../../support/world/usageFixtures.ts';

const hour = 60 * 60 * 1000;
let world: World;
let fixtures: Fixtures;
let authority: TestAuthority;
let orm: Orm;
let writing: ReturnType<typeof openUsageClient>;
let clients: DatabaseClients;
beforeAll(async () => {
  world = await openWorld();
  ({ orm, fixtures } = world);
  authority = await fixtures.authorities();
  writing = openUsageClient(world.urls.machineApi);
  clients = openDatabaseClients(world.urls.machineApi);
});
afterAll(async () => {
  await Promise.all([writing.close(), clients.close()]);
  await world.close();
});

async function subject(): Promise<{ client: TestClient; certificate: TestCertificate }> {
  const client = await fixtures.client();
  return { client, certificate: await fixtures.certificate(authority, client) };
}
const now = new Date('2026-11-21T10:30:00.000Z');
const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds);
const write = (requests: FinishedRequest[]) => writeUsage(writing.query, requests);
const usageOf = ({ id, operatorId }: TestClient, period: 'day' | 'week' = 'day') =>
  usage(orm.em.fork(), { operatorId, clientId: id, period, now });

test('a day has 24 hours with the running one, a week 168; what is older is left out', async () => {
  const { client, certificate } = await subject();
  const at = [ago(0), ago(23 * hour), ago(24 * hour), ago(167 * hour), ago(168 * hour)];
  await write(at.map((occurredAt) => finishedRequest(client, certificate, { occurredAt })));
  const day = await usageOf(client);
  expect([day.from, day.hours]).toEqual([new Date('2026-11-20T11:00:00.000Z'), 24]);
  expect(day.counts).toEqual(
    ['2026-11-20T11:00:00.000Z', '2026-11-21T10:00:00.000Z'].map((each) => ({
      hour: new Date(each),
      operation: 'getSync',
      status: 200,
      count: 1,
    })),
  );
  const week = await usageOf(client, 'week');
  expect([week.hours, week.counts.length]).toEqual([168, 4]);
});

test('the share of 304 counts answered syncs only', async () => {
  const { client, certificate } = await subject();
  const statuses = [200, 200, 304, 403, 500, 499];
  await write([
    ...statuses.map((status) => finishedRequest(client, certificate, { status, occurredAt: now })),
    finishedRequest(client, certificate, { operation: 'getOrder', status: 304, occurredAt: now }),
  ]);
  expect(await usageOf(client)).toMatchObject({ syncs: 3, unchangedSyncs: 1 });
});

const groupsOf = ({ number }: TestClient, { since = null as Date | null, at = now, first = 10 } = {}) =>
  errorGroups(orm.em.fork(), { clientNumber: number, since, first, now: at });

test('what was refused or failed is grouped by problem, operation and certificate, with its share, and the open groups come first', async () => {
  const { client, certificate } = await subject();
  const other = await fixtures.certificate(authority, client);
  const refused = { status: 403, problem: 'scope_required', operation: 'getOrder' } as const;
  await write([
    ...[200, 100, 90].map((ago_) => finishedRequest(client, certificate, { ...refused, occurredAt: ago(ago_ * 60_000) })),
    finishedRequest(client, other, { ...refused, occurredAt: ago(80 * 60_000) }),
    finishedRequest(client, certificate, { ...refused, operation: 'getVehicle', occurredAt: ago(70 * 60_000) }),
    finishedRequest(client, certificate, { status: 500, occurredAt: ago(5 * 60_000) }),
    ...[404, 410, 499].map((status) =>
      finishedRequest(client, certificate, { status, operation: 'getVehicle', occurredAt: ago(4 * 60_000) }),
    ),
    ...[85, 60, 1].map((ago_) => finishedRequest(client, certificate, { operation: 'getOrder', occurredAt: ago(ago_ * 60_000) })),
    finishedRequest(client, certificate, { status: 304, occurredAt: ago(0) }),
  ]);
  const groups = await groupsOf(client);
  expect(groups.map(({ problem, operation, serial, count, open }) => [problem, operation, serial, count, open])).toEqual([
    [null, 'getSync', certificate.serial, 1, true],
    ['scope_required', 'getVehicle', certificate.serial, 1, true],
    ['scope_required', 'getOrder', certificate.serial, 3, false],
    ['scope_required', 'getOrder', other.serial, 1, false],
  ]);
  expect(groups[2]).toMatchObject({
    status: 403,
    share: expect.closeTo(3 / 13),
    more: false,
    firstAt: ago(200 * 60_000),
    lastAt: ago(90 * 60_000),
    answeredAt: ago(85 * 60_000),
    certificate: { id: certificate.id },
  });
  expect(groups[1]?.answeredAt).toBeNull();
  expect((await groupsOf(client, { first: 1 })).map(({ status }) => status)).toEqual([500]);
  expect((await groupsOf(client, { since: ago(20 * 60_000) })).map(({ status }) => status)).toEqual([500]);
  await expect(groupsOf(client, { first: 0 })).rejects.toMatchObject({ code: 'invalid_request', fields: [{ path: 'first' }] });
});

test.each([
  ['just now, and answered since', 1, true, true],
  ['59 minutes ago, and answered since', 59, true, true],
  ['an hour ago, and answered since', 60, true, false],
  ['an hour ago, and not tried again', 60, false, true],
  ['a day ago, and not tried again', 24 * 60, false, false],
])('a group closes by itself: the last was %s', async (_when, minutes, answered, open) => {
  const { client, certificate } = await subject();
  await write([
    finishedRequest(client, certificate, { status: 403, problem: 'scope_required', occurredAt: ago(minutes * 60_000) }),
    ...(answered ? [finishedRequest(client, certificate, { occurredAt: now })] : []),
  ]);
  expect((await groupsOf(client)).some((group) => group.open)).toBe(open);
});

test('of a flood the last 5,000 are grouped, by index alone', async () => {
  const { client } = await subject();
  await fixtures.sql`insert into request_log (client_number, occurred_at, request_id, method, route, status, problem_code, duration_ms)
    select ${client.number}, ${now}::timestamptz - n * interval '10 seconds', 'req_' || n, 'GET', (array['getSync', 'getOrder'])[1 + n % 2], 429, 'rate_limit_exceeded', 1
      from generate_series(1, 8000) n`;
  const groups = await groupsOf(client);
  expect(groups.map(({ count, more, share }) => ({ count, more, share }))).toEqual([
    { count: 2_500, more: true, share: null },
    { count: 2_500, more: true, share: null },
  ]);
  await fixtures.sql`analyze request_log`;
  const values = [client.number, ago(24 * hour), now, 5_000];
  const rows = await fixtures.sql.unsafe(`explain ${errorGroupsSql}`, values as never[]);
  const plan = rows.map((row) => String(row['QUERY PLAN'])).join('\n');
  expect(plan).not.toMatch(/Seq Scan on request_log/);
});

test('another operator’s client is not found, like one that never was', async () => {
  const [mine, others] = [await subject(), await subject()];
  const refusal = { code: 'not_found', message: 'There is no such client.' };
  await expect(usageOf({ ...others.client, operatorId: mine.client.operatorId })).rejects.toMatchObject(refusal);
  await expect(usageOf({ ...mine.client, id: `cli_${'0'.repeat(26)}` })).rejects.toMatchObject(refusal);
});

const ask = ({ client, certificate }: { client: TestClient; certificate: TestCertificate }, costClass: CostClass, at: Date) =>
  admit(clients.admission, {
    fingerprintSha256: certificate.fingerprintSha256,
    serial: certificate.serial,
    commonName: client.commonName,
    clientNumber: client.number,
    costClass,
    source: `192.0.2.${client.number % 250}`,
    now: at,
    finished: [],
  });

test('what is left of the quotas is what admission says, before, within and after their windows, with overrides', async () => {
  const mine = await subject();
  const { number } = mine.client;
  for (const quota of ['concurrent_requests', 'link_code_redemptions_per_ip_per_15_minutes'])
    await fixtures.override(mine.client, quota, 1_000);
  const start = Date.now();
  const leftAt = (at: Date) => quotaLeft(orm.em.fork(), { clientNumber: number, now: at });
  expect((await leftAt(new Date(start))).map(({ name, limit, left, resetsAt }) => [name, limit, left, resetsAt])).toEqual([
    ['minute', 20, 20, null],
    ['hour', 600, 600, null],
    ['statistics', 120, 120, null],
    ['redeem', 60, 60, null],
    ['est', 10, 10, null],
  ]);
  await fixtures.override(mine.client, 'requests_per_minute', 50, new Date(start + 61_000));
  for (const [seconds, costClass] of [
    [0, 'pull'],
    [1, 'statistics'],
    [2, 'redeem'],
    [3, 'est'],
    [59.999, 'pull'],
    [60, 'pull'],
    [61, 'pull'],
    [3_600, 'pull'],
    [3_601, 'statistics'],
  ] as const) {
    const at = new Date(start + seconds * 1_000);
    const { quota } = await ask(mine, costClass, at);
    const shown = await leftAt(at);
    for (const [name, window] of [
      ['minute', quota?.minute],
      [costClass === 'pull' ? 'hour' : costClass, quota?.costClass],
    ] as const) {
      const mineNow = shown.find((each) => each.name === name);
      expect({ at: seconds, name, limit: mineNow?.limit, left: mineNow?.left }).toEqual({
        at: seconds,
        name,
        limit: window?.limit,
        left: window?.left,
      });
      expect(Math.ceil(((mineNow?.resetsAt?.getTime() ?? 0) - at.getTime()) / 1_000)).toBe(window?.reset);
    }
    const minute = shown.find(({ name }) => name === 'minute');
    expect([minute?.overridden, minute?.overrideExpiresAt]).toEqual(seconds < 61 ? [true, new Date(start + 61_000)] : [false, null]);
  }
});

test('an operator whose window has ended has all of a quota left, and one whose quota was lowered below its use has none left, but owes nothing', async () => {
  const mine = await subject();
  const start = Date.now();
  const minuteAt = async (after: number) =>
    (await quotaLeft(orm.em.fork(), { clientNumber: mine.client.number, now: new Date(start + after) })).find(
      ({ name }) => name === 'minute',
    );
  for (let count = 0; count < 3; count += 1) await ask(mine, 'pull', new Date(start));
  await fixtures.override(mine.client, 'requests_per_minute', 2);
  expect(await minuteAt(59_999)).toMatchObject({ limit: 2, left: 0, resetsAt: new Date(start + 60_000) });
  expect(await minuteAt(60_000)).toMatchObject({ limit: 2, left: 2, resetsAt: null });
});

test('the log is kept for 7 days and counters for 90, and more than one slice goes in one run', async () => {
  const { client, certificate } = await subject();
  const day = 24 * hour;
  await write([7.01, 6.99, 90.1, 89.9].map((days) => finishedRequest(client, certificate, { occurredAt: ago(days * day) })));
  await loggedRequests(world, { clientNumber: client.number, at: ago(8 * day) }, 12_000);
  await removeExpired({}, { em: orm.em.fork(), clock: { now: () => now } } as WorkerContext);
  const rows = await fixtures.sql`select occurred_at from request_log where client_number = ${client.number}`;
  expect(rows).toEqual([{ occurred_at: ago(6.99 * day) }]);
  const [counters] =
    await fixtures.sql`select count(*)::int as count, min(hour) as oldest from usage_counter where client_number = ${client.number}`;
  expect(counters).toEqual({ count: 2, oldest: new Date('2026-08-23T12:00:00.000Z') });
});
