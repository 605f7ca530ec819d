import { Writable } from 'node:stream';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { giveBackRedemption } from '../../../server/domain/client/admission/admit.ts';
import { cancelLinkCode } from '../../../server/domain/sharing/link-code/cancelLinkCode.ts';
import type { Query } from '../../../server/domain/shared/query.ts';
import { createLogger } from '../../../server/platform/logger.ts';
import { registry } from '../../../server/platform/metrics.ts';
import type { MachineClient } from '../../support/clients/machineClient.ts';
import { openWorld, type MachineWorld } from '../../support/world/openWorld.ts';
import { expectProblem } from '../../support/clients/problems.ts';
import { Sharing } from '../../support/feed/sharing.ts';

const path = '/v1/link-codes/redeem';
const minute = 60_000;
const logged: string[] = [];
const destination = new Writable({
  write(chunk: Buffer, _encoding, done) {
    logged.push(chunk.toString());
    done();
  },
});

let world: MachineWorld;
let sharing: Sharing;
beforeAll(async () => {
  world = await openWorld({ machine: { logger: createLogger('machine-api', 'trace', destination) } });
  sharing = new Sharing(world);
});
afterAll(() => world.close());
afterEach(() => {
  world.clock.run();
});

/** A client that may redeem more often than its own baseline and that of this address allow. */
async function busyOperator(options: Parameters<MachineWorld['backEnd']>[0] = {}) {
  const operator = await world.backEnd(options);
  for (const quota of ['requests_per_minute', 'link_code_redemptions_per_hour', 'link_code_redemptions_per_ip_per_15_minutes'])
    await world.fixtures.override(operator.client, quota, 10_000);
  return operator;
}

const redeem = (machine: MachineClient, code: unknown) => machine.call(path, { method: 'POST', body: { code } });

test('a user’s code is exchanged for a connection and the ids of exactly what was shared, and then sync brings it', async () => {
  const { client, machine } = await busyOperator();
  const { code } = await sharing.code(client, { orders: 2, vehicles: 1 });
  const answer = await redeem(machine, code);
  expect(answer).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
  const body = answer.body as { connection_id: string; resources: { id: string; type: string }[] };
  expect(Object.keys(body)).toEqual(['connection_id', 'resources']);
  expect(body.resources.map(({ type }) => type).sort()).toEqual(['order', 'order', 'vehicle']);
  const { upserts } = (await machine.call('/v1/sync')).body as { upserts: { id: string; connection_id: string }[] };
  expect(upserts.map(({ id }) => id).sort()).toEqual(body.resources.map(({ id }) => id).sort());
  expect(new Set(upserts.map((upsert) => upsert.connection_id))).toEqual(new Set([body.connection_id]));
  for (const { id, type } of body.resources) expect((await machine.call(`/v1/${type}s/${id}`)).status).toBe(200);
});

test('leading zeroes belong to a code, so only ten digits in a string are one', async () => {
  const { machine } = await busyOperator();
  const malformed = [
    123456789,
    1234567890,
    '123456789',
    '12345678901',
    '01234 6789',
    '0123456789\n',
    '٠١٢٣٤٥٦٧٨٩',
    '',
    null,
    true,
    ['0123456789'],
  ];
  for (const code of malformed) {
    expectProblem(await redeem(machine, code), 'invalid_request', { errors: [{ pointer: '/code', detail: expect.any(String) }] });
  }
  expectProblem(await machine.call(path, { method: 'POST', body: {} }), 'invalid_request', {
    errors: [{ pointer: '/code', detail: expect.any(String) }],
  });
  expectProblem(await machine.call(`${path}?code=0123456789`, { method: 'POST', body: { code: '0123456789' } }), 'invalid_request', {
    errors: [{ detail: 'This operation takes no query parameters.' }],
  });
});

