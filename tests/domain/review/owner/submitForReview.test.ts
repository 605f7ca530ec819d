import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { reviewLimits } from '../../../../server/domain/review/reviewLimits.ts';
import { askQuestion } from '../../../../server/domain/review/reviewer/askQuestion.ts';
import { openWorld, type PortalWorld } from '../../../support/world/openWorld.ts';
import type { PortalClient } from '../../../support/clients/portalClient.ts';
import { actorOf, approve, approvedIntegration, reject, reviewer, submit } from '../../../support/world/reviewPath.ts';
import { messages } from '../../../support/world/submissionFixtures.ts';

let application: PortalWorld;
let owner: PortalClient;
beforeAll(async () => {
  application = await openWorld({ portal: true });
  owner = await application.operator();
});
afterAll(() => application.close());

test('an approved integration has the reviewed version and a production client with exactly the reviewed scopes', async () => {
  const { id, slug } = await approvedIntegration(application, owner, { requestedScopes: ['orders.read', 'revocations.ack'] });
  const [row] = await application.rows(
    'select status, reviewed_profile_version as version, production_gate_open as open from integration where id = $1',
    [id],
  );
  expect(row).toEqual({ status: 'approved', version: 1, open: false });
  const clients = (await owner.must<{ clients: unknown[] }>('integration', { slug })).clients;
  expect(clients).toMatchObject([{ environment: 'sandbox' }, { environment: 'production', scopes: ['orders.read', 'revocations.ack'] }]);
});

test('rejected and submitted again: the submissions are counted and the profile version is what was submitted', async () => {
  const integration = await owner.createIntegration();
  const staff = await reviewer(application);
  const first = await submit(application, owner, integration);
  await reject(application, staff, first);
  const second = await submit(application, owner, integration);
  expect([first.number, second.number, second.profileVersion]).toEqual([1, 2, 1]);
  await approve(application, staff, second);
});

test('a thread has an end: with 100 messages it takes no more, and the submission is decided', async () => {
  const staff = await reviewer(application);
  const submission = await submit(application, owner, await owner.createIntegration());
  await messages(application, submission, reviewLimits.reviewMessagesPerSubmission);
  const question = { actor: await actorOf(staff), submissionId: submission.id, body: 'And?', now: application.clock.now() };
  await expect(askQuestion(application.orm.em.fork(), question)).rejects.toMatchObject({ code: 'conflict' });
  await approve(application, staff, submission);
});
