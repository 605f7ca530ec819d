import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { accessibilityFindings, launchBrowser, type WatchedPage } from '../support/browser/browser.ts';
import { keepEveryScreenshot } from '../support/browser/keepScreenshot.ts';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';
import type { CertificateData, PortalClient } from '../support/clients/portalClient.ts';
import { clientNumber, revokedCertificates } from '../support/world/revocationFixtures.ts';
import { openPageAs } from '../support/browser/signedInBrowser.ts';

let application: PortalWorld;
let browser: Browser;
let operator: PortalClient;
let watched: WatchedPage;
let page: Page;
let slug: string;
let usable: CertificateData;
beforeAll(async () => {
  [application, browser] = await Promise.all([openWorld({ portal: true }), launchBrowser()]);
  operator = await application.operator();
  const integration = await operator.createIntegration();
  ({ slug } = integration);
  usable = await operator.issuedCertificate(integration);
  const no = await clientNumber(application, slug);
  await revokedCertificates(application, no, 30);
  watched = await openPageAs(browser, operator);
  ({ page } = watched);
  page.setDefaultTimeout(15_000);
});
afterAll(async () => {
  await browser?.close();
  await application?.close();
});

const cards = () => page.getByRole('article', { name: /^Certificate crt_/ });

test('an operator finds the certificate in use first, however many were revoked since, and turns to the others', async () => {
  await page.goto(`/integrations/${slug}/certificates`);
  await cards()
    .first()
    .getByText(usable.serial ?? '')
    .waitFor();
  expect(await cards().count()).toBe(20);
  await page.getByRole('link', { name: 'Next page' }).click();
  await page.getByRole('link', { name: 'Previous page' }).waitFor();
  // The page before stays until the next one is there.
  await cards().nth(19).waitFor({ state: 'detached' });
  expect(await cards().count()).toBe(11);
  expect(await accessibilityFindings(page)).toEqual([]);
  await page.getByRole('link', { name: 'Previous page' }).click();
  await cards()
    .first()
    .getByText(usable.serial ?? '')
    .waitFor();
});

/** Answers every query for a later page with an error of this code, until the function that it returns is called. */
async function refuseLaterPages(code: string): Promise<() => Promise<void>> {
  await page.route('**/graphql', (route) =>
    route.request().postData()?.includes('"after":"')
      ? route.fulfill({ json: { errors: [{ message: 'No.', extensions: { code } }] } })
      : route.fallback(),
  );
  return () => page.unroute('**/graphql');
}

test('a page that cannot be read leaves the operator the previous one, what they have typed, and another try', async () => {
  await page.goto(`/integrations/${slug}/certificates`);
  const request = page.getByRole('textbox', { name: 'Certificate request (PEM)' });
  await request.fill('Not yet complete');
  const answer = await refuseLaterPages('INTERNAL_SERVER_ERROR');
  await page.getByRole('link', { name: 'Next page' }).click();
  const list = page.getByRole('region', { name: 'Your certificates' });
  await list.getByText('Something went wrong on our side.').waitFor();
  expect(await cards().count()).toBe(20);
  expect(await list.locator('[aria-busy]').count()).toBe(0);
  expect(await request.inputValue()).toBe('Not yet complete');
  expect(await accessibilityFindings(page)).toEqual([]);
  await keepEveryScreenshot(page, 'list-failure');
  await answer();
  await list.getByRole('button', { name: 'Try again' }).click();
  await cards().nth(19).waitFor({ state: 'detached' });
  expect(await cards().count()).toBe(11);
  expect(await list.getByText('Something went wrong').count()).toBe(0);
  await page.locator('[role="group"][aria-label="Your certificates, page 2"]:focus').waitFor();
  expect(await request.inputValue()).toBe('Not yet complete');
});

test('an operator whose page is older than the portal is told so and offered to reload it, and loses nothing before', async () => {
  await page.goto(`/integrations/${slug}/certificates`);
  const request = page.getByRole('textbox', { name: 'Certificate request (PEM)' });
  await request.fill('Not yet complete');
  const answer = await refuseLaterPages('GRAPHQL_VALIDATION_FAILED');
  await page.getByRole('link', { name: 'Next page' }).click();
  await page.getByRole('alert').getByText('The portal has been updated since you opened this page.').waitFor();
  expect(await request.inputValue()).toBe('Not yet complete');
  expect(await accessibilityFindings(page)).toEqual([]);
  await keepEveryScreenshot(page, 'portal-updated');
  await answer();
  await page.getByRole('button', { name: 'Reload the page' }).click();
  await page
    .getByRole('group', { name: 'Your certificates, a later page' })
    .or(page.getByRole('group', { name: 'Your certificates, page 2' }))
    .waitFor();
  expect(await page.getByText('The portal has been updated').count()).toBe(0);
});

test('one that is revoked leaves its slot to the others, and the next can be requested', async () => {
  await operator.confirmFreshly();
  await operator.revokeCertificate(usable.id);
  await page.goto(`/integrations/${slug}/certificates`);
  await cards().nth(19).waitFor();
  expect(await page.getByRole('button', { name: 'Revoke' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Request certificate' }).waitFor();
  expect(watched.complaints).toEqual([]);
});