test('unknown, used, expired, cancelled, foreign and blocked codes, and those of the other environment, answer the same bytes', async () => {
  const { client, machine } = await busyOperator();
  const stranger = await busyOperator();
  const production = await busyOperator({ environment: 'production', status: 'active' });
  await sharing.openGates(production.client);
  const expired = await sharing.code(client);
  world.clock.advance(10 * minute);
  const used = await sharing.code(client);
  expect((await redeem(machine, used.code)).status).toBe(200);
  const cancelled = await sharing.code(client);
  await cancelLinkCode(world.em(), { actor: sharing.actor('sandbox'), linkCodeId: cancelled.id, now: world.clock.now() });
  const foreign = await sharing.code(stranger.client);
  const elsewhere = await sharing.code(production.client);
  const blocked = await sharing.code(client);
  const codes = { used, expired, cancelled, foreign, elsewhere, unknown: { code: '0000000000' } };
  const answers = new Map<string, string>();
  const note = async (reason: string, machineOf: MachineClient, code: string) => {
    const answer = await redeem(machineOf, code);
    expectProblem(answer, 'link_code_not_redeemable');
    answers.set(reason, answer.text.replace(/req_[0-9a-z]{26}/, 'req'));
  };
  for (let attempt = 0; attempt < 5; attempt += 1) await note('foreign to another', stranger.machine, blocked.code);
  await note('blocked for its own client', machine, blocked.code);
  for (const [reason, { code }] of Object.entries(codes)) await note(reason, machine, code);
  expect(new Set(answers.values()).size).toBe(1);
  expect(answers.size).toBe(8);
  world.clock.advance(-10 * minute);
});

test('every refusal of a code is answered 100 ms after the request, whatever the reason', async () => {
  const { client, machine } = await busyOperator();
  const { code } = await sharing.code(client);
  await redeem(machine, code);
  for (const refused of [code, '0000000000', '9999999999', code]) {
    const started = performance.now();
    expectProblem(await redeem(machine, refused), 'link_code_not_redeemable');
    const took = performance.now() - started;
    expect(took).toBeGreaterThanOrEqual(100);
  }
});

test('a malformed redemption gives its place in the limit of its source address back, and stays counted for its client', async () => {
  world.clock.stop();
  await world.fixtures.sql`delete from redeem_source`;
  const { machine } = await world.backEnd();
  const malformed = [
    [{ body: { code: 'x' } }, 'invalid_request'],
    [{ body: {} }, 'invalid_request'],
    [{ body: { code: '0123456789', other: 1 } }, 'invalid_request'],
    [{ body: { code: 'x'.repeat(20_000) } }, 'content_too_large'],
    [
      { body: 'code=0123456789', headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, describe: false },
      'unsupported_media_type',
    ],
  ] as const;
  for (const [index, [request, code]] of [...malformed, ...malformed, ...malformed].entries()) {
    const answer = await machine.call('/v1/link-codes/redeem', { method: 'POST', ...request });
    expectProblem(answer, code);
    expect(answer.headers.ratelimit).toBe(`"minute";r=${19 - index};t=60, "redeem";r=${59 - index};t=3600, "redeem-source";r=10;t=900`);
  }
  const guessed = await machine.call('/v1/link-codes/redeem', { method: 'POST', body: { code: '0123456789' } });
  expectProblem(guessed, 'link_code_not_redeemable');
  expect(guessed.headers.ratelimit).toContain('"redeem-source";r=9;t=900');
  world.clock.run();
});

test('a malformed redemption gives nothing back to a window that has begun since', async () => {
  const source = '192.0.2.77';
  const now = world.clock.now();
  const query: Query = (text, values) => world.rows(text, values);
  const windowOf = { limit: 10, left: 3, reset: 900 };
  const quota = { minute: windowOf, costClass: windowOf, source: windowOf };
  const counted = async () => (await world.fixtures.sql`select count from redeem_source where source = ${source}`)[0]?.['count'] as number;
  await world.fixtures.sql`insert into redeem_source (source, window_start, count) values (${source}, ${new Date(now.getTime() + 1)}, 5)`;
  await giveBackRedemption(query, { source, now, quota });
  expect(await counted()).toBe(5);
  await giveBackRedemption(query, { source, now: new Date(now.getTime() + 1), quota });
  expect(await counted()).toBe(4);
});

