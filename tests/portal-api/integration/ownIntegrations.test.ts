import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { permissions, type Operation } from '../../../server/domain/access/permissions.ts';
import { adminCommand } from '../../../server/adminCommands.ts';
import { documents } from '../../support/clients/portalDocuments.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { terminalConfig } from '../../support/world/testKeys.ts';
import { codesOf, type IntegrationData, type PortalClient } from '../../support/clients/portalClient.ts';
import { approvedIntegration } from '../../support/world/reviewPath.ts';
import { administrator } from '../../support/clients/toolingClient.ts';
import { webhookEndpoint, type TestEndpoint } from '../../support/webhooks/endpointRows.ts';
import { numberOfClient } from '../../support/world/revocationFixtures.ts';

let application: PortalWorld;
let owner: PortalClient;
let integration: Awaited<ReturnType<typeof approvedIntegration>>;
let agreementId: string;
let certificateId: string;
let endpoint: TestEndpoint;
beforeAll(async () => {
  application = await openWorld({ portal: true });
  owner = await administrator(application);
  integration = await approvedIntegration(application, owner, { slug: 'own-board' });
  await owner.confirmFreshly();
  certificateId = (await owner.issuedCertificate(integration)).id;
  endpoint = await webhookEndpoint(application, await numberOfClient(application, 'own-board'));
  agreementId = await terminal('record-agreement', {
    integration: 'own-board',
    reference: 'A-1',
    summary: 'A fee of 5 EUR.',
    'valid-from': '2026-01-01',
  });
});
afterAll(() => application.close());

/** Runs a command as somebody types it on the server's terminal, and returns its result. */
async function terminal(name: string, options: Record<string, string>): Promise<string> {
  const args = Object.entries(options).flatMap(([option, value]) => [`--${option}`, value]);
  const { result = '' } = await adminCommand([name, ...args])(application.orm.em.fork(), application.clock.now(), terminalConfig());
  return result;
}

const state = () =>
  application.rows(
    `select i.status, i.production_gate_open as gate, (select count(*)::int from quota_override o join client k on k.number = o.client_number
              where k.integration_id = i.id and o.withdrawn_at is null) as overrides,
            (select count(*)::int from commercial_agreement a where a.integration_id = i.id and a.withdrawn_at is null) as agreements
       from integration i where i.slug = 'own-board'`,
  );

/** What an administrator decides about one integration, here about their own. */
const about: Partial<Record<Operation, () => Record<string, unknown>>> = {
  suspendIntegration: () => ({ integrationId: integration.id, reason: 'Mine' }),
  reactivateIntegration: () => ({ integrationId: integration.id, reason: 'Mine' }),
  openProductionGate: () => ({ integrationId: integration.id, reason: 'Mine' }),
  closeProductionGate: () => ({ integrationId: integration.id, reason: 'Mine' }),
  setQuotaOverride: () => ({ clientId: integration.clientId, quota: 'requests_per_hour', value: 5_000, reason: 'Mine' }),
  withdrawQuotaOverride: () => ({ clientId: integration.clientId, quota: 'requests_per_hour', reason: 'Mine' }),
  recordCommercialAgreement: () => ({ integrationId: integration.id, reference: 'B', summary: 'B', validFrom: '2026-12-01' }),
  withdrawCommercialAgreement: () => ({ agreementId, reason: 'Mine' }),
  pauseAnyWebhookEndpoint: () => ({ endpointId: endpoint.id, reason: 'Mine' }),
  resumeAnyWebhookEndpoint: () => ({ endpointId: endpoint.id, reason: 'Mine' }),
  revokeAnyCertificate: () => ({ certificateId, revocationReason: 'unspecified', reason: 'Mine' }),
  revokeClientCertificates: () => ({ clientId: integration.clientId, revocationReason: 'unspecified', reason: 'Mine' }),
};
/** Administrators' mutations that do not concern anybody's integration. */
const others = [
  'publishTerms',
  'createServiceToken',
  'revokeServiceToken',
  'grantRole',
  'withdrawRole',
  'retryJob',
  'requestAccountReset',
  'approveAccountReset',
  'cancelAnyAccountReset',
];

