import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { backEndOf } from '../support/world/backEndOf.ts';
import { openWorld, type MachineWorld, type PortalWorld } from '../support/world/openWorld.ts';
import { codesOf, goodProfile } from '../support/clients/portalClient.ts';
import { expectProblem } from '../support/clients/problems.ts';
import { approvedIntegration } from '../support/world/reviewPath.ts';
import { SandboxClient } from '../support/clients/sandboxClient.ts';
import { administrator, toolingClient } from '../support/clients/toolingClient.ts';
import { sampleOrder } from '../support/world/samples.ts';

const day = 24 * 60 * 60_000;
let application: PortalWorld & MachineWorld;
beforeAll(async () => {
  application = await openWorld({ portal: true, machine: true });
});
afterAll(async () => {
  await application.close();
});

type Deletion = {
  node: {
    id: string;
    environment: string;
    resourceCount: number;
    revokedAt: string;
    deletionDeadlineAt: string;
    acknowledgedAt: string | null;
  };
};

test('retiring ends both environments with the very next request, and leaves what users shared to be deleted and recorded', async () => {
  const [owner, admin] = [await application.operator(), await administrator(application)];
  const tooling = await toolingClient(application, { environment: 'production' });
  const { id, slug, clientId } = await approvedIntegration(application, owner, { requestedScopes: ['orders.read', 'revocations.ack'] });
  await SandboxClient.buildOf(application, clientId);
  const machines = [await backEndOf(application, owner, slug, 'production'), await backEndOf(application, owner, slug, 'sandbox')] as const;
  const [production, sandbox] = machines;
  await Promise.all([owner.confirmFreshly(), admin.confirmFreshly()]);
  await owner.must('activateForProduction', { input: { integrationId: id, profileVersion: 1 } });
  for (const gate of [{ integrationId: id }, {}]) await admin.must('openProductionGate', { input: { reason: 'Pilot', ...gate } });
  await tooling.must('upsertTrackedResources', {
    input: { resources: [{ type: 'order', key: 'o-1', version: '1', user: 'u-1', historyComplete: true, data: sampleOrder }] },
  });
  const share = { integrationId: id, user: 'u-1', orders: ['o-1'], scopes: ['orders.read'], statisticsOptedIn: false };
  const { code } = await tooling.must<{ code: string }>('createLinkCode', { input: share });
  const redeemed = await production.call('/v1/link-codes/redeem', { method: 'POST', body: { code } });
  const { connection_id: connectionId, resources } = redeemed.body as { connection_id: string; resources: { id: string }[] };
  const { code: unused } = await tooling.must<{ code: string }>('createLinkCode', { input: share });
  expect([(await production.call('/v1/sync')).status, (await sandbox.call('/v1/sync?limit=1')).status]).toEqual([200, 200]);

  await owner.must('retireIntegration', { input: { integrationId: id } });

  // The connections were kept alive, but the verdict from their handshake no longer counts.
  for (const machine of machines) {
    for (const path of ['/v1/capabilities', '/v1/sync', `/v1/orders/${resources[0]?.id}`, '/v1/statistics/orders']) {
      expectProblem(await machine.call(path), 'integration_retired');
    }
    const redemption = await machine.call('/v1/link-codes/redeem', { method: 'POST', body: { code: unused } });
    expectProblem(redemption, 'integration_retired');
  }
  const { edges } = await tooling.must<{ edges: { node: { id: string } }[] }>('catalogue', { first: 100 });
  expect(edges.filter(({ node }) => node.id === id)).toEqual([]);
  expect(codesOf(await tooling.call('createLinkCode', { input: share }))).toEqual(['CONFLICT']);
  expect(codesOf(await tooling.call('extendShare', { input: { connectionId, scopes: ['orders.read'] } }))).toEqual(['CONFLICT']);
  expect(codesOf(await admin.call('reactivateIntegration', { input: { integrationId: id, reason: 'Back' } }))).toEqual(['CONFLICT']);

  const { edges: outstanding } = await owner.must<{ edges: Deletion[] }>('revocations', { slug, environment: 'production' });
  const owed = outstanding.map(({ node }) => node);
  expect(owed).toMatchObject([{ resourceCount: 1, acknowledgedAt: null }]);
  const [deletion] = owed;
  expect(Date.parse(deletion?.deletionDeadlineAt ?? '') - Date.parse(deletion?.revokedAt ?? '')).toBe(7 * day);
  await owner.must('recordDeletion', { input: { revocationId: deletion?.id } });
});

test('several integrations of one operator know nothing of each other: revising or retiring one leaves the other as it is', async () => {
  const { operator, slug, clientId } = await SandboxClient.open(application, ['orders.read', 'vehicles.read']);
  const other = await operator.createIntegration({ requestedScopes: ['orders.read', 'vehicles.read'] });
  await SandboxClient.buildOf(application, other.clientId);
  const [mine, others] = [
    await backEndOf(application, operator, slug, 'sandbox'),
    await backEndOf(application, operator, other.slug, 'sandbox'),
  ];
  type Page = { upserts: { id: string; type: string }[]; next_cursor: string };
  const pageOf = async (machine: typeof mine, since = '') => (await machine.call(`/v1/sync?limit=2${since}`)).body as Page;
  const [own, theirs] = [await pageOf(mine), await pageOf(others)];

  // Neither IDs nor cursors lead from one to the other.
  const [first] = theirs.upserts;
  expectProblem(await mine.call(`/v1/${first?.type}s/${first?.id}`), 'not_found');
  expectProblem(await mine.call(`/v1/sync?updated_since=${theirs.next_cursor}`), 'invalid_cursor');
  const { id } = await operator.must<{ id: string }>('integration', { slug });
  const { slug: _slug, termsVersion: _terms, attributionRulesAccepted: _rules, nonCommercialUseAccepted: _use, ...profile } = goodProfile();
  await operator.must('reviseProfile', { input: { ...profile, integrationId: id, version: 1, requestedScopes: ['orders.read'] } });
  expectProblem(await mine.call(`/v1/sync?updated_since=${own.next_cursor}`), 'invalid_cursor');
  const capabilities = async () => (await others.call('/v1/capabilities')).body;
  expect(await capabilities()).toMatchObject({ profile_version: 1, scopes: ['orders.read', 'vehicles.read'], client_id: other.clientId });
  await operator.confirmFreshly();
  await operator.must('retireIntegration', { input: { integrationId: id } });
  expectProblem(await mine.call('/v1/capabilities'), 'integration_retired');
  expect((await pageOf(others, `&updated_since=${theirs.next_cursor}`)).upserts).toHaveLength(2);
  expect(await capabilities()).toMatchObject({ integration_status: 'sandbox' });
  expect(clientId).not.toBe(other.clientId);
});
