import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mailKinds } from '../../../server/domain/notification/mailKinds.ts';
import { deliveryReasons } from '../../../server/domain/outbox/deliveryFacts.ts';
import { newId } from '../../../server/domain/shared/ids.ts';
import { errorCatalogue, type ErrorCode } from '../../../server/domain/shared/errorCatalogue.ts';
import { openWorld, type MachineWorld } from '../../support/world/openWorld.ts';
import { expectProblem } from '../../support/clients/problems.ts';
import { Sharing } from '../../support/feed/sharing.ts';

/** docs/specification.md, “Common rules” and “Problem codes”: a test for each kind of error. */
let world: MachineWorld;
let sharing: Sharing;
beforeAll(async () => {
  world = await openWorld({ machine: true });
  sharing = new Sharing(world);
});
afterAll(() => world.close());

const day = 24 * 60 * 60 * 1000;

test('any API error: RFC 9457 body, media type application/problem+json, with a stable code and a diagnostic request_id', async () => {
  const { machine } = await world.backEnd();
  const post = { method: 'POST', body: { code: 'x' } };
  const refusals: [Promise<Awaited<ReturnType<typeof machine.call>>>, ErrorCode][] = [
    [machine.call('/v1/sync?limit=0'), 'invalid_request'],
    [machine.call('/v1/sync?updated_since=x'), 'invalid_cursor'],
    [machine.call('/v1/nothing'), 'not_found'],
    [machine.call('/v1/sync', { method: 'PUT' }), 'method_not_allowed'],
    [machine.call('/v1/link-codes/redeem', post), 'invalid_request'],
    [machine.call('/v1/link-codes/redeem', { ...post, headers: { 'Content-Type': 'text/xml' } }), 'unsupported_media_type'],
    [world.connect().call('/v1/capabilities'), 'client_certificate_required'],
  ];
  const names = new Set<unknown>();
  for (const [refusal, code] of refusals) {
    const answer = await refusal;
    expectProblem(answer, code);
    names.add((answer.body as { request_id: string }).request_id);
  }
  expect(names.size).toBe(refusals.length);
});

test('401 / 403: certificate, integration status, environment or scope problem', async () => {
  const { client } = await world.backEnd();
  const expired = await world.fixtures.certificate(world.authority, client, {
    notBefore: new Date(Date.now() - 91 * day),
    notAfter: new Date(Date.now() - day),
  });
  expectProblem(await world.connect(expired).call('/v1/sync'), 'client_certificate_expired');
  const suspended = await world.backEnd({ environment: 'production', status: 'suspended' });
  expectProblem(await suspended.machine.call('/v1/sync'), 'integration_suspended');
  const production = await world.backEnd({ environment: 'production', status: 'active' });
  expectProblem(await production.machine.call('/v1/sync'), 'production_data_disabled');
  const narrow = await world.backEnd({ scopes: ['revocations.ack'] });
  expectProblem(await narrow.machine.call('/v1/sync'), 'scope_required');
});

test('410: access ended; deletion of the individual copy is required', async () => {
  const { client, machine } = await world.backEnd();
  const { orders } = await sharing.share(client);
  const revocationId = await sharing.revokeResource(client, orders[0] ?? '');
  const answer = await machine.call(`/v1/orders/${orders[0]}`);
  expectProblem(answer, 'access_ended', { revocation_id: revocationId });
  const { deletion_deadline_at: deadline } = answer.body as { deletion_deadline_at: string };
  expect(Math.abs(Date.parse(deadline) - Date.now() - 7 * day)).toBeLessThan(60_000);
});

test('304: conditional read unchanged (If-None-Match matched)', async () => {
  const { client, machine } = await world.backEnd();
  const { orders } = await sharing.share(client);
  await world.fixtures.generation(client);
  for (const path of ['/v1/sync', `/v1/orders/${orders[0]}`, '/v1/statistics/orders']) {
    const { headers } = await machine.call(path);
    const repeated = await machine.call(path, { headers: { 'If-None-Match': headers.etag ?? '' } });
    expect(repeated).toMatchObject({ status: 304, text: '', headers: { etag: headers.etag, 'cache-control': 'private, no-cache' } });
  }
});

