import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { factsOf, integrationStatuses, type IntegrationStatus } from '../../../server/domain/integration/integrationStatus.ts';
import { environments } from '../../../server/domain/shared/environment.ts';
import { launchBrowser } from '../../support/browser/browser.ts';
import { openPageAs } from '../../support/browser/signedInBrowser.ts';
import { codesOf, type IntegrationData, type PortalClient } from '../../support/clients/portalClient.ts';
import { heldCertificate } from '../../support/portals/stateCertificates.ts';
import { numberOfClient } from '../../support/world/revocationFixtures.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';

/** What pages offer and what commands allow, in every status: both ask the same facts. */
let application: PortalWorld;
let browser: Browser;
let operator: PortalClient;
let integration: IntegrationData;
let clientIds: Readonly<Record<string, string>>;
let page: Page;
beforeAll(async () => {
  [application, browser] = await Promise.all([openWorld({ portal: true }), launchBrowser()]);
  operator = await application.operator();
  integration = await operator.createIntegration({ publicName: 'Nordlys Tracker' });
  await numberOfClient(application, integration.slug, 'production');
  const rows = await application.rows<{ environment: string; id: string }>('select environment, id from client');
  clientIds = Object.fromEntries(rows.map(({ environment, id }) => [environment, id]));
  await operator.confirmFreshly();
  ({ page } = await openPageAs(browser, operator));
});
afterAll(async () => {
  await browser?.close();
  await application?.close();
});

const isRefused = ({ errors }: { errors: readonly unknown[] }) => errors.length > 0;
const set = (status: IntegrationStatus) =>
  application.rows('update integration set status = $2 where slug = $1', [integration.slug, status]);
const endpoint = (environment: string) => ({
  input: {
    integrationId: integration.id,
    environment,
    url: 'https://hooks.example.com/in',
    payloadMode: 'notification',
    eventTypes: ['resource_revoked'],
    description: '',
  },
});
const open = (tab: string, environment: string) => page.goto(`/integrations/${integration.slug}/${tab}?environment=${environment}`);

/** In which environments the form offers to set up an endpoint. */
async function offeredEndpoints(): Promise<readonly string[]> {
  await page.getByText(/^There is no endpoint|^The integration is retired\. Its endpoints/).waitFor();
  const form = page.getByRole('form', { name: 'New endpoint' });
  if ((await form.count()) === 0) return [];
  return (await form.getByRole('radiogroup', { name: 'Environment' }).count()) > 0 ? environments : ['sandbox'];
}

test.each(integrationStatuses)(
  'while an integration is %s, its pages offer the certificates, renewals and endpoints that the commands allow, and no others',
  async (status) => {
    await set(status);
    const facts = environments.map((environment) => ({ environment, ...factsOf(status, environment) }));
    const allowed = (what: 'certificates' | 'renewals' | 'endpoints') =>
      facts.filter((each) => each[what] === 'yes').map(({ environment }) => environment);

    const commands = { certificates: [] as string[], renewals: [] as string[], endpoints: [] as string[] };
    const pages = { certificates: [] as string[] };
    for (const environment of environments) {
      const clientId = clientIds[environment];
      // Without a status that forbids it, the request itself is refused.
      const request = await operator.call('requestCertificate', { input: { clientId, csr: 'x' } });
      if (!codesOf(request).includes('CONFLICT')) commands.certificates.push(environment);
      const renewal = await operator.call('setRenewalByEst', { input: { clientId, enabled: true } });
      if (!isRefused(renewal)) commands.renewals.push(environment);
      const registered = await operator.call('registerWebhookEndpoint', endpoint(environment));
      if (!isRefused(registered)) commands.endpoints.push(environment);
      await application.rows('delete from webhook_endpoint');
      await open('certificates', environment);
      const answer = page.getByRole('status').getByRole('heading', { level: 2 });
      await answer.waitFor();
      expect(/none can be requested/.test(await answer.innerText())).toBe(!allowed('certificates').includes(environment));
      if ((await page.getByRole('region', { name: 'New certificate' }).count()) > 0) pages.certificates.push(environment);
    }
    const [certificates, renewals, endpoints] = [allowed('certificates'), allowed('renewals'), allowed('endpoints')];
    expect(commands).toEqual({ certificates, renewals, endpoints });
    expect(pages.certificates).toEqual(certificates);
    await open('webhooks', 'production');
    expect(await offeredEndpoints()).toEqual(allowed('endpoints'));

    // Of what production has from an earlier status: a certificate to renew, and an endpoint.
    const now = application.clock.now();
    await heldCertificate(application, {
      clientNumber: await numberOfClient(application, integration.slug, 'production'),
      issuedAt: now,
      endsAt: new Date(now.getTime() + 90 * 24 * 60 * 60 * 1000),
      revokedAt: null,
    });
    await open('certificates', 'production');
    await page.getByRole('table', { name: 'Certificates in use' }).waitFor();
    if (certificates.includes('production')) {
      await page.getByRole('button', { name: 'New certificate' }).click();
      await page.getByRole('radio', { name: 'By your back end (EST)' }).check();
    }
    const switches = await page.getByRole('switch', { name: 'Let the back end renew its certificates' }).count();
    expect(switches).toBe(renewals.includes('production') ? 1 : 0);
    await application.rows('delete from certificate');
    await set('active');
    const { id } = await operator.must<{ id: string }>('registerWebhookEndpoint', endpoint('production'));
    await set(status);
    await open(`webhooks/${id}`, 'production');
    await page.getByRole('button', { name: 'Remove', exact: true }).waitFor();
    const edits = await page.getByRole('button', { name: 'Edit', exact: true }).count();
    const changes = allowed('endpoints').includes('production');
    expect(edits).toBe(changes ? 1 : 0);
    const revised = await operator.call('reviseWebhookEndpoint', { input: { endpointId: id, description: 'Another one' } });
    expect(isRefused(revised)).toBe(!changes);
    await application.rows('delete from webhook_endpoint');
  },
  60_000,
);

test('a production endpoint that is suspended while its owner moves it to the sandbox stays, and the dialog says why', async () => {
  await set('active');
  const { id } = await operator.must<{ id: string }>('registerWebhookEndpoint', endpoint('production'));
  await open(`webhooks/${id}`, 'production');
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit this endpoint' });
  await dialog.getByRole('radiogroup', { name: 'Environment' }).getByText('Sandbox').click();
  await set('suspended');
  await dialog.getByRole('button', { name: 'Save and prove again' }).click();
  await dialog.getByText(/its production endpoints can be paused, .* nor moved to the sandbox\.$/).waitFor();
  const [row] = await application.rows<{ environment: string }>(
    'select c.environment from webhook_endpoint e join client c on c.number = e.client_number where e.id = $1',
    [id],
  );
  expect(row?.environment).toBe('production');
});
