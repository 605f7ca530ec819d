import { generateKeyPairSync } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { OperatorActor } from '../../../../server/domain/shared/actor.ts';
import { webhookLimits } from '../../../../server/domain/outbox/webhookLimits.ts';
import { checkReceiver } from '../../../../server/domain/webhook/receiver-check/checkReceiver.ts';
import { judgeProbe } from '../../../../server/domain/webhook/receiver-check/judgeProbe.ts';
import { probeKinds, probes, type ProbeKind } from '../../../../server/domain/webhook/receiver-check/probes.ts';
import { receiverCheckOf } from '../../../../server/domain/webhook/receiver-check/receiverChecks.ts';
import { runReceiverCheck } from '../../../../server/domain/webhook/receiver-check/runReceiverCheck.ts';
import { createOutbound, type Outbound } from '../../../../server/platform/outbound/createOutbound.ts';
import { WebhookReceiver } from '../../../support/clients/webhookReceiver.ts';
import type { TestEndpoint } from '../../../support/webhooks/endpointRows.ts';
import { ownEndpoint } from '../../../support/webhooks/ownEndpoint.ts';
import { simpleReceiver, type Fault } from '../../../support/webhooks/simpleReceiver.ts';
import type { TestClient } from '../../../support/world/Fixtures.ts';
import { pools, taskList, tasksOf } from '../../../../workers/taskList.ts';
import { openWorld } from '../../../support/world/openWorld.ts';
import type { World } from '../../../support/world/World.ts';

const source = 'https://api.example';
const kid = 'p'.repeat(43);
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const keys = [{ ...publicKey.export({ format: 'jwk' }), kid }];

let world: World;
let receiver: WebhookReceiver;
let outbound: Outbound;
beforeAll(async () => {
  world = await openWorld({ poolMax: 2 });
  receiver = await WebhookReceiver.start();
  outbound = createOutbound({ developmentHosts: receiver.developmentHosts });
  world.onClose(() => receiver.close());
  world.onClose(() => outbound.destroy());
});
afterAll(() => world.close());

// Probes are wrong on purpose.
afterEach(() => void receiver.undescribed.splice(0));

let client: TestClient;
let endpoint: TestEndpoint;
let actor: OperatorActor;
beforeEach(async () => {
  ({ client, endpoint, actor } = await ownEndpoint(world, { url: receiver.url('checked', '/in?x=%7e') }));
  receiver.requests.splice(0);
});

const ask = (now = world.clock.now(), endpointId = endpoint.id) => checkReceiver(world.em(), { actor, endpointId, now });
const run = (receiverCheckId: string) =>
  runReceiverCheck(world.em(), {
    receiverCheckId,
    transport: outbound,
    signingKey: () => Promise.resolve({ kid, privateKey }),
    source,
    clock: world.clock,
  });
const found = async () => (await receiverCheckOf(world.em(), endpoint, world.clock.now()))!;
async function checked(fault?: Fault) {
  receiver.answer = simpleReceiver({ url: endpoint.url, source, keys, fault });
  await run((await ask()).id);
  return found();
}
/** The kinds of probes that did not pass, apart from the one that this receiver takes and that only informs. */
const faults = ({ probes: results }: Awaited<ReturnType<typeof found>>, verdict = 'failed') =>
  results.flatMap((probe) => (probe.verdict === verdict && probe.kind !== 'day_old' ? [probe.kind] : []));

