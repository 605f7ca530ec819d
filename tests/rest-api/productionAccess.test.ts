import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { IntegrationStatus } from '../../server/domain/integration/integrationStatus.ts';
import { backEndOf } from '../support/world/backEndOf.ts';
import type { MachineClient } from '../support/clients/machineClient.ts';
import { openWorld, type MachineWorld, type PortalWorld } from '../support/world/openWorld.ts';
import { codesOf, fieldsOf, requestFor, type IntegrationData, type PortalClient } from '../support/clients/portalClient.ts';
import { expectProblem } from '../support/clients/problems.ts';
import { approvedIntegration } from '../support/world/reviewPath.ts';
import { administrator, toolingClient } from '../support/clients/toolingClient.ts';
import { sampleOrder } from '../support/world/samples.ts';
import { newerTerms } from '../support/world/profileFixtures.ts';

/** One integration from its approval on: portal and machine API side by side, each step is seen by the very next request. */
let application: PortalWorld & MachineWorld;
let owner: PortalClient;
let admin: PortalClient;
let integration: Awaited<ReturnType<typeof approvedIntegration>>;
let machine: MachineClient;
beforeAll(async () => {
  application = await openWorld({ portal: true, machine: true });
  [owner, admin] = [await application.operator(), await administrator(application)];
  integration = await approvedIntegration(application, owner, { requestedScopes: ['orders.read', 'revocations.ack'] });
  machine = await backEndOf(application, owner, integration.slug, 'production');
  await Promise.all([owner.confirmFreshly(), admin.confirmFreshly()]);
});
afterAll(async () => {
  await application.close();
});

type Capabilities = {
  integration_status: string;
  profile_version: number;
  production_data_enabled: boolean;
  quotas: Record<string, number>;
  overrides: { quota: string; value: number; expires_at?: string }[];
};
const capabilities = async () => (await machine.call('/v1/capabilities')).body as Capabilities;
const sync = () => machine.call('/v1/sync');
const gate = (operation: 'openProductionGate' | 'closeProductionGate', reason: string, integrationId?: string) =>
  admin.must<{ open: boolean }>(operation, { input: { reason, ...(integrationId !== undefined && { integrationId }) } });
const decide = (operation: 'suspendIntegration' | 'reactivateIntegration', reason: string) =>
  admin.must(operation, { input: { integrationId: integration.id, reason } });
const activate = (profileVersion: number, by = owner) =>
  by.call<{ status: string }>('activateForProduction', { input: { integrationId: integration.id, profileVersion } });

test('an approved integration has its production client and certificate, and the machine API refuses until it is active', async () => {
  expectProblem(await machine.call('/v1/capabilities'), 'integration_not_active');
  expectProblem(await sync(), 'integration_not_active');
});

test('only the owner activates, and only the reviewed version', async () => {
  const other = await activate(2);
  expect([codesOf(other), fieldsOf(other)]).toEqual([
    ['BAD_USER_INPUT'],
    { 'input.profileVersion': 'Version 1 of the profile was reviewed. Activate that one.' },
  ]);
  expect(codesOf(await activate(1, admin))).toEqual(['NOT_FOUND']);
  expectProblem(await sync(), 'integration_not_active');
});

test('newer terms must be accepted before an activation', async () => {
  await newerTerms(application, application.clock.now());
  expect(codesOf(await activate(1))).toEqual(['CONFLICT']);
  await owner.acceptTerms(2);
  expect((await activate(1)).data).toMatchObject({ status: 'active' });
  expect(codesOf(await activate(1))).toEqual(['CONFLICT']);
});

test('an activation opens no gate: capabilities answer, data is refused until both gates are open, in either order', async () => {
  expect(await capabilities()).toMatchObject({ integration_status: 'active', profile_version: 1, production_data_enabled: false });
  expectProblem(await sync(), 'production_data_disabled');
  await gate('openProductionGate', 'Pilot', integration.id);
  expectProblem(await sync(), 'production_data_disabled');
  await gate('openProductionGate', 'The rollout begins.');
  expect((await sync()).status).toBe(200);
  expect(await capabilities()).toMatchObject({ production_data_enabled: true });
  await gate('closeProductionGate', 'An incident', integration.id);
  expectProblem(await sync(), 'production_data_disabled');
  await gate('openProductionGate', 'Over', integration.id);
  await gate('closeProductionGate', 'An incident elsewhere');
  expectProblem(await sync(), 'production_data_disabled');
  expect(await capabilities()).toMatchObject({ production_data_enabled: false });
  await gate('openProductionGate', 'All is well.');
  expect((await sync()).status).toBe(200);
});

