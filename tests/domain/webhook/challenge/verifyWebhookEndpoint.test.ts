import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { OperatorActor } from '../../../../server/domain/shared/actor.ts';
import { DomainError } from '../../../../server/domain/shared/DomainError.ts';
import { newId } from '../../../../server/domain/shared/ids.ts';
import { failureWordsOf, stepWords } from '../../../../server/domain/webhook/challenge/challengeWords.ts';
import { latestChallenge, shownChallenge, type WebhookChallenge } from '../../../../server/domain/webhook/challenge/latestChallenge.ts';
import { runWebhookChallenge } from '../../../../server/domain/webhook/challenge/runWebhookChallenge.ts';
import { verifyWebhookEndpoint } from '../../../../server/domain/webhook/challenge/verifyWebhookEndpoint.ts';
import { reviseWebhookEndpoint } from '../../../../server/domain/webhook/endpoint/reviseWebhookEndpoint.ts';
import { WebhookEndpoint } from '../../../../server/domain/webhook/endpoint/WebhookEndpoint.ts';
import { webhookLimits } from '../../../../server/domain/outbox/webhookLimits.ts';
import { createOutbound, type Outbound } from '../../../../server/platform/outbound/createOutbound.ts';
import { WebhookReceiver } from '../../../support/clients/webhookReceiver.ts';
import type { TestClient } from '../../../support/world/Fixtures.ts';
import { openWorld } from '../../../support/world/openWorld.ts';
import { webhookEndpoint } from '../../../support/webhooks/endpointRows.ts';
import type { World } from '../../../support/world/World.ts';

let world: World;
let receiver: WebhookReceiver;
let outbound: Outbound;
let client: TestClient;

beforeAll(async () => {
  world = await openWorld();
  receiver = await WebhookReceiver.start();
  outbound = createOutbound({ developmentHosts: receiver.developmentHosts, resolve: () => Promise.resolve(['10.1.2.3', '198.51.100.7']) });
  world.onClose(() => receiver.close());
  world.onClose(() => outbound.destroy());
});
afterAll(() => world.close());
beforeEach(async () => {
  client = await world.fixtures.client();
  receiver.requests.splice(0);
});

const actorOf = ({ operatorId }: TestClient): OperatorActor => ({
  type: 'operator',
  operatorId,
  roles: [],
  ip: '127.0.0.1',
  requestId: 'req_a',
});
type Endpoint = { readonly number: number; readonly id: string; readonly url: string };
const endpoint = (url = receiver.url('own')): Promise<Endpoint> =>
  webhookEndpoint(world, client.number, { url, status: 'registered', at: world.clock.now() });
const verify = (id: string, by: TestClient = client) =>
  verifyWebhookEndpoint(world.em(), { actor: actorOf(by), endpointId: id, now: world.clock.now() });
const read = ({ number }: Pick<Endpoint, 'number'>) => world.em().findOneOrFail(WebhookEndpoint, { number });
const shown = async (of: Pick<Endpoint, 'number' | 'url'>): Promise<WebhookChallenge> =>
  shownChallenge((await latestChallenge(world.em(), of))!, await read(of), world.clock.now())!;
const statusOf = async ({ number }: Endpoint) =>
  (
    await world.rows<{ status: string; proven: boolean }>(
      'select status, proven_at is not null as proven from webhook_endpoint where number = $1',
      [number],
    )
  )[0];
const run = async (of: Endpoint, last = false) =>
  runWebhookChallenge(world.em(), {
    challengeId: (await latestChallenge(world.em(), of))!.id,
    transport: outbound,
    clock: world.clock,
    last,
  });
const wordsOf = ({ failure, steps }: WebhookChallenge) => failure && failureWordsOf(failure, steps);
const refusal = async (work: Promise<unknown>) => {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  return error instanceof DomainError ? error.code : error;
};

