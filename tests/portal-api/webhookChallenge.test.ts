import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { codesOf, type PortalClient } from '../support/clients/portalClient.ts';
import { WebhookReceiver } from '../support/clients/webhookReceiver.ts';
import { numberOfClient } from '../support/world/revocationFixtures.ts';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';
import { type TestEndpoint, webhookEndpoint } from '../support/webhooks/endpointRows.ts';

let application: PortalWorld;
let receiver: WebhookReceiver;
let owner: PortalClient;
let endpoint: TestEndpoint;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  application = await openWorld({ portal: { webhookHosts: receiver.developmentHosts } });
  application.onClose(() => receiver.close());
  owner = await application.operator();
  const { slug } = await owner.createIntegration();
  endpoint = await webhookEndpoint(application, await numberOfClient(application, slug), {
    url: receiver.url('own'),
    status: 'registered',
  });
});
afterAll(() => application.close());

type Shown = {
  readonly status: string;
  readonly challenge: {
    readonly status: string;
    readonly failure: string | null;
    readonly steps: readonly { name: string; detail: string }[];
  } | null;
};
const verify = () => owner.call('verifyWebhookEndpoint', { input: { endpointId: endpoint.id } });
const shown = () => owner.must<Shown>('webhookEndpoint', { id: endpoint.id });

test('an owner verifies an endpoint with a fresh passkey, reads why it failed, mends it, and sees it become active', async () => {
  expect(await shown()).toMatchObject({ status: 'registered', challenge: null });
  expect(codesOf(await verify())).toEqual(['FRESH_PASSKEY_REQUIRED']);
  await owner.confirmFreshly();

  const echo = receiver.answerChallenge;
  receiver.answerChallenge = () => ({ status: 200, body: '{"challenge":"wrong"}' });
  expect(await owner.must('verifyWebhookEndpoint', { input: { endpointId: endpoint.id } })).toMatchObject({
    status: 'registered',
    challenge: { status: 'pending', failure: null, steps: [] },
  });
  expect(codesOf(await verify())).toEqual(['CONFLICT']);
  await application.work();
  const failed = await shown();
  expect(failed).toMatchObject({
    status: 'registered',
    challenge: { status: 'failed', failure: 'The member “challenge” is not the string that was sent but “wrong”.' },
  });
  expect(failed.challenge?.steps.map(({ name }) => name)).toEqual(['addresses', 'connection', 'tls', 'status', 'body']);

  receiver.answerChallenge = echo;
  await verify();
  await application.work();
  expect(await shown()).toMatchObject({ status: 'active', challenge: { status: 'succeeded', failure: null } });
  for (const { body } of receiver.requests) {
    const { challenge } = JSON.parse(body.toString()) as { challenge: string };
    expect(application.log()).not.toContain(challenge);
    expect(await application.rows('select 1 from webhook_challenge where steps::text like $1', [`%${challenge}%`])).toEqual([]);
  }
});

test('after ten times in an hour an owner is told when to come back', async () => {
  for (let time = 0; time < 8; time += 1) {
    expect(codesOf(await verify())).toEqual([]);
    await application.work();
  }
  const refused = await verify();
  expect(codesOf(refused)).toEqual(['RATE_LIMITED']);
  expect(refused.errors[0]?.message).toMatch(/^An endpoint can be verified at most 10 times an hour. Try again in \d+ minutes?\.$/);
});