test('the first production call brings what the tooling handed in and the user shared', async () => {
  const tooling = await toolingClient(application, { environment: 'production' });
  const order = { type: 'order', key: 'o-1', version: '1', user: 'u-1', historyComplete: true, data: sampleOrder };
  await tooling.must('upsertTrackedResources', { input: { resources: [order] } });
  const { code } = await tooling.must<{ code: string }>('createLinkCode', {
    input: { integrationId: integration.id, user: 'u-1', orders: ['o-1'], scopes: ['orders.read'], statisticsOptedIn: false },
  });
  const redeemed = await machine.call('/v1/link-codes/redeem', { method: 'POST', body: { code } });
  expect(redeemed.status).toBe(200);
  const page = (await sync()).body as { upserts: { type: string; status: string }[] };
  expect(page.upserts).toMatchObject([{ type: 'order', status: 'placed' }]);
});

test('a suspension is seen by the very next request, leaves the gates open, and ends with the reactivation', async () => {
  await decide('suspendIntegration', 'Two complaints');
  expectProblem(await sync(), 'integration_suspended');
  expectProblem(await machine.call('/v1/capabilities'), 'integration_suspended');
  await decide('reactivateIntegration', 'Settled');
  expect((await sync()).status).toBe(200);
  expect(await capabilities()).toMatchObject({ integration_status: 'active', production_data_enabled: true });
});

test('every process of the machine API sees each decision with its next request, conditional ones included', async () => {
  const other = await application.secondApi();
  application.clock.advance(61_000);
  const both = [machine, await backEndOf(application, owner, integration.slug, 'production', other)];
  const etag = String((await sync()).headers['etag']);
  const answers = () => Promise.all(both.map((client) => client.call('/v1/sync', { headers: { 'If-None-Match': etag } })));
  const refused = async (code: Parameters<typeof expectProblem>[1]) => (await answers()).forEach((answer) => expectProblem(answer, code));
  const unchanged = async () => expect((await answers()).map(({ status }) => status)).toEqual([304, 304]);
  await unchanged();
  await decide('suspendIntegration', 'Seen by all');
  await refused('integration_suspended');
  await decide('reactivateIntegration', 'Settled');
  await unchanged();
  await gate('closeProductionGate', 'Seen by all');
  await refused('production_data_disabled');
  await gate('openProductionGate', 'All is well again.');
  await unchanged();
  const [, production] = (await owner.must<IntegrationData>('integration', { slug: integration.slug })).clients;
  await owner.must('revokeCertificate', { input: { certificateId: production?.certificatesInUse[0]?.id, reason: 'superseded' } });
  application.clock.advance(61_000);
});

test('an override counts and shows in the very next request, a second one takes its place, and its end brings the baseline back', async () => {
  const clientId = (await owner.must<IntegrationData>('integration', { slug: integration.slug })).clients[1]?.id;
  const set = (quota: string, value: number, expiresAt?: Date) =>
    admin.must('setQuotaOverride', { input: { clientId, quota, value, reason: 'A busy launch', expiresAt } });
  const expiresAt = new Date(application.clock.now().getTime() + 60_000);
  await set('requests_per_minute', 100, expiresAt);
  await set('polling_interval_seconds', 300);
  expect(await capabilities()).toMatchObject({
    quotas: { requests_per_minute: 100, polling_interval_seconds: 300 },
    overrides: [
      { quota: 'polling_interval_seconds', value: 300 },
      { quota: 'requests_per_minute', value: 100, expires_at: expiresAt.toISOString() },
    ],
  });
  await set('polling_interval_seconds', 600);
  expect((await capabilities()).quotas).toMatchObject({ polling_interval_seconds: 600 });
  expect(await admin.must('withdrawQuotaOverride', { input: { clientId, quota: 'polling_interval_seconds', reason: 'Over' } })).toEqual([
    { quota: 'requests_per_minute', value: 100, expiresAt: expiresAt.toISOString() },
  ]);
  expect((await capabilities()).quotas).toMatchObject({ polling_interval_seconds: 900 });
  application.clock.advance(61_000);
  expect(await capabilities()).toMatchObject({ quotas: { requests_per_minute: 20 }, overrides: [] });
});

