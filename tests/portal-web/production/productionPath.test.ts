import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { accessibilityFindings, launchBrowser, type WatchedPage } from '../../support/browser/browser.ts';
import { keepScreenshot } from '../../support/browser/keepScreenshot.ts';
import { backEndOf } from '../../support/world/backEndOf.ts';
import type { MachineClient } from '../../support/clients/machineClient.ts';
import { openWorld, type MachineWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import type { PortalClient } from '../../support/clients/portalClient.ts';
import { expectProblem } from '../../support/clients/problems.ts';
import { approve, reviewer, submit } from '../../support/world/reviewPath.ts';
import { numberOfClient, revokedOrder } from '../../support/world/revocationFixtures.ts';
import { confirmInBrowser, openPageAs } from '../../support/browser/signedInBrowser.ts';
import { administrator, toolingClient } from '../../support/clients/toolingClient.ts';
import { sampleOrder } from '../../support/world/samples.ts';
import { overflow } from '../../support/browser/overflow.ts';

const day = 24 * 60 * 60 * 1000;

/** One integration on its way through production, in the browsers of its owner and of an administrator. */
let application: PortalWorld & MachineWorld;
let browser: Browser;
let owner: PortalClient;
let admin: PortalClient;
let machine: MachineClient;
let ownerPage: Page;
let adminPage: Page;
const watched: WatchedPage[] = [];
let integration: Awaited<ReturnType<PortalClient['createIntegration']>>;
beforeAll(async () => {
  [application, browser] = await Promise.all([openWorld({ portal: true, machine: true }), launchBrowser()]);
  [owner, admin] = [await application.operator(), await administrator(application)];
  integration = await owner.createIntegration({ publicName: 'Nordlys Tracker', requestedScopes: ['orders.read', 'revocations.ack'] });
  for (const client of [owner, admin]) watched.push(await openPageAs(browser, client));
  [ownerPage, adminPage] = watched.map(({ page }) => page) as [Page, Page];
  await Promise.all([confirmInBrowser(ownerPage, owner), confirmInBrowser(adminPage, admin)]);
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await application?.close();
});

const overview = () => ownerPage.goto(`/integrations/${integration.slug}`);
/** The line that says how production is. */
const dataFlows = () => ownerPage.getByRole('region', { name: /^Production: synced .* Healthy\.$/ }).waitFor();
const nextStep = (title: string) => ownerPage.getByRole('region', { name: title, exact: true }).waitFor();
const sync = () => machine.call('/v1/sync');
/** Presses the button that asks, gives the reason, and confirms. */
async function decide(ask: string, reason: string): Promise<void> {
  await adminPage.getByRole('button', { name: ask, exact: true }).click();
  await giveReason(reason, ask);
}

/** Chooses an act from the integration's menu, gives the reason, and confirms. */
async function decideHere(act: string, reason: string, confirm: string): Promise<void> {
  await adminPage.getByRole('button', { name: 'Actions for Nordlys Tracker', exact: true }).click();
  await adminPage.getByRole('menuitem', { name: act, exact: true }).click();
  await giveReason(reason, confirm);
}

async function giveReason(reason: string, confirm: string): Promise<void> {
  const dialog = adminPage.getByRole('dialog');
  await dialog.getByLabel('Reason').fill(reason);
  await dialog.getByRole('button', { name: confirm, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

test('while the reviewers have it, the overview says whose turn it is', async () => {
  const submission = await submit(application, owner, integration);
  await overview();
  await nextStep('Wait for the review');
  await approve(application, await reviewer(application), submission);
}, 180_000);

test('after the approval the owner prepares the production certificate and activates the reviewed version', async () => {
  const step = 'Go live, step 3 of 5: activate the integration';
  await ownerPage.goto('/integrations');
  await ownerPage
    .getByRole('row', { name: /Nordlys Tracker/ })
    .getByText('Setting up', { exact: true })
    .waitFor();
  await ownerPage.getByRole('listitem').filter({ hasText: step }).waitFor();
  await ownerPage.getByRole('link', { name: step, exact: true }).waitFor();
  await ownerPage.goto('/inbox');
  await ownerPage.getByRole('listitem').filter({ hasText: step }).getByRole('img', { name: 'Setting up' }).waitFor();
  await overview();
  await nextStep(step);
  // The line about production does not say it a second time.
  await ownerPage.getByRole('region', { name: 'Production: no data flows yet. Setting up.' }).waitFor();
  expect(await ownerPage.locator('main').getByText(step).count()).toBe(1);
  await ownerPage.getByRole('link', { name: 'Continue to production' }).click();
  await ownerPage.getByRole('heading', { name: 'Activation' }).waitFor();
  await ownerPage.getByText('Version 1', { exact: true }).waitFor();
  await ownerPage.getByRole('link', { name: 'Get a production certificate' }).click();
  await ownerPage.getByRole('radio', { name: 'Your own request (CSR)' }).check();
  await ownerPage.getByText('svc:production:cli_').first().waitFor();
  machine = await backEndOf(application, owner, integration.slug, 'production');
  expectProblem(await sync(), 'integration_not_active');

  await ownerPage.goto(`/integrations/${integration.slug}/production`);
  await ownerPage.getByRole('button', { name: 'Activate for production' }).click();
  const dialog = ownerPage.getByRole('dialog', { name: 'Activate Nordlys Tracker?' });
  await dialog.getByText('The production gate does not open').waitFor();
  await keepScreenshot(ownerPage, 'production-activation-dialog');
  await dialog.getByRole('button', { name: 'Activate', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await ownerPage.getByText('Not enabled').waitFor();
  expectProblem(await sync(), 'production_data_disabled');
}, 180_000);

test('an administrator opens the service’s gate and then the integration’s, each with a reason', async () => {
  await adminPage.goto('/admin/gate');
  await adminPage.getByText('Nobody has opened or closed the gate yet.').waitFor();
  // So it says since when it is closed, and nothing of a change.
  await adminPage.getByText(/^Closed since \d.*: Closed during the sandbox rollout\.$/).waitFor();
  await decide('Open the gate', 'The rollout begins.');
  await adminPage.getByRole('table', { name: 'History of the gate' }).getByText('The rollout begins.').waitFor();
  expectProblem(await sync(), 'production_data_disabled');
  await adminPage.getByRole('link', { name: 'Nordlys Tracker' }).click();
  await decideHere('Open the gate', 'The first pilot.', 'Open the gate');
  await adminPage.getByText('Enabled: both gates are open').waitFor();
  await ownerPage.reload();
  await ownerPage.getByText('production_data_enabled: true').waitFor();
  await ownerPage.getByText('The first pilot.').waitFor();
}, 180_000);

test('the first production call brings what the tooling handed in, and the owner sees that it was made', async () => {
  const tooling = await toolingClient(application, { environment: 'production' });
  const order = { type: 'order', key: 'o-1', version: '1', user: 'u-1', historyComplete: true, data: sampleOrder };
  await tooling.must('upsertTrackedResources', { input: { resources: [order] } });
  const { code } = await tooling.must<{ code: string }>('createLinkCode', {
    input: { integrationId: integration.id, user: 'u-1', orders: ['o-1'], scopes: ['orders.read'], statisticsOptedIn: false },
  });
  await machine.call('/v1/link-codes/redeem', { method: 'POST', body: { code } });
  expect((await sync()).body).toMatchObject({ upserts: [{ type: 'order', status: 'placed' }] });
  await overview();
  await dataFlows();
  // It is open where all was well as the page opened.
  const history = ownerPage.getByRole('list', { name: 'History' });
  if (!(await history.isVisible())) await ownerPage.getByText('History (5)').click();
  await history.waitFor();
  const entries = await ownerPage.getByRole('listitem').allInnerTexts();
  const steps = [
    'Production gate opened',
    'Activated for production',
    'Approved',
    'Submitted for production review',
    'Created with a sandbox',
  ];
  const places = steps.map((step) => entries.findIndex((entry) => entry.startsWith(step)));
  expect(places.every((place, n) => place > (places[n - 1] ?? 0))).toBe(true);
}, 180_000);

test('a suspension stops the next request and tells the owner why; a late deletion is recorded; then it is reactivated', async () => {
  const revokedAt = new Date(Date.now() - 8 * day);
  const { connectionId } = await revokedOrder(application, {
    clientNumber: await numberOfClient(application, integration.slug, 'production'),
    revokedAt,
  });
  await adminPage.reload();
  await decideHere('Suspend', 'A deletion is outstanding.', 'Suspend integration');
  expectProblem(await sync(), 'integration_suspended');
  await overview();
  await nextStep('Suspended');
  await ownerPage.getByRole('region', { name: 'Suspended', exact: true }).getByRole('link', { name: 'support@localhost' }).waitFor();
  await ownerPage.getByText('Reason: A deletion is outstanding.').waitFor();
  await ownerPage.getByText('Resolve the reason, then ask us to reactivate the integration.').waitFor();

  await ownerPage.getByText('1 deletion overdue', { exact: true }).waitFor();
  // From the home, it is one click to what its owner can do: the suspension itself was decided, and ends by a decision.
  await ownerPage.goto('/integrations');
  await ownerPage.getByRole('link', { name: 'See what to do: Suspended, Nordlys Tracker' }).waitFor();
  await ownerPage.getByRole('link', { name: 'Go to deletions: 1 deletion overdue, Nordlys Tracker' }).click();
  const row = ownerPage.getByRole('table', { name: 'Deletions' }).locator('tbody').getByRole('row').filter({ hasText: connectionId });
  await row.getByRole('button', { name: /^Actions for rev_/ }).click();
  await ownerPage.getByRole('menuitem', { name: 'Record this deletion' }).click();
  const dialog = ownerPage.getByRole('dialog', { name: 'Record this deletion?' });
  await dialog.getByText('What is overdue is recorded as late.').waitFor();
  await keepScreenshot(ownerPage, 'production-record-deletion');
  await dialog.getByRole('button', { name: 'Record 1 deletion' }).click();
  await row.waitFor({ state: 'detached' });
  await ownerPage.goto(`/integrations/${integration.slug}/deletions?environment=production&state=acknowledged`);
  await row.getByText('Recorded late').waitFor();

  await decideHere('Reactivate', 'Settled.', 'Reactivate integration');
  expect((await sync()).status).toBe(200);
  await overview();
  await dataFlows();
}, 180_000);

test.each(['light', 'dark'] as const)(
  'none of these pages has a serious accessibility finding in %s colours, and nothing runs over at 360 pixels',
  async (colorScheme) => {
    const pages = [
      { page: ownerPage, path: '/integrations', heading: 'Integrations' },
      { page: ownerPage, path: `/integrations/${integration.slug}`, heading: 'Last 24 hours' },
      { page: ownerPage, path: `/integrations/${integration.slug}/production`, heading: 'Production gates' },
      { page: ownerPage, path: `/integrations/${integration.slug}/certificates?environment=production`, heading: / is (in use|ready), / },
      { page: adminPage, path: '/admin/gate', heading: 'Production gate' },
    ];
    for (const { page, path, heading } of pages) {
      const name = `production${path.replace(integration.slug, '').replaceAll(/[^a-z]+/g, '-')}-${colorScheme}`;
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.goto(path);
      await page.getByRole('heading', { name: heading, ...(typeof heading === 'string' && { exact: true }) }).waitFor();
      // Dark differs from light in its colours alone.
      expect([path, await accessibilityFindings(page, colorScheme === 'dark' ? ['color-contrast'] : undefined)]).toEqual([path, []]);
      await keepScreenshot(page, `${name}-1280`);
      await page.setViewportSize({ width: 360, height: 900 });
      expect([path, await overflow(page)]).toEqual([path, 0]);
      await keepScreenshot(page, `${name}-360`);
    }
  },
  240_000,
);

test('nothing on the way broke the content security policy or any script', () => {
  expect(watched.flatMap(({ complaints }) => complaints)).toEqual([]);
});
