import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { limits } from '../../../server/domain/shared/limits.ts';
import { allScopes } from '../../../server/domain/shared/scopes.ts';
import { generateCorpus } from '../../../server/domain/sandbox/generator/generateCorpus.ts';
import { storeCorpus } from '../../../server/domain/sandbox/corpus/storeCorpus.ts';
import { holdTable } from '../../support/database/holdTable.ts';
import type { MachineClient } from '../../support/clients/machineClient.ts';
import { openWorld, type MachineWorld } from '../../support/world/openWorld.ts';
import { expectProblem } from '../../support/clients/problems.ts';
import { Sharing } from '../../support/feed/sharing.ts';

/** docs/specification.md, “Limits”: a test for each limit of the machine API. */
const minute = 60_000;
const day = 24 * 60 * minute;

let world: MachineWorld;
let sharing: Sharing;
beforeAll(async () => {
  world = await openWorld({ machine: true });
  sharing = new Sharing(world);
});
afterAll(() => world.close());
afterEach(() => {
  world.clock.reset();
});

type Page = { upserts: { id: string; type: string }[]; tombstones: unknown[]; next_cursor: string; has_more: boolean };

const redeem = (machine: MachineClient, code = '0000000000') => machine.call('/v1/link-codes/redeem', { method: 'POST', body: { code } });

test('pull/detail requests: 600 per integration per hour baseline', async () => {
  world.clock.stop();
  const { machine } = await world.backEnd();
  let answered = 0;
  for (let turn = 0; turn < 30; turn += 1) {
    for (let call = 0; call < 20; call += 1)
      if ((await machine.call('/v1/capabilities', { describe: false })).status === 200) answered += 1;
    world.clock.advance(minute);
  }
  expect(answered).toBe(600);
  expectProblem(await machine.call('/v1/sync'), 'rate_limit_exceeded', { violated_policies: ['hour'], retry_after_seconds: 1_800 });
  world.clock.advance(30 * minute);
  expect((await machine.call('/v1/sync')).status).toBe(200);
});

test('burst: 20 per minute', async () => {
  world.clock.stop();
  const { machine } = await world.backEnd();
  for (let turn = 0; turn < 20; turn += 1) expect((await machine.call('/v1/sync')).status).toBe(200);
  expectProblem(await machine.call('/v1/sync'), 'rate_limit_exceeded', { violated_policies: ['minute'] });
});

test('concurrent requests: 4', async () => {
  const { machine } = await world.backEnd();
  expect((await machine.call('/v1/capabilities')).body).toMatchObject({ quotas: { concurrent_requests: 4 } });
  const release = await holdTable(world.fixtures.sql, 'shared_resource');
  const codes: string[] = [];
  const calls = Array.from({ length: 10 }, async () => {
    const { status, body } = await machine.call('/v1/sync');
    codes.push(status === 200 ? 'ok' : (body as { code: string }).code);
  });
  const waiting = async () =>
    (
      await world.fixtures.sql`
        select 1 from pg_locks l join pg_database d on d.oid = l.database
         where d.datname = current_database() and l.relation = 'shared_resource'::regclass and not l.granted`
    ).length;
  while (codes.length + (await waiting()) < calls.length);
  expect(codes).toEqual(Array<string>(6).fill('concurrency_limit_exceeded'));
  await release();
  await Promise.all(calls);
  expect(codes.slice(6)).toEqual(Array<string>(4).fill('ok'));
});

test('records per response: 500', async () => {
  const { client, machine } = await world.backEnd();
  const connection = await world.fixtures.connection(client);
  const ids = await world.fixtures.share(client, connection, 501);
  const first = (await machine.call('/v1/sync')).body as Page;
  expect([first.upserts.length, first.has_more]).toEqual([500, true]);
  expect((await machine.call(`/v1/sync?updated_since=${first.next_cursor}`)).body).toMatchObject({
    upserts: [{ id: ids[500] }],
    has_more: false,
  });
  expectProblem(await machine.call('/v1/sync?limit=501'), 'invalid_request');
  expectProblem(await machine.call(`/v1/orders/${ids[0]}/history?limit=501`), 'invalid_request');
});