test.each([
  [{ quota: 'requests_per_hour', value: 0 }, ['input.value']],
  [{ quota: 'requests_per_hour', value: 36_001 }, ['input.value']],
  [{ quota: 'polling_interval_seconds', value: 59 }, ['input.value']],
  [{ quota: 'concurrent_requests', value: 65, expiresAt: new Date(0) }, ['input.value', 'input.expiresAt']],
  [{ quota: 'concurrent_requests', value: 8, expiresAt: new Date(Date.now() + 400 * 24 * 3600 * 1000) }, ['input.expiresAt']],
  [{ quota: 'concurrent_requests', value: 8, reason: ' ' }, ['input.reason']],
])('an override out of bounds is refused by its field and changes nothing: %j', async (input, fields) => {
  const clientId = (await owner.must<IntegrationData>('integration', { slug: integration.slug })).clients[1]?.id;
  const answer = await admin.call('setQuotaOverride', { input: { clientId, reason: 'A test', ...input } });
  expect([codesOf(answer), Object.keys(fieldsOf(answer))]).toEqual([['BAD_USER_INPUT'], fields]);
  expect((await capabilities()).overrides).toEqual([]);
});

test('two administrators who open one gate at once: one does, the other is told', async () => {
  await gate('closeProductionGate', 'To be opened again', integration.id);
  const answers = await Promise.all(
    [1, 2].map(() => admin.call('openProductionGate', { input: { integrationId: integration.id, reason: 'Go' } })),
  );
  expect(answers.flatMap(codesOf)).toEqual(['CONFLICT']);
  expect((await sync()).status).toBe(200);
});

test('the moves of the service’s gate stand in its history with their reasons, newest first, page by page', async () => {
  type Page = { edges: { node: { open: boolean; reason: string } }[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
  const first = await admin.must<Page>('serviceGateHistory', { first: 2 });
  expect(first.edges.map(({ node: { open, reason } }) => [open, reason])).toEqual([
    [true, 'All is well again.'],
    [false, 'Seen by all'],
  ]);
  const rest = await admin.must<Page>('serviceGateHistory', { first: 3, after: first.pageInfo.endCursor });
  expect(rest.edges.map(({ node }) => node.reason)).toEqual(['All is well.', 'An incident elsewhere', 'The rollout begins.']);
  expect(rest.pageInfo.hasNextPage).toBe(false);
  const one = { edges: [{ node: { id: integration.id, productionGate: { open: true, reason: 'Go' } } }] };
  expect(await admin.must('productionIntegrations')).toMatchObject(one);
  expect(await admin.must('productionIntegrations', { status: 'active', open: true })).toMatchObject(one);
  for (const other of [{ open: false }, { status: 'suspended' }, { status: 'approved', open: true }]) {
    expect(await admin.must('productionIntegrations', other)).toMatchObject({ edges: [] });
  }
});

test('no production certificate is issued before an approval or after retirement', async () => {
  const { clients } = await owner.must<IntegrationData>('integration', { slug: integration.slug });
  const [clientId, commonName] = [clients[1]?.id, clients[1]?.commonName ?? ''];
  const refused: Readonly<Record<IntegrationStatus, readonly string[]>> = {
    sandbox: ['CONFLICT'],
    submitted: ['CONFLICT'],
    rejected: ['CONFLICT'],
    approved: [],
    active: [],
    suspended: [],
    retired: ['CONFLICT'],
  };
  for (const [status, codes] of Object.entries(refused)) {
    await application.rows('update integration set status = $2 where id = $1', [integration.id, status]);
    const answer = await owner.call('requestCertificate', { input: { clientId, csr: requestFor(commonName) } });
    expect([status, codesOf(answer)]).toEqual([status, codes]);
    await application.rows(
      "delete from certificate where status = 'pending' and client_number = (select number from client where id = $1)",
      [clientId],
    );
  }
});

test('the gate of a retired integration still closes, and never opens again', async () => {
  await application.rows("update integration set status = 'retired' where id = $1", [integration.id]);
  await admin.confirmFreshly();
  await gate('closeProductionGate', 'It has ended.', integration.id);
  const refused = await admin.call('openProductionGate', { input: { reason: 'Once more', integrationId: integration.id } });
  expect([codesOf(refused), refused.errors[0]?.message]).toEqual([
    ['CONFLICT'],
    'A retired integration can no longer receive production data.',
  ]);
  const [row] = await application.rows(
    'select production_gate_open as open, production_gate_reason as reason from integration where id = $1',
    [integration.id],
  );
  expect(row).toEqual({ open: false, reason: 'It has ended.' });
});
