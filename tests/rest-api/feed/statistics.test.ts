import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { latestGenerationSql } from '../../../server/domain/statistics/latestGeneration.sql.ts';
import { limits } from '../../../server/domain/shared/limits.ts';
import { allScopes } from '../../../server/domain/shared/scopes.ts';
import { openWorld, type MachineWorld } from '../../support/world/openWorld.ts';
import { expectProblem } from '../../support/clients/problems.ts';

const path = '/v1/statistics/orders';
const groups =
  '[{"market":"DE","model":"Model One","status":"delivered","count":148,"median_days_ordered_to_built":96,"median_days_built_to_delivered":41.5},{"market":"NL","model":"Modèle","status":"placed","count":20}]';

let world: MachineWorld;
beforeAll(async () => {
  world = await openWorld({ machine: true });
});
afterAll(() => world.close());
afterEach(() => {
  world.clock.run();
});

test('the latest generation is answered with its stored groups and nothing of what they were computed from', async () => {
  const { client, machine } = await world.backEnd({ scopes: ['statistics.orders.read'] });
  await world.fixtures.generation(client, { publishedAt: new Date('2026-11-19T03:00:00Z') });
  const publishedAt = new Date('2026-11-21T03:00:00.120Z');
  const id = await world.fixtures.generation(client, { groups, publishedAt });
  await world.fixtures.generation(client, { publishedAt: new Date('2026-11-20T03:00:00Z') });
  const answer = await machine.call(path);
  expect(answer).toMatchObject({ status: 200, headers: { etag: `"${id}"`, 'cache-control': 'private, no-cache' } });
  expect(answer.body).toEqual({
    generation_id: id,
    published_at: publishedAt.toISOString(),
    period: { from: '2022-01-01', to: '2026-11-21' },
    minimum_group_size: 20,
    groups: JSON.parse(groups) as unknown,
  });
  expect(answer.text).toContain(groups);
  expect(answer.text).not.toContain('user');
  expect(latestGenerationSql).not.toContain('basis');
});

test('a generation is 304 until another is published', async () => {
  const { client, machine } = await world.backEnd();
  const first = await world.fixtures.generation(client, { groups, publishedAt: new Date('2026-11-20T03:00:00Z') });
  const headers = { 'If-None-Match': `"other", "${first}"` };
  expect(await machine.call(path, { headers })).toMatchObject({ status: 304, text: '', headers: { etag: `"${first}"` } });
  const second = await world.fixtures.generation(client, { groups, publishedAt: new Date('2026-11-21T03:00:00Z') });
  expect(await machine.call(path, { headers })).toMatchObject({ status: 200, body: { generation_id: second } });
});

test('without a generation of its own a client gets 404, whatever others have', async () => {
  const other = await world.backEnd();
  await world.fixtures.generation(other.client, { groups });
  const { machine } = await world.backEnd();
  expectProblem(await machine.call(path, { headers: { 'If-None-Match': '*' } }), 'not_found');
});

test('statistics need statistics.orders.read of the client', async () => {
  const { client, machine } = await world.backEnd({ scopes: allScopes.filter((scope) => scope !== 'statistics.orders.read') });
  const id = await world.fixtures.generation(client, { groups });
  expectProblem(await machine.call(path, { headers: { 'If-None-Match': `"${id}"` } }), 'scope_required', {
    required_scopes: ['statistics.orders.read'],
    missing_in: 'client',
  });
});

test('statistics take no parameters', async () => {
  const { machine } = await world.backEnd();
  expectProblem(await machine.call(`${path}?generation=1`), 'invalid_request', {
    errors: [{ detail: 'This operation takes no query parameters.' }],
  });
});

test('production statistics are closed behind the gate', async () => {
  const { client, machine } = await world.backEnd({ environment: 'production', status: 'active' });
  await world.fixtures.generation(client, { groups });
  expectProblem(await machine.call(path), 'production_data_disabled');
});

test('a response of 2 MiB is answered, and one byte more never leaves', async () => {
  const { client, machine } = await world.backEnd();
  await world.fixtures.generation(client, { publishedAt: new Date('2026-11-20T03:00:00Z') });
  const empty = Buffer.byteLength((await machine.call(path)).text);
  const padded = (bytes: number) => `[${' '.repeat(bytes - empty)}]`;
  await world.fixtures.generation(client, {
    groups: padded(limits.statisticsResponseBytes),
    publishedAt: new Date('2026-11-21T03:00:00Z'),
  });
  const largest = await machine.call(path);
  expect(largest.status).toBe(200);
  expect(Buffer.byteLength(largest.text)).toBe(limits.statisticsResponseBytes);
  await world.fixtures.generation(client, {
    groups: padded(limits.statisticsResponseBytes + 1),
    publishedAt: new Date('2026-11-22T03:00:00Z'),
  });
  expectProblem(await machine.call(path), 'internal_error');
});

test('statistics have 120 requests an hour of their own, named in the headers, and take from the minute too', async () => {
  world.clock.stop();
  const { client, machine } = await world.backEnd();
  await world.fixtures.generation(client, { groups });
  const first = await machine.call(path);
  expect(first.headers['ratelimit-policy']).toBe('"minute";q=20;w=60, "statistics";q=120;w=3600');
  expect(first.headers.ratelimit).toBe('"minute";r=19;t=60, "statistics";r=119;t=3600');
  expect((await machine.call('/v1/capabilities')).headers.ratelimit).toBe('"minute";r=18;t=60, "hour";r=599;t=3600');
  await world.fixtures.sql`update client_quota set statistics_count = 119 where client_number = ${client.number}`;
  expect((await machine.call(path, { headers: { 'If-None-Match': first.headers.etag ?? '' } })).status).toBe(304);
  const refused = await machine.call(path);
  expectProblem(refused, 'rate_limit_exceeded', { violated_policies: ['statistics'], retry_after_seconds: 3600 });
  expect(refused.headers.ratelimit).toBe('"minute";r=17;t=60, "statistics";r=0;t=3600');
  expect((await machine.call('/v1/capabilities')).headers.ratelimit).toBe('"minute";r=16;t=60, "hour";r=598;t=3600');
  world.clock.advance(3_600_000);
  expect((await machine.call(path)).headers.ratelimit).toBe('"minute";r=19;t=60, "statistics";r=119;t=3600');
});