test('response size: 8 MiB', async () => {
  const { client, machine } = await world.backEnd();
  const connection = await world.fixtures.connection(client);
  await world.fixtures.share(client, connection, 500);
  const core = (length: number) => JSON.stringify({ status: 'placed', model: 'x'.repeat(length), market: 'DE' });
  const largest = core(limits.snapshotBytes - core(0).length);
  await world.fixtures
    .sql`update tracked_resource t set core = ${largest} from shared_resource s where s.tracked_resource_id = t.id and s.client_number = ${client.number}`;
  const answer = await machine.call('/v1/sync', { describe: false });
  expect((answer.body as Page).upserts).toHaveLength(500);
  expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(8 * 1024 * 1024);
  const more = world.fixtures.sql`update tracked_resource set core = ${`${largest} `} where id = (select max(id) from tracked_resource)`;
  await expect(Promise.resolve(more)).rejects.toThrow('check constraint');
});

test('statistics: 120 requests per hour; 2 MiB response', async () => {
  world.clock.stop();
  const { client, machine } = await world.backEnd();
  await world.fixtures.generation(client);
  for (let turn = 0; turn < 6; turn += 1) {
    for (let call = 0; call < 20; call += 1) expect((await machine.call('/v1/statistics/orders', { describe: false })).status).toBe(200);
    world.clock.advance(minute);
  }
  expectProblem(await machine.call('/v1/statistics/orders'), 'rate_limit_exceeded', { violated_policies: ['statistics'] });
  expect((await machine.call('/v1/sync')).status).toBe(200);
  world.clock.advance(60 * minute);
  await world.fixtures.generation(client, { groups: `[${' '.repeat(2 * 1024 * 1024)}]`, publishedAt: world.clock.now() });
  expectProblem(await machine.call('/v1/statistics/orders'), 'internal_error');
});

test('link-code redemption: 60 attempts per integration per hour; 10 per source IP per 15 minutes; 5 failed attempts per code', async () => {
  world.clock.stop();
  const { client, certificate } = await world.backEnd();
  const attempts: string[] = [];
  for (let address = 1; address <= 7; address += 1) {
    const machine = world.connect(certificate, world.api, { localAddress: `127.0.1.${address}` });
    for (let turn = 0; turn < 11; turn += 1) attempts.push(((await redeem(machine)).body as { code: string }).code);
    world.clock.advance(minute);
  }
  const tenOfEleven = [...Array<string>(10).fill('link_code_not_redeemable'), 'link_code_attempts_exceeded'];
  expect(attempts.slice(0, 66)).toEqual(Array.from({ length: 6 }, () => tenOfEleven).flat());
  expect(new Set(attempts.slice(66))).toEqual(new Set(['link_code_attempts_exceeded']));

  const stranger = await world.backEnd();
  const { code } = await sharing.code(client);
  const foreign = world.connect(stranger.certificate, world.api, { localAddress: '127.0.1.99' });
  for (let turn = 0; turn < limits.failedAttemptsPerCode; turn += 1) expectProblem(await redeem(foreign, code), 'link_code_not_redeemable');
  expect(await sharing.redeem(client, code)).toBeNull();
});

test('link code: 10 digits; valid 10 minutes; single-use', async () => {
  world.clock.stop();
  await world.fixtures.sql`delete from redeem_source`;
  const { client, machine } = await world.backEnd();
  const [inTime, late] = [await sharing.code(client), await sharing.code(client)];
  expect(inTime.code).toMatch(/^[0-9]{10}$/);
  world.clock.advance(10 * minute - 1);
  expect((await redeem(machine, inTime.code)).status).toBe(200);
  expectProblem(await redeem(machine, inTime.code), 'link_code_not_redeemable');
  world.clock.advance(1);
  expectProblem(await redeem(machine, late.code), 'link_code_not_redeemable');
});