test('a receiver that follows the specification passes, and learns what was sent, what was expected and what it answered', async () => {
  const check = await checked();
  expect(check).toMatchObject({ state: 'finished', failure: null, passed: true });
  expect(check.probes.map(({ kind }) => kind)).toEqual(probeKinds);
  expect(check.probes[0]).toMatchObject({
    title: probes.good.title,
    expectation: probes.good.expectation,
    status: 204,
    verdict: 'passed',
    mend: null,
  });
  expect(check.probes[1]).toMatchObject({ kind: 'repeated', status: 200, verdict: 'passed' });
  expect(check.probes.at(-1)).toMatchObject({ kind: 'day_old', status: 204, verdict: 'advice', mend: probes.day_old.mend });
  // One request for each probe: the first two the same to the byte, the third with another signature.
  const [good, again, resigned] = receiver.requests;
  expect(receiver.requests).toHaveLength(probeKinds.length);
  expect([again?.body, again?.headers]).toEqual([good?.body, good?.headers]);
  expect(resigned?.body).toEqual(good?.body);
  expect(resigned?.headers['signature']).not.toBe(good?.headers['signature']);
  expect(environments()).toEqual(new Set(['sandbox', 'none', 'production']));
  // Nothing of it is an event.
  expect(await world.rows('select 1 from webhook_event where client_number = $1', [client.number])).toEqual([]);
  expect(await world.rows('select action from audit_entry where subject_id = $1', [endpoint.id])).toEqual([
    { action: 'webhook_endpoint.receiver_check_requested' },
  ]);
});

const environments = () =>
  new Set(receiver.requests.map(({ body }) => (JSON.parse(body.toString()) as { environment: string }).environment));

test('no URL that anybody has for production, or had, gets a signed event of production, and its receiver can pass all the same', async () => {
  endpoint = await world.fixtures.webhookEndpoint(client, { url: receiver.url('shared') });
  const stranger = await world.fixtures.client({ environment: 'production', status: 'active' });
  const live = await world.fixtures.webhookEndpoint(stranger, { url: endpoint.url });
  for (const change of ['url = url', `status = 'removed', slot = null, removed_at = now()`]) {
    await world.rows(`update webhook_endpoint set ${change} where number = $1`, [live.number]);
    const check = await checked();
    expect(check.passed).toBe(true);
    expect(check.probes.find(({ kind }) => kind === 'production')).toMatchObject({ verdict: 'not_sent', status: null });
  }
  expect(environments()).toEqual(new Set(['sandbox', 'none']));
});

test('a receiver that refuses the sandbox gets no signed event of production', async () => {
  receiver.answer = ({ body }) => (body.includes('"sandbox"') ? 400 : 204);
  await run((await ask()).id);
  expect(environments()).toEqual(new Set(['sandbox', 'none']));
  expect((await found()).passed).toBe(false);
});

test('a receiver without a limit is given advice, but follows the rules', async () => {
  const check = await checked('has no limit');
  expect(faults(check, 'advice')).toEqual(['large_body']);
  expect(check.passed).toBe(true);
  expect(Math.max(...receiver.requests.map(({ body }) => body.length))).toBe(64 * 1024 + 1);
});

test('a receiver that closes the connection at the large body is given advice', async () => {
  const answer = simpleReceiver({ url: endpoint.url, source, keys });
  receiver.answer = (request, response) => (request.body.length > 64 * 1024 ? void response.destroy() : answer(request));
  await run((await ask()).id);
  const check = await found();
  expect(check.probes.find(({ kind }) => kind === 'large_body')).toMatchObject({ verdict: 'advice', error: 'connection_reset' });
  expect(check.passed).toBe(true);
});

const broken: readonly (readonly [Fault, readonly ProbeKind[]])[] = [
  ['refuses everything', ['good', 'repeated', 'resigned_replay', 'second_signature']],
  ['refuses what it knows', ['repeated', 'resigned_replay']],
  ['knows events by their signatures', ['resigned_replay']],
  ['expects one signature alone', ['second_signature']],
  ['verifies no signature', ['body_altered']],
  ['computes no digest', ['digest_of_another_body']],
  ['verifies whatever is covered', ['component_missing']],
  ['lets unknown keys pass', ['unknown_key']],
  ['takes any label', ['other_label']],
  ['compares no event ID', ['other_event_id']],
  ['compares no time', ['other_time']],
  ['compares no environment', ['wrong_environment', 'production']],
  ['takes production, too', ['production']],
  ['compares no source', ['wrong_source']],
];
test.each(broken)('a receiver that %s is found out, by exactly the probes for it, and told what to mend', async (fault, kinds) => {
  const check = await checked(fault);
  expect(check.passed).toBe(false);
  expect(faults(check)).toEqual(kinds);
  for (const { kind, verdict, mend } of check.probes) if (verdict === 'failed') expect(mend).toBe(probes[kind].mend);
});

