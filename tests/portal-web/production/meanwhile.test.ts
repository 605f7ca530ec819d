import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { accessibilityFindings, launchBrowser } from '../../support/browser/browser.ts';
import { keepScreenshot } from '../../support/browser/keepScreenshot.ts';
import { fillInSubmission } from '../../support/browser/reviewInBrowser.ts';
import { openPageAs } from '../../support/browser/signedInBrowser.ts';
import type { PortalClient } from '../../support/clients/portalClient.ts';
import { administrator } from '../../support/clients/toolingClient.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { newerTerms } from '../../support/world/profileFixtures.ts';
import { addLogo, approve, approvedIntegration, reviewer, submit } from '../../support/world/reviewPath.ts';

let application: PortalWorld;
let browser: Browser;
let owner: PortalClient;
let page: Page;
beforeAll(async () => {
  [application, browser] = await Promise.all([openWorld({ portal: true }), launchBrowser()]);
});
beforeEach(async () => {
  owner = await application.operator();
  const [{ version } = { version: 1 }] = await application.rows<{ version: number }>('select max(version) as version from terms_version');
  await owner.acceptTerms(version);
  await owner.confirmFreshly();
  ({ page } = await openPageAs(browser, owner));
});
afterEach(() => page.context().close());
afterAll(async () => {
  await browser?.close();
  await application?.close();
});

const current = async () =>
  (await application.rows<{ version: number }>('select max(version) as version from terms_version'))[0]?.version ?? 0;
const link = async () => page.getByRole('link', { name: `Read and accept version ${await current()} of the terms` });

/** Terms that appear while the command is under way: earlier, the open page might hear of them and forbid it. */
async function publishTermsDuring(command: string): Promise<void> {
  await page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes(command)) await newerTerms(application, application.clock.now());
    await route.continue();
  });
}

test('an administrator is told that the owner has never activated what they reactivate', async () => {
  const { id, slug } = await approvedIntegration(application, owner, { publicName: 'Nordlys Tracker' });
  const admin = await administrator(application);
  await admin.confirmFreshly();
  await admin.must('suspendIntegration', { input: { integrationId: id, reason: 'A complaint' } });
  const watched = await openPageAs(browser, admin);
  const staff = watched.page;
  await staff.goto(`/admin/integrations/${slug}`);
  await staff.getByRole('button', { name: 'Actions for Nordlys Tracker', exact: true }).click();
  await staff.getByRole('menuitem', { name: 'Reactivate', exact: true }).click();
  await staff.getByRole('dialog').getByText('Its owner has never activated it').waitFor();
  await keepScreenshot(staff, 'reactivation-in-place-of-owner');
  await staff.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('Their launch is tonight');
  await staff.getByRole('dialog').getByRole('button', { name: 'Reactivate' }).click();
  await staff.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await application.rows('select status from integration where id = $1', [id])).toEqual([{ status: 'active' }]);
  await application.work();
  await page.goto('/inbox');
  const news = page.getByText('Activated by an administrator: Nordlys Tracker');
  await news.waitFor();
  await keepScreenshot(page, 'news-activated-by-administrator');
  await news.getByRole('link', { name: 'Nordlys Tracker', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Nordlys Tracker' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/integrations/${slug}`);
  await watched.page.context().close();
}, 60_000);

test('the pages of an integration that was retired in the sandbox say nothing of production, and nothing is due', async () => {
  const { slug } = await owner.createIntegration({ publicName: 'Nordlys Tracker' });
  await page.goto(`/integrations/${slug}/profile`);
  await page.getByText('Retire this integration for good').click();
  await page.getByRole('button', { name: 'Retire this integration', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('The sandbox’s test data is removed.').waitFor();
  expect(await dialog.getByText('you have 7 days to delete').count()).toBe(0);
  await keepScreenshot(page, 'retire-sandbox-dialog');
  await dialog.getByLabel('Type the slug to confirm').fill(slug);
  await dialog.getByRole('button', { name: 'Retire for good' }).click();
  await dialog.waitFor({ state: 'detached' });
  await application.work();
  for (const tab of ['', '/profile', '/deletions', '/certificates', '/requests', '/webhooks']) {
    await page.goto(`/integrations/${slug}${tab}`);
    await page.getByRole('region', { name: /^Sandbox: retired for good; every call is refused\. Retired\.$/ }).waitFor();
    expect(await page.getByRole('region', { name: /^Production/ }).count()).toBe(0);
  }
  await page.goto(`/integrations/${slug}/deletions`);
  await page.getByText(/The integration is retired, so no more follow/).waitFor();
  await keepScreenshot(page, 'retired-sandbox-deletions');
}, 60_000);

/** The pages of a submission, whose approval the page hears of once `arrive` is called. */
async function approvalOnItsWay(): Promise<{ readonly arrive: () => void }> {
  const { id, slug } = await owner.createIntegration({ publicName: 'Nordlys Tracker' });
  const submission = await submit(application, owner, { id });
  await page.goto(`/integrations/${slug}/production`);
  await page.getByRole('heading', { name: 'Review of submission 1' }).waitFor();
  const arrives = Promise.withResolvers<void>();
  await page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes('query Integration(')) await arrives.promise;
    await route.continue();
  });
  await approve(application, await reviewer(application), submission);
  await page.waitForRequest((request) => request.postData()?.includes('query Integration(') ?? false);
  return { arrive: arrives.resolve };
}