test('pull cadence: every 15 minutes unless capabilities documents an approved override', async () => {
  const { client, machine } = await world.backEnd();
  const interval = async () =>
    ((await machine.call('/v1/capabilities')).body as { quotas: { polling_interval_seconds: number } }).quotas.polling_interval_seconds;
  expect(await interval()).toBe(15 * 60);
  await world.fixtures.override(client, 'polling_interval_seconds', 300);
  expect(await interval()).toBe(300);
});

test('overrides: approved overrides appear in GET /capabilities', async () => {
  world.clock.stop();
  const { client, machine } = await world.backEnd();
  await world.fixtures.override(client, 'requests_per_minute', 25);
  expect((await machine.call('/v1/capabilities')).body).toMatchObject({
    quotas: { requests_per_minute: 25 },
    overrides: [{ quota: 'requests_per_minute', value: 25 }],
  });
  for (let turn = 0; turn < 24; turn += 1) expect((await machine.call('/v1/capabilities', { describe: false })).status).toBe(200);
  expect((await machine.call('/v1/capabilities')).status).toBe(429);
});

test('quotas: integration-wide across all certificates', async () => {
  world.clock.stop();
  const { client, machine } = await world.backEnd();
  const second = world.connect(await world.fixtures.certificate(world.authority, client), await world.secondApi());
  for (let turn = 0; turn < 10; turn += 1) for (const caller of [machine, second]) expect((await caller.call('/v1/sync')).status).toBe(200);
  for (const caller of [machine, second]) expectProblem(await caller.call('/v1/sync'), 'rate_limit_exceeded');
});

test('certificates: 90 days', async () => {
  const { client } = await world.backEnd();
  const certificate = await world.fixtures.certificate(world.authority, client, { notBefore: new Date(Date.now() - day) });
  const machine = world.connect(certificate);
  world.clock.advance(89 * day - minute);
  expect((await machine.call('/v1/capabilities')).status).toBe(200);
  world.clock.advance(minute + 1_000);
  expectProblem(await machine.call('/v1/capabilities'), 'client_certificate_expired');
});

test('sandbox corpus: exactly 500 orders and 50 vehicles', async () => {
  const { client, machine } = await world.backEnd();
  const now = world.clock.now();
  const corpus = generateCorpus({ seed: 'limits', now, scopes: allScopes });
  const owner = { clientNumber: client.number, clientId: client.id, generation: 1, scopes: allScopes, now };
  await world.em().transactional((tx) => storeCorpus(tx, owner, corpus));
  const first = (await machine.call('/v1/sync')).body as Page;
  const second = (await machine.call(`/v1/sync?updated_since=${first.next_cursor}`)).body as Page;
  const types = [...first.upserts, ...second.upserts].map(({ type }) => type);
  expect([types.filter((type) => type === 'order').length, types.filter((type) => type === 'vehicle').length]).toEqual([500, 50]);
  expect([...first.tombstones, ...second.tombstones]).toHaveLength(1);
});

test('deletion acknowledgement: within 7 days', async () => {
  world.clock.stop();
  const { client, machine } = await world.backEnd();
  const { orders } = await sharing.share(client, { orders: 2 });
  const [inTime, late] = [await sharing.revokeResource(client, orders[0] ?? ''), await sharing.revokeResource(client, orders[1] ?? '')];
  const acknowledge = (id: string) =>
    machine.call(`/v1/revocations/${id}/ack`, { method: 'POST', body: { deletion_completed: true }, headers: { 'Idempotency-Key': id } });
  world.clock.advance(7 * day - 1);
  expect((await acknowledge(inTime)).status).toBe(200);
  world.clock.advance(1);
  expectProblem(await acknowledge(late), 'acknowledgement_window_closed');
  expect((await acknowledge(inTime)).status).toBe(200);
});
