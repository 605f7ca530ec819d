import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { MachineClient } from '../support/clients/machineClient.ts';
import { holdTable } from '../support/database/holdTable.ts';
import type { MachineResponse } from '../support/clients/MachineResponse.ts';
import { openWorld, type MachineWorld } from '../support/world/openWorld.ts';
import { expectProblem } from '../support/clients/problems.ts';

let world: MachineWorld;
beforeAll(async () => {
  world = await openWorld({ machine: true });
});
afterAll(() => world.close());
afterEach(() => {
  world.clock.run();
});

function count(answers: readonly MachineResponse[], status: number): number {
  return answers.filter((answer) => answer.status === status).length;
}

test('the 21st request within a minute is 429 and says when to come back; a minute later it goes on', async () => {
  world.clock.stop();
  const { machine } = await world.backEnd();
  for (let left = 19; left >= 0; left -= 1) {
    const answer = await machine.call('/v1/capabilities');
    expect(answer.status).toBe(200);
    expect(answer.headers.ratelimit).toBe(`"minute";r=${left};t=60, "hour";r=${580 + left};t=3600`);
  }
  world.clock.advance(18_000);
  const refused = await machine.call('/v1/capabilities');
  expectProblem(refused, 'rate_limit_exceeded', { violated_policies: ['minute'], retry_after_seconds: 42 });
  expect(refused.headers['retry-after']).toBe('42');
  expect(refused.headers.ratelimit).toBe('"minute";r=0;t=42, "hour";r=580;t=3582');
  world.clock.advance(42_000);
  const later = await machine.call('/v1/capabilities');
  expect(later.headers.ratelimit).toBe('"minute";r=19;t=60, "hour";r=579;t=3540');
});

test('two API processes and two certificates share the client’s quota', async () => {
  world.clock.stop();
  const { client, certificate, machine } = await world.backEnd();
  const second = await world.fixtures.certificate(world.authority, client);
  const api = await world.secondApi();
  const callers = [machine, world.connect(certificate, api), world.connect(second), world.connect(second, api)];
  const answers: MachineResponse[] = [];
  for (let turn = 0; turn < 24; turn += 1) answers.push((await callers[turn % 4]?.call('/v1/capabilities')) as MachineResponse);
  expect(answers.slice(0, 20).every((answer) => answer.status === 200)).toBe(true);
  expect(answers.slice(20).every((answer) => answer.status === 429)).toBe(true);
});

test('of 200 parallel requests exactly 20 are admitted', async () => {
  world.clock.stop();
  const { client, certificate, machine } = await world.backEnd();
  await world.fixtures.override(client, 'concurrent_requests', 1_000);
  const other = world.connect(certificate, await world.secondApi());
  // More leases than any override may give, so that only the rate decides.
  const call = (caller: MachineClient) => caller.call('/v1/capabilities', { describe: false });
  const answers = await Promise.all(Array.from({ length: 200 }, (_, turn) => call(turn % 2 ? machine : other)));
  expect(count(answers, 200)).toBe(20);
  expect(count(answers, 429)).toBe(180);
  const [quota] = await world.fixtures.sql`select minute_count, hour_count from client_quota where client_number = ${client.number}`;
  expect(quota).toMatchObject({ minute_count: 20, hour_count: 20 });
});

test('an hour has 600 requests, and its refusal names the hour', async () => {
  world.clock.stop();
  const { client, machine } = await world.backEnd();
  await world.fixtures
    .sql`update client_quota set hour_start = ${world.clock.now()}, hour_count = 598 where client_number = ${client.number}`;
  expect((await machine.call('/v1/capabilities')).status).toBe(200);
  expect((await machine.call('/v1/capabilities')).status).toBe(200);
  expectProblem(await machine.call('/v1/capabilities'), 'rate_limit_exceeded', { violated_policies: ['hour'], retry_after_seconds: 3600 });
});

test('four requests run at once and the fifth is 429, until one of the four has ended', async () => {
  world.clock.stop();
  const { client, machine } = await world.backEnd();
  await world.fixtures.override(client, 'requests_per_minute', 1_000);
  // Reading waits for this lock, so the requests stay open for as long as the test wants.
  const release = await holdTable(world.fixtures.sql, 'shared_resource');
  const open = Array.from({ length: 4 }, () => machine.call('/v1/sync'));
  await leasesTaken(client.number, 4);
  const fifth = await machine.call('/v1/capabilities');
  expectProblem(fifth, 'concurrency_limit_exceeded', { violated_policies: ['concurrency'], retry_after_seconds: 1 });
  await release();
  expect((await Promise.all(open)).map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
  expect((await machine.call('/v1/capabilities')).status).toBe(200);
});

test('the leases of a process that died are free after 35 seconds', async () => {
  world.clock.stop();
  const { client, machine } = await world.backEnd();
  const leases = [35_000, 35_001, 35_002, 35_003].map((ahead) => new Date(world.clock.now().getTime() + ahead).toISOString());
  await world.fixtures
    .sql`update client_quota set leases = ${`{${leases.join(',')}}`}::text::timestamptz[] where client_number = ${client.number}`;
  expectProblem(await machine.call('/v1/capabilities'), 'concurrency_limit_exceeded');
  world.clock.advance(34_000);
  expectProblem(await machine.call('/v1/capabilities'), 'concurrency_limit_exceeded');
  world.clock.advance(1_004);
  expect((await machine.call('/v1/capabilities')).status).toBe(200);
});

test('requests one after the other never run out of leases', async () => {
  const { client, machine } = await world.backEnd();
  await world.fixtures.override(client, 'requests_per_minute', 1_200);
  await world.fixtures.override(client, 'requests_per_hour', 10_000);
  await world.fixtures.override(client, 'concurrent_requests', 1);
  for (let turn = 0; turn < 150; turn += 1) expect((await machine.call('/v1/capabilities')).status).toBe(200);
});

test('every lease is released, however the requests end', async () => {
  const { client, machine } = await world.backEnd();
  await Promise.all([machine.call('/v1/sync'), machine.call('/v1/nothing'), machine.call('/v1/sync?limit=0')]);
  await leasesTaken(client.number, 0);
});

test('a refused request takes nothing, every answered one counts', async () => {
  world.clock.stop();
  const { machine } = await world.backEnd();
  const spent = ['/v1/sync?nonsense=1', '/v1/nothing', '/v1/orders/x', '/v1/sync'];
  for (const path of spent) await machine.call(path);
  expect((await machine.call('/v1/capabilities')).headers.ratelimit).toMatch('"minute";r=15;');
});

/** Waits until the database has this many leases on record, however long that takes. */
async function leasesTaken(clientNumber: number, wanted: number): Promise<void> {
  for (;;) {
    const [row] = await world.fixtures.sql<
      { taken: number }[]
    >`select cardinality(leases) as taken from client_quota where client_number = ${clientNumber}`;
    if (row?.taken === wanted) return;
  }
}