const isOnOverview = async () => {
  await page.getByRole('region', { name: 'Go live, step 3 of 5: activate the integration', exact: true }).waitFor();
  await page.waitForURL(/\/integrations\/[^/]+\?environment=sandbox$/);
};

test('an approval that arrives while the reader waits for another tab does not bring them back', async () => {
  const script = Promise.withResolvers<void>();
  await page.route('**/IntegrationOverviewPage*', async (route) => {
    await script.promise;
    await route.continue();
  });
  const { arrive } = await approvalOnItsWay();
  await page.getByRole('main').getByRole('link', { name: 'Overview', exact: true }).first().click();
  arrive();
  await page.getByText('Approved', { exact: true }).first().waitFor();
  script.resolve();
  await isOnOverview();
});

test('an approval that arrives before the tab that was pressed is drawn does not bring the reader back', async () => {
  const { arrive } = await approvalOnItsWay();
  const pressed = page
    .getByRole('main')
    .getByRole('link', { name: 'Overview', exact: true })
    .first()
    .evaluate((element, milliseconds) => {
      element.click();
      // A slow machine: the answer is there before the page of the tab is.
      for (const end = performance.now() + milliseconds; performance.now() < end;);
    }, 1_000);
  arrive();
  await pressed;
  await isOnOverview();
});

test('they are linked from the refusal of an activation as well', async () => {
  const { slug } = await approvedIntegration(application, owner);
  await page.goto(`/integrations/${slug}/production`);
  await page.getByRole('button', { name: 'Activate for production' }).click();
  await publishTermsDuring('activateForProduction');
  await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click();
  await page.getByRole('dialog').getByText('Integration Terms first.').waitFor();
  await (await link()).waitFor();
  await keepScreenshot(page, 'activation-newer-terms');
});

test('terms that are published while the submission page is open are linked from its refusal, and what was written stays', async () => {
  const { data } = await owner.tryCreateIntegration({ termsVersion: await current() });
  const { id = '', slug = '' } = data ?? {};
  await addLogo(application, id);
  await page.goto(`/integrations/${slug}/production`);
  await page.getByRole('listitem', { name: 'Logo upload' }).getByText('Done').waitFor();
  await publishTermsDuring('submitForReview');
  await fillInSubmission(page);
  const refusal = page.getByRole('alert').getByText('of the Integration Terms first.');
  await refusal.waitFor();
  expect(await refusal.textContent()).toContain(`Accept version ${await current()} of`);
  await (await link()).waitFor();
  await page.getByText(`Version ${await current()} of the Integration Terms is waiting for your acceptance.`).waitFor();
  expect(await accessibilityFindings(page)).toEqual([]);
  await keepScreenshot(page, 'submission-newer-terms');
  await (await link()).click();
  await page.waitForURL('**/accept-terms**');
  await owner.acceptTerms(await current());
  await page.goto(`/integrations/${slug}/production`);
  expect(await page.getByLabel('Review address').inputValue()).toBe('https://www.nordlys-tracker.com/demo');
}, 60_000);