test('an administrator decides nothing about an integration of their own, whatever it is', async () => {
  const before = await state();
  for (const [operation, input] of Object.entries(about) as [Operation, () => Record<string, unknown>][]) {
    const refused = await owner.call(operation, { input: input() });
    expect([operation, codesOf(refused), refused.errors[0]?.message]).toEqual([
      operation,
      ['FORBIDDEN'],
      'You cannot administer your own integration. Ask another administrator, or use the server’s terminal.',
    ]);
  }
  expect(await state()).toEqual(before);
  const { own } = await owner.must<{ own: boolean }>('anyIntegration', { slug: 'own-board' });
  expect(own).toBe(true);
  const { availableActions } =
    (await owner.graphql<{ integration: { availableActions: string[] } }>('{ integration(slug: "own-board") { availableActions } }')).data
      ?.integration ?? {};
  expect(availableActions?.toSorted()).toEqual(['activateForProduction', 'retireIntegration']);
});

test('no administrators’ mutation is left out of that rule by accident', () => {
  const mutations = Object.entries(permissions).filter(([name, { by }]) => {
    return by === 'administrator' && documents[name as keyof typeof documents]?.trimStart().startsWith('mutation');
  });
  const known = new Set([...Object.keys(about), ...others]);
  expect(mutations.map(([name]) => name).filter((name) => !known.has(name) && !name.endsWith('Account'))).toEqual([]);
});

test('an owner who is an administrator cannot retire what is under review either', async () => {
  const { id } = await owner.createIntegration();
  await application.rows("update integration set status = 'submitted' where id = $1", [id]);
  const refused = await owner.call('retireIntegration', { input: { integrationId: id, reason: 'Mine' } });
  expect([codesOf(refused), refused.errors[0]?.message]).toEqual([
    ['CONFLICT'],
    'This integration is under review. Withdraw the submission first, then retire it.',
  ]);
});

test('the server’s terminal does all of it for a sole administrator, and the trail names the terminal', async () => {
  const named = { integration: 'own-board', reason: 'Asked for at the terminal' };
  const quota = { ...named, environment: 'production', quota: 'requests_per_hour' };
  await owner.must<IntegrationData>('activateForProduction', { input: { integrationId: integration.id, profileVersion: 1 } });
  await terminal('open-gate', named);
  await terminal('set-quota', { ...quota, value: '5000' });
  expect(await state()).toEqual([{ status: 'active', gate: true, overrides: 1, agreements: 1 }]);
  const decision = { endpoint: endpoint.id, reason: named.reason };
  await terminal('pause-webhook-endpoint', decision);
  expect(await application.rows('select status, paused_by as by from webhook_endpoint')).toEqual([
    { status: 'paused', by: 'administrator' },
  ]);
  await terminal('resume-webhook-endpoint', decision);
  expect(await application.rows('select status from webhook_endpoint')).toEqual([{ status: 'active' }]);
  await terminal('suspend-integration', named);
  await terminal('close-gate', named);
  // A list of commands that is begun again goes on, and the trail below has one line of it.
  await terminal('close-gate', named);
  await terminal('withdraw-quota', quota);
  await terminal('withdraw-agreement', { agreement: agreementId, reason: 'It has ended' });
  expect(await state()).toEqual([{ status: 'suspended', gate: false, overrides: 0, agreements: 0 }]);
  await terminal('reactivate-integration', named);
  await terminal('open-gate', { reason: 'The rollout' });
  const trail = await application.rows<{ action: string }>("select action from audit_entry where actor_id = 'terminal' order by id");
  expect(trail.map(({ action }) => action).filter((action) => !action.startsWith('role.'))).toEqual([
    'commercial_agreement.recorded',
    'integration.gate_opened',
    'quota_override.set',
    'webhook_endpoint.paused',
    'webhook_endpoint.resumed',
    'integration.suspended',
    'integration.gate_closed',
    'quota_override.withdrawn',
    'commercial_agreement.withdrawn',
    'integration.reactivated',
    'production_gate.opened',
  ]);
});

test('the service’s one gate is nobody’s own: administrators who have an integration open and close it as others do', async () => {
  expect((await owner.must<{ open: boolean }>('serviceGate')).open).toBe(true);
  for (const [operation, open] of [
    ['closeProductionGate', false],
    ['openProductionGate', true],
  ] as const) {
    expect((await owner.call(operation, { input: { reason: 'An incident' } })).data).toMatchObject({ open });
  }
});

test.each([
  [['suspend-integration', '--integration', 'own-board'], 'suspend-integration needs --reason.'],
  [['open-gate'], 'open-gate needs --reason.'],
  [
    ['withdraw-quota', '--integration', 'own-board', '--environment', 'sandbox', '--quota', 'all', '--reason', 'x'],
    expect.stringMatching(/^The quota must be one of: requests_per_hour, /),
  ],
])('wrong arguments are told by name: %j', (args, words) => {
  expect(() => adminCommand(args)).toThrow(expect.objectContaining({ name: 'UsageError', message: words }));
});
