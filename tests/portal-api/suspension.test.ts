import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { integrationStatuses, integrationTransitions } from '../../server/domain/integration/integrationStatus.ts';
import { Fixtures, type TestClient } from '../support/fixtures.ts';
import { startPortalApplication, type PortalApplication } from '../support/portalApplication.ts';
import { codesOf, fieldsOf, type PortalClient } from '../support/portalClient.ts';
import { administrator } from '../support/toolingClient.ts';

let application: PortalApplication;
let fixtures: Fixtures;
let admin: PortalClient;
beforeAll(async () => {
  application = await startPortalApplication();
  fixtures = new Fixtures(application.databaseUrl);
  admin = await administrator(application);
  await admin.confirmFreshly();
});
afterAll(async () => {
  await fixtures.end();
  await application.stop();
});

const decision = ({ integrationId }: TestClient, reason = 'Two complaints of users') => ({ input: { integrationId, reason } });
const statusOf = async ({ integrationId }: TestClient) =>
  (await application.rows<{ status: string }>('select status from integration where id = $1', [integrationId]))[0]?.status;
const eventsOf = ({ no }: TestClient) => application.rows<{ type: string }>('select type from webhook_event where client_no = $1', [no]);

const attempts = Object.entries(integrationTransitions).flatMap(([action, { from, to }]) =>
  integrationStatuses.map((status) => ({ action, status, leadsTo: from.some((known) => known === status) ? to : null })),
);

test.each(attempts)('$action on a $status integration leads to $leadsTo', async ({ action, status, leadsTo }) => {
  const client = await fixtures.client({ environment: 'production', status });
  const answer = await admin.call(action as 'suspendIntegration', decision(client));
  expect(codesOf(answer)).toEqual(leadsTo === null ? ['CONFLICT'] : []);
  expect(await statusOf(client)).toBe(leadsTo ?? status);
});

test('a suspension has its event and stands in the owner’s audit trail with its reason', async () => {
  const client = await fixtures.client({ environment: 'production', status: 'active' });
  expect(await admin.must('suspendIntegration', decision(client))).toMatchObject({ id: client.integrationId, status: 'suspended' });
  expect(await eventsOf(client)).toEqual([{ type: 'integration.suspended' }]);
  await admin.must('reactivateIntegration', decision(client, 'Settled'));
  expect(await eventsOf(client)).toHaveLength(1);
  const trail = await application.rows('select action, operator_id, details from audit_entry where integration_id = $1 order by id', [
    client.integrationId,
  ]);
  expect(trail).toEqual([
    { action: 'integration.suspended', operator_id: client.operatorId, details: { reason: 'Two complaints of users' } },
    { action: 'integration.reactivated', operator_id: client.operatorId, details: { reason: 'Settled' } },
  ]);
});

test.each(['', '   ', 'x'.repeat(501)])('a suspension without good reason is refused by its field, and changes nothing', async (reason) => {
  const client = await fixtures.client({ environment: 'production', status: 'active' });
  const answer = await admin.call('suspendIntegration', decision(client, reason));
  expect([codesOf(answer), Object.keys(fieldsOf(answer))]).toEqual([['BAD_USER_INPUT'], ['input.reason']]);
  expect([await statusOf(client), await eventsOf(client)]).toEqual(['active', []]);
});

test('two administrators at the same moment suspend once', async () => {
  const client = await fixtures.client({ environment: 'production', status: 'active' });
  const answers = await Promise.all([1, 2].map(() => admin.call('suspendIntegration', decision(client))));
  expect(answers.flatMap(codesOf)).toEqual(['CONFLICT']);
  expect(await eventsOf(client)).toHaveLength(1);
});