test('the challenge is a POST to the registered path with exactly the specified headers and a new random string each time', async () => {
  const own = await endpoint(receiver.url('exact', '/hooks/%7Ea?b=%2F&c'));
  await verify(own.id);
  await run(own);
  await verify(own.id);
  await run(own);
  const requests = receiver.at('exact');
  for (const { method, target, rawHeaders, body } of requests) {
    expect([method, target]).toEqual(['POST', '/hooks/%7Ea?b=%2F&c']);
    const pairs = rawHeaders.flatMap((name, place) => (place % 2 === 0 ? [[name.toLowerCase(), rawHeaders[place + 1]]] : []));
    expect(Object.fromEntries(pairs)).toEqual({
      host: 'exact.hooks.test',
      connection: 'close',
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': 'Svc-Webhook-Verification/1.0',
      'content-length': String(body.length),
    });
    const sent = JSON.parse(body.toString()) as { challenge: string };
    expect(sent).toEqual({ type: 'svc.webhook.verification', challenge: expect.any(String) });
    expect(Buffer.from(sent.challenge, 'base64url')).toHaveLength(32);
  }
  expect(new Set(requests.map(({ body }) => body.toString())).size).toBe(2);
});

test('an endpoint that answers with the string becomes active, and its owner sees every step', async () => {
  const own = await endpoint();
  await verify(own.id);
  expect(await shown(own)).toMatchObject({ status: 'pending', steps: [], failure: null, finishedAt: null });
  await run(own);
  const { status, failure, steps } = await shown(own);
  expect([status, failure]).toEqual(['succeeded', null]);
  expect(steps.map((step) => [step.name, step.outcome, stepWords(step)])).toEqual([
    ['addresses', 'passed', 'The name leads to this machine (DEVELOPMENT_WEBHOOK_HOSTS).'],
    ['connection', 'passed', 'Connected to 127.0.0.1.'],
    ['tls', 'passed', 'The certificate is valid for the name.'],
    ['status', 'passed', 'The status is 200.'],
    ['body', 'passed', 'The body is a JSON object with the string that was sent.'],
  ]);
  expect(await statusOf(own)).toEqual({ status: 'active', proven: true });
  const trail = await world.rows<{ action: string }>('select action from audit_entry where subject_id = $1 order by id', [own.id]);
  expect(trail.map(({ action }) => action)).toEqual(['webhook_endpoint.verification_requested', 'webhook_endpoint.verified']);
});

test('an endpoint that was read before its challenge succeeded is shown with a challenge that is still pending', async () => {
  const own = await endpoint();
  await verify(own.id);
  const before = await read(own);
  world.clock.advance(1);
  await run(own);
  const challenge = (await latestChallenge(world.em(), own))!;
  expect(shownChallenge(challenge, before, world.clock.now())).toMatchObject({
    status: 'pending',
    finishedAt: null,
    steps: challenge.steps,
  });
  expect(shownChallenge(challenge, await read(own), world.clock.now())).toEqual(challenge);
  // Changed back, its URL has to be proven again: what succeeded once is neither waited for nor shown beside that.
  const changedBack = { status: 'registered', provenAt: null, statusChangedAt: new Date(challenge.finishedAt!.getTime() + 1) } as const;
  expect(shownChallenge(challenge, changedBack, world.clock.now())).toBeNull();
});