test('redemptions have limits of their own, by client and by source address, and take from the minute too', async () => {
  world.clock.stop();
  const { client, machine } = await world.backEnd();
  const other = await world.backEnd();
  await world.fixtures.sql`delete from redeem_source`;
  const first = await redeem(machine, '0000000000');
  expect(first.headers['ratelimit-policy']).toBe('"minute";q=20;w=60, "redeem";q=60;w=3600, "redeem-source";q=10;w=900');
  expect(first.headers.ratelimit).toBe('"minute";r=19;t=60, "redeem";r=59;t=3600, "redeem-source";r=9;t=900');
  for (let turn = 0; turn < 4; turn += 1) expectProblem(await redeem(machine, '0000000000'), 'link_code_not_redeemable');
  for (let turn = 0; turn < 5; turn += 1) expectProblem(await redeem(other.machine, '0000000000'), 'link_code_not_redeemable');
  for (const caller of [machine, other.machine]) {
    const refused = await redeem(caller, '0000000000');
    expectProblem(refused, 'link_code_attempts_exceeded', { violated_policies: ['redeem-source'], retry_after_seconds: 900 });
    expect(refused.headers['retry-after']).toBe('900');
    expect(refused.headers.ratelimit).toBe('"minute";r=15;t=60, "redeem";r=55;t=3600, "redeem-source";r=0;t=900');
  }
  const elsewhere = world.connect(await world.fixtures.certificate(world.authority, client), world.api, { localAddress: '127.0.0.9' });
  expectProblem(await redeem(elsewhere, '0000000000'), 'link_code_not_redeemable');
  expect((await machine.call('/v1/capabilities')).headers.ratelimit).toBe('"minute";r=13;t=60, "hour";r=599;t=3600');
  world.clock.advance(15 * minute);
  expectProblem(await redeem(machine, '0000000000'), 'link_code_not_redeemable');
  world.clock.advance(-15 * minute);
});

test('the 61st redemption within an hour is 429 and takes nothing', async () => {
  world.clock.stop();
  const { client, machine } = await world.backEnd();
  await world.fixtures.sql`delete from redeem_source`;
  await world.fixtures
    .sql`update client_quota set redeem_start = ${world.clock.now()}, redeem_count = 59 where client_number = ${client.number}`;
  const { code } = await sharing.code(client);
  expectProblem(await redeem(machine, '0000000000'), 'link_code_not_redeemable');
  const refused = await redeem(machine, code);
  expectProblem(refused, 'link_code_attempts_exceeded', { violated_policies: ['redeem'], retry_after_seconds: 3600 });
  expect(refused.headers.ratelimit).toBe('"minute";r=19;t=60, "redeem";r=0;t=3600, "redeem-source";r=9;t=900');
  expect(await sharing.redeem(client, code)).not.toBeNull();
});

test('redeeming needs orders.read or vehicles.read, before the body is looked at', async () => {
  const { machine } = await busyOperator({ scopes: ['statistics.orders.read', 'revocations.ack'] });
  expectProblem(await redeem(machine, 'nonsense'), 'scope_required', {
    required_scopes: ['orders.read', 'vehicles.read'],
    missing_in: 'client',
  });
  const reader = await busyOperator({ scopes: ['vehicles.read'] });
  expectProblem(await redeem(reader.machine, '0000000000'), 'link_code_not_redeemable');
});

test('production codes are closed behind the gate, before the body is looked at', async () => {
  const { client, machine } = await busyOperator({ environment: 'production', status: 'active' });
  await world.fixtures.sql`update integration set production_gate_open = false where id = ${client.integrationId}`;
  expectProblem(await redeem(machine, 'nonsense'), 'production_data_disabled');
});

test('a code appears in no log, no metric and no answer', async () => {
  const { client, machine } = await busyOperator();
  const { code } = await sharing.code(client);
  const bodies = [{ code: Number(code) }, { [code]: code }, code, `{"code":"${code}"`, { code: `${code} ` }, { code }, { code }];
  const answers: string[] = [];
  for (const body of bodies) answers.push((await machine.call(path, { method: 'POST', body })).text);
  answers.push((await machine.call(path, { method: 'POST', body: { code }, headers: { 'Content-Type': 'text/plain' } })).text);
  expect(logged.length).toBeGreaterThan(0);
  for (const text of [...answers, ...logged, await registry.metrics()]) expect(text).not.toContain(code);
  expect(logged.join('')).toContain('"route":"redeemLinkCode"');
});