test('a receiver that answers bad signatures with a status that asks for repetitions is told so', async () => {
  const check = await checked('asks for repetitions');
  expect(faults(check)).toEqual([]);
  // All but the unknown key, which may be known a moment later.
  const refused = probeKinds.filter((kind) => probes[kind].expected !== 'accepted');
  expect(faults(check, 'advice')).toEqual(refused.filter((kind) => kind !== 'unknown_key' && kind !== 'day_old'));
  expect(check.passed).toBe(false);
});

test('a receiver that cannot be reached gets one probe, and the result says so', async () => {
  receiver.answer = (_request, response) => void response.destroy();
  await run((await ask()).id);
  const { probes: results, passed } = await found();
  expect(results[0]).toMatchObject({ verdict: 'failed', status: null, error: 'connection_reset' });
  expect(results.slice(1).every(({ verdict }) => verdict === 'not_sent')).toBe(true);
  expect(passed).toBe(false);
  expect(receiver.requests.length).toBeLessThanOrEqual(1);
});

test('a receiver that stops answering gets no further probe after two without an answer', async () => {
  const answer = simpleReceiver({ url: endpoint.url, source, keys });
  receiver.answer = (request, response) => (receiver.requests.length > 3 ? void response.destroy() : answer(request));
  await run((await ask()).id);
  const verdicts = (await found()).probes.map(({ verdict }) => verdict);
  expect(verdicts).toEqual(['passed', 'passed', 'passed', 'failed', 'failed', ...probeKinds.slice(5).map(() => 'not_sent')]);
});

test.each([`status = 'paused', paused_by = 'administrator', pause_reason = 'x'`, `url = url || 'y'`])(
  'a check ends when the endpoint becomes another between two probes: %s',
  async (change) => {
    const answer = simpleReceiver({ url: endpoint.url, source, keys });
    receiver.answer = async (request) => {
      if (receiver.requests.length === 2) await world.rows(`update webhook_endpoint set ${change} where number = $1`, [endpoint.number]);
      return answer(request);
    };
    await run((await ask()).id);
    expect(await found()).toMatchObject({ state: 'failed', failure: expect.stringContaining('paused, changed or removed') });
    expect(receiver.requests).toHaveLength(2);
  },
);

test('an operator has one check under way, also if two begin at the same moment, and thirty in an hour', async () => {
  const other = await world.fixtures.webhookEndpoint(client, { url: receiver.url('checked-too') });
  const begun = await Promise.allSettled([ask(), ask(world.clock.now(), other.id)]);
  expect(begun.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(begun.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'conflict' } });
  await world.rows('update webhook_receiver_check set finished_at = requested_at');
  await world.rows(`update attempt_window set count = $2 where kind = 'receiver_check_operator' and source = $1`, [
    client.operatorId,
    webhookLimits.receiverChecksPerOperatorPerHour,
  ]);
  await expect(ask()).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
});

test('checks have places of their own in the workers, so that a challenge waits for none of them', () => {
  const tasks = Object.fromEntries(Object.keys(taskList).map((name) => [name, () => undefined]));
  const slow = pools.find((pool) => 'checkReceiver' in tasksOf(pool, tasks));
  expect(Object.keys(tasksOf(slow!, tasks))).toEqual(['checkReceiver']);
});

test('a check for which no worker had the time is not begun afterwards', async () => {
  const { id } = await ask(new Date(world.clock.now().getTime() - webhookLimits.receiverCheckTimes.wait));
  await run(id);
  expect(receiver.requests).toEqual([]);
});

test('a check that has waited behind others has all of its time from when a worker begins it', async () => {
  const { id } = await ask(new Date(world.clock.now().getTime() - webhookLimits.receiverCheckTimes.wait + 60_000));
  receiver.answer = simpleReceiver({ url: endpoint.url, source, keys });
  const begun = world.clock.now();
  await run(id);
  expect(await found()).toMatchObject({ id, state: 'finished', failure: null });
  await world.rows('update webhook_receiver_check set finished_at = null');
  const at = (milliseconds: number) => receiverCheckOf(world.em(), endpoint, new Date(begun.getTime() + milliseconds));
  expect(await at(webhookLimits.receiverCheckTimes.time - 1_000)).toMatchObject({ state: 'running' });
  expect(await at(webhookLimits.receiverCheckTimes.time + 10_000)).toMatchObject({ state: 'failed' });
  await world.rows('update webhook_receiver_check set finished_at = requested_at');
});