test('while the server thinks, its owner already sees the steps before', async () => {
  const own = await endpoint(receiver.url('slow'));
  await verify(own.id);
  let answerNow = (_status: number): void => {};
  receiver.answerChallenge = () => new Promise((resolve) => (answerNow = resolve));
  const running = run(own);
  while ((await shown(own)).steps.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
  expect((await shown(own)).status).toBe('pending');
  answerNow(200);
  await running;
  expect(wordsOf(await shown(own))).toBe('The body is not JSON. It is empty.');
  expect(await statusOf(own)).toEqual({ status: 'registered', proven: false });
  resetAnswers();
});

test.each([
  [
    'a redirect',
    302,
    'status',
    'The answer is a redirect (302). Redirects are not followed: register the address that answers without one.',
  ],
  ['another status', 404, 'status', 'The status is 404; any from 200 to 299 is needed.'],
  ['no body', 204, 'body', 'The body is not JSON. It is empty.'],
])('%s leaves the endpoint registered and says why', async (_, status, step, words) => {
  receiver.answerChallenge = () => status;
  const own = await endpoint();
  await verify(own.id);
  await run(own);
  const ended = await shown(own);
  expect([ended.status, ended.steps.at(-1)?.name, wordsOf(ended)]).toEqual(['failed', step, words]);
  expect(stepWords(ended.steps.at(-1)!)).toBe(words);
  expect(await statusOf(own)).toEqual({ status: 'registered', proven: false });
  resetAnswers();
});

test('a name with one address inside is refused before anything is connected', async () => {
  const own = await endpoint('https://inside.example/');
  await verify(own.id);
  await run(own);
  const ended = await shown(own);
  expect(ended.steps).toHaveLength(1);
  expect(JSON.stringify(ended)).not.toMatch(/10\.1\.2\.3|198\.51\.100\.7/);
  expect(wordsOf(ended)).toBe(
    'The name does not lead to a public address. It needs an A or AAAA record, its name servers must answer for both, and every address must be public.',
  );
});

test('an answer of more than 8 KiB, and headers of more than 16 KiB, prove nothing', async () => {
  const own = await endpoint();
  receiver.answerChallenge = () => ({ status: 200, body: 'x'.repeat(8 * 1024 + 1) });
  await verify(own.id);
  await run(own);
  expect(wordsOf(await shown(own))).toBe('The body of the answer exceeds 8 KiB, so we ended the connection.');
  receiver.answerChallenge = () => ({ status: 200, headers: { a: 'x'.repeat(16 * 1024) } });
  await verify(own.id);
  await run(own);
  expect(wordsOf(await shown(own))).toBe('The headers of the answer exceed 16 KiB, so we ended the connection.');
  resetAnswers();
});

test('the right answer proves nothing once the address was changed, the endpoint removed, or two minutes have passed', async () => {
  const changes = {
    url_changed: (number: number) => world.rows("update webhook_endpoint set url = 'https://new.example/' where number = $1", [number]),
    endpoint_removed: (number: number) =>
      world.rows("update webhook_endpoint set status = 'removed', slot = null, removed_at = now() where number = $1", [number]),
    time_over: () => Promise.resolve(world.clock.advance(2 * 60_000)),
  };
  for (const [reason, change] of Object.entries(changes)) {
    const own = await endpoint();
    await verify(own.id);
    const { id: challengeId } = await shown(own);
    const echo = receiver.answerChallenge;
    receiver.answerChallenge = async (...asked) => {
      await change(own.number);
      return echo(...asked);
    };
    await run(own);
    expect(await shown(own)).toMatchObject({ status: 'failed', failure: reason });
    expect(await statusOf(own)).toMatchObject({ proven: false });
    resetAnswers();
    const before = receiver.requests.length;
    await runWebhookChallenge(world.em(), { challengeId, transport: outbound, clock: world.clock, last: false });
    expect(receiver.requests).toHaveLength(before);
    await world.rows("update webhook_endpoint set status = 'removed', slot = null, removed_at = now() where number = $1 and slot = 1", [
      own.number,
    ]);
  }
});

test('the right answer proves nothing once the endpoint was moved, even if its URL is the same again', async () => {
  const sandbox = await world.fixtures.client({ status: 'approved' });
  await world.fixtures.sql`insert into client (id, integration_id, environment, scopes, created_at)
    values (${newId('cli')}, ${sandbox.integrationId}, 'production', '{orders.read}', ${world.clock.now()})`;
  for (const reason of ['url_changed', 'environment_changed']) {
    const url = receiver.url(reason.replace('_', '-'));
    const revisions = reason === 'url_changed' ? [{ url: 'https://b.example/' }, { url }] : [{ environment: 'production' as const }];
    const own = await webhookEndpoint(world, sandbox.number, { url, status: 'registered', at: world.clock.now() });
    await verify(own.id, sandbox);
    receiver.answerChallenge = async (...asked) => {
      for (const revision of revisions)
        await reviseWebhookEndpoint(world.em(), { actor: actorOf(sandbox), endpointId: own.id, ...revision, now: world.clock.now() });
      return echo(...asked);
    };
    await run(own);
    expect(await shown(own)).toMatchObject({ status: 'failed', failure: reason });
    expect(await statusOf(own)).toEqual({ status: 'registered', proven: false });
    resetAnswers();
    world.clock.advance(webhookLimits.webhookChallenge.totalMs);
    await verify(own.id, sandbox);
    await run(own);
    expect(await statusOf(own)).toEqual({ status: 'active', proven: true });
  }
});

test('a challenge whose worker died is taken up again; if no worker comes to it, it has failed after ten minutes', async () => {
  const own = await endpoint();
  await verify(own.id);
  receiver.answerChallenge = () => {
    outbound.destroy();
    return undefined;
  };
  await expect(run(own)).rejects.toThrow('The challenge was interrupted.');
  expect((await shown(own)).status).toBe('pending');
  expect(await refusal(verify(own.id))).toBe('conflict');
  resetAnswers();
  await run(own);
  expect((await shown(own)).status).toBe('succeeded');

  await verify(own.id);
  world.clock.advance(webhookLimits.webhookChallengeWait);
  expect(wordsOf(await shown(own))).toBe('The challenge was not finished in time. Verify again.');
  const before = receiver.requests.length;
  await run(own);
  expect(receiver.requests).toHaveLength(before);
  expect(await statusOf(own)).toEqual({ status: 'active', proven: true });
});

test('a challenge that others keep waiting has its two minutes from when a worker begins it, and no more when that worker dies', async () => {
  const own = await endpoint();
  await verify(own.id);
  world.clock.advance(webhookLimits.webhookChallengeWait - 30_000);
  expect((await shown(own)).status).toBe('pending');
  receiver.answerChallenge = () => {
    outbound.destroy();
    return undefined;
  };
  await expect(run(own)).rejects.toThrow('The challenge was interrupted.');
  resetAnswers();
  world.clock.advance(webhookLimits.webhookChallengeLifetime - 30_000);
  await run(own);
  expect((await shown(own)).status).toBe('succeeded');
});

test('an operator has two challenges under way, whatever their servers do; nobody else waits for them', async () => {
  const mine = [await endpoint(), await endpoint(), await endpoint()] as const;
  await verify(mine[0].id);
  await verify(mine[1].id);
  expect(await refusal(verify(mine[2].id))).toBe('conflict');
  const other = await world.fixtures.client();
  const theirs = await webhookEndpoint(world, other.number, { url: receiver.url('theirs'), status: 'registered', at: world.clock.now() });
  await verify(theirs.id, other);
  // A change of the endpoint ends the challenge, but not the request that is under way.
  receiver.answerChallenge = async (...asked) => {
    await reviseWebhookEndpoint(world.em(), {
      actor: actorOf(client),
      endpointId: mine[0].id,
      url: 'https://b.example/',
      now: world.clock.now(),
    });
    expect(await refusal(verify(mine[2].id))).toBe('conflict');
    return echo(...asked);
  };
  await run(mine[0]);
  resetAnswers();
  world.clock.advance(webhookLimits.webhookChallenge.totalMs);
  await verify(mine[2].id);
});

test('another operator’s endpoint does not exist', async () => {
  const own = await endpoint();
  expect(await refusal(verify(own.id, await world.fixtures.client()))).toBe('not_found');
});

test('an endpoint is verified at most 10 times an hour, an operator’s endpoints 30 times; refused calls do not count', async () => {
  const done = async (of: Endpoint) => {
    await verify(of.id);
    await run(of);
  };
  receiver.answerChallenge = () => 500;
  const [first, second, third] = [await endpoint(), await endpoint(), await endpoint()];
  for (let time = 0; time < 10; time += 1) await done(first);
  expect(await refusal(verify(first.id))).toBe('rate_limit_exceeded');
  await world.rows('delete from attempt_window where source = any($1)', [[first.id, second.id]]);
  for (let time = 0; time < 10; time += 1) await done(second);
  await world.rows('delete from attempt_window where source = $1', [second.id]);
  for (let time = 0; time < 10; time += 1) await done(second);
  expect(await refusal(verify(third.id))).toBe('rate_limit_exceeded');
  world.clock.advance(60 * 60_000);
  await done(third);
  resetAnswers();
});

const echo: WebhookReceiver['answerChallenge'] = ({ body }) => ({
  status: 200,
  body: JSON.stringify({ challenge: (JSON.parse(body.toString()) as { challenge: string }).challenge }),
});
function resetAnswers(): void {
  receiver.answerChallenge = echo;
}