test('429: rate or attempt limit exceeded; Retry-After header gives the wait and must be honored', async () => {
  world.clock.stop();
  const { machine } = await world.backEnd();
  for (let turn = 0; turn < 20; turn += 1) await machine.call('/v1/capabilities');
  world.clock.advance(20_000);
  const refused = await machine.call('/v1/capabilities');
  expectProblem(refused, 'rate_limit_exceeded', { retry_after_seconds: 40 });
  expect(refused.headers['retry-after']).toBe('40');
  world.clock.advance(39_999);
  expect((await machine.call('/v1/capabilities')).status).toBe(429);
  world.clock.advance(1);
  expect((await machine.call('/v1/capabilities')).status).toBe(200);
  world.clock.run();
});

test('503: retry only with bounded exponential backoff', async () => {
  const { certificate } = await world.backEnd();
  const api = await world.secondApi({ databaseUrl: 'postgres://nobody@127.0.0.1:1/none' });
  const answer = await world.connect(certificate, api).call('/v1/sync');
  expectProblem(answer, 'temporarily_unavailable', { retry_after_seconds: 5 });
  expect(answer.headers['retry-after']).toBe('5');
});

test('unsafe POST retry: only with the documented idempotency behavior (Idempotency-Key on acknowledgement)', async () => {
  const { client, machine } = await world.backEnd();
  const { orders } = await sharing.share(client);
  const path = `/v1/revocations/${await sharing.revokeResource(client, orders[0] ?? '')}/ack`;
  const body = { deletion_completed: true };
  expectProblem(await machine.call(path, { method: 'POST', body }), 'idempotency_key_required');
  const headers = { 'Idempotency-Key': newId('key') };
  const first = await machine.call(path, { method: 'POST', body, headers });
  expect(first.status).toBe(200);
  expect((await machine.call(path, { method: 'POST', body, headers })).text).toBe(first.text);
  const { code } = await sharing.code(client);
  const redeem = () => machine.call('/v1/link-codes/redeem', { method: 'POST', body: { code }, headers });
  expect((await redeem()).status).toBe(200);
  expectProblem(await redeem(), 'link_code_not_redeemable');
});

test('history_complete=false: incomplete history, not an HTTP error', async () => {
  const { client, machine } = await world.backEnd();
  const [user, key] = [newId('key'), newId('key')];
  const data = { status: 'placed', model: 'Kestrel', market: 'DE' };
  await sharing.upsert('sandbox', [{ type: 'order', key, user, version: '1', historyComplete: false, data }]);
  const share = await sharing.redeem(client, (await sharing.codeFor(client, { user, orders: [key] })).code);
  for (const path of [`/v1/orders/${share?.orders[0]}`, `/v1/orders/${share?.orders[0]}/history`])
    expect(await machine.call(path)).toMatchObject({ status: 200, body: { history_complete: false } });
});

test('every code of the catalogue is expected by a test', () => {
  const tests = globSync('tests/{portal-api,portal-http,rest-api,platform,domain}/**/*.test.ts').map((file) => readFileSync(file, 'utf8'));
  // A mail or the reason of a held delivery may have the name of a code, and then its mention says nothing of the refusal.
  const names = new Set<string>([...mailKinds, ...Object.values(deliveryReasons).flat()]);
  const isExpected = (code: string, text: string) =>
    names.has(code) ? new RegExp(`expectProblem\\([^;]*'${code}'`).test(text) : text.includes(`'${code}'`);
  const untested = Object.keys(errorCatalogue).filter((code) => !tests.some((text) => isExpected(code, text)));
  expect(untested.map((code) => `${code}: a test has to cause this refusal`)).toEqual([]);
});