test('while a check is under way there is no second one; its results stay until the next has some, and are those of the present URL', async () => {
  const before = await checked();
  const { id } = await ask();
  await expect(ask()).rejects.toMatchObject({ code: 'conflict' });
  expect(await found()).toMatchObject({ id, state: 'running', probedAt: before.probedAt, passed: true });
  // No worker came to it.
  const later = new Date(world.clock.now().getTime() + webhookLimits.receiverCheckTimes.wait);
  expect(await receiverCheckOf(world.em(), endpoint, later)).toMatchObject({
    state: 'failed',
    failure: expect.stringContaining('Start it again'),
  });
  expect((await ask(later)).state).toBe('running');
  await world.rows(`update webhook_endpoint set url = url || 'y', status = 'registered', proven_at = null where number = $1`, [
    endpoint.number,
  ]);
  expect(await found()).toMatchObject({ probes: [], passed: false, probedAt: null });
});

test('a check of an endpoint that was paused meanwhile sends nothing', async () => {
  const { id } = await ask();
  await world.rows(`update webhook_endpoint set status = 'paused', paused_by = 'owner' where number = $1`, [endpoint.number]);
  await run(id);
  expect(await found()).toMatchObject({ state: 'failed', failure: expect.stringContaining('paused') });
  expect(receiver.requests).toEqual([]);
  await expect(ask()).rejects.toMatchObject({ code: 'conflict' });
});

test('only sandbox endpoints are checked, the owner’s own, ten times an hour', async () => {
  const production = await world.fixtures.client({ environment: 'production', status: 'active' });
  const live = await world.fixtures.webhookEndpoint(production);
  await world.rows('update integration set operator_id = $2 where id = $1', [production.integrationId, client.operatorId]);
  await expect(ask(world.clock.now(), live.id)).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('sandbox') });
  const stranger = await world.fixtures.client();
  const foreign = await world.fixtures.webhookEndpoint(stranger);
  await expect(ask(world.clock.now(), foreign.id)).rejects.toMatchObject({ code: 'not_found' });
  for (let n = 0; n < webhookLimits.receiverChecksPerEndpointPerHour; n += 1) {
    await ask();
    await world.rows('update webhook_receiver_check set finished_at = requested_at');
  }
  await expect(ask()).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
});

test('a redirect, a time-out and a refusal are each judged by the rules for receivers', () => {
  expect(judgeProbe('good', { status: 302, error: null }).verdict).toBe('failed');
  expect(judgeProbe('wrong_source', { status: 302, error: null }).verdict).toBe('failed');
  expect(judgeProbe('wrong_source', { status: null, error: 'timeout' }).verdict).toBe('failed');
  expect(judgeProbe('wrong_source', { status: 401, error: null })).toEqual({ verdict: 'passed', mend: null });
  expect(judgeProbe('wrong_source', { status: 429, error: null }).verdict).toBe('advice');
  expect(judgeProbe('unknown_key', { status: 503, error: null }).verdict).toBe('passed');
  expect(judgeProbe('unknown_key', { status: 429, error: null }).verdict).toBe('advice');
  expect(judgeProbe('day_old', { status: 400, error: null })).toEqual({ verdict: 'passed', mend: null });
  expect(judgeProbe('day_old', { status: 503, error: null }).verdict).toBe('advice');
  expect(judgeProbe('large_body', { status: 413, error: null })).toEqual({ verdict: 'passed', mend: null });
  expect(judgeProbe('large_body', { status: null, error: 'connection_reset' }).verdict).toBe('advice');
  expect(judgeProbe('large_body', { status: null, error: 'timeout' }).verdict).toBe('failed');
});
