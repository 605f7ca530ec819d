import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { accessibilityFindings, launchBrowser, type WatchedPage } from '../support/browser/browser.ts';
import { keepScreenshot } from '../support/browser/keepScreenshot.ts';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';
import type { PortalClient } from '../support/clients/portalClient.ts';
import { confirmInBrowser, openPageAs } from '../support/browser/signedInBrowser.ts';
import { administrator } from '../support/clients/toolingClient.ts';
import { overflow } from '../support/browser/overflow.ts';

let application: PortalWorld;
let browser: Browser;
let administration: WatchedPage;
let operating: WatchedPage;
let admin: PortalClient;
let operator: PortalClient;
let slug: string;
beforeAll(async () => {
  [application, browser] = await Promise.all([openWorld({ portal: true }), launchBrowser()]);
  [admin, operator] = [await administrator(application), await application.operator()];
  await admin.confirmFreshly();
  ({ slug } = await operator.createIntegration({ publicName: 'Nordlys Tracker' }));
  administration = await openPageAs(browser, admin);
  operating = await openPageAs(browser, operator);
});
afterAll(async () => {
  await browser?.close();
  await application?.close();
});

/** Looks at a page in both colours and from narrow to wide. */
async function look(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await overflow(page)).toBe(0);
      await keepScreenshot(page, `${name}-${colorScheme}-${width}`);
    }
    expect(await accessibilityFindings(page, colorScheme === 'dark' ? ['color-contrast'] : undefined)).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 900 });
}

test('an administrator writes a version, looks at it as operators will, and publishes it after a word about what follows', async () => {
  const { page } = administration;
  await page.goto('/admin/terms');
  await page.getByRole('row').getByText('Version 1: Integration Terms').waitFor();
  const publish = page.getByRole('button', { name: 'Publish version 2…' });
  expect(await publish.isDisabled()).toBe(true);
  await page
    .getByRole('textbox', { name: 'Text, in Markdown' })
    .fill('# Integration Terms\n\n## 1. Licence\n\nStill non-commercial. &sect;&nbsp;1 &#8222;**Grün**“ &sol;');
  await page.getByText('Preview', { exact: true }).click();
  await page.getByRole('region', { name: 'Preview' }).getByRole('heading', { name: '1. Licence' }).waitFor();
  // Characters by the names that people write and by any number; the build leaves the other names as they are written.
  await page.getByText('Still non-commercial. §\u00a01 „Grün“ &sol;').waitFor();
  await look(page, 'admin-terms');
  await publish.click();
  const dialog = page.getByRole('dialog', { name: 'Publish version 2 of the terms?' });
  await dialog.getByText('It cannot be withdrawn or edited').waitFor();
  const changes = dialog.getByRole('region', { name: 'Changes to version 1' });
  expect(await changes.locator('ins').allInnerTexts()).toContainEqual(expect.stringContaining('Still non-commercial.'));
  expect(await accessibilityFindings(page)).toEqual([]);
  await keepScreenshot(page, 'admin-terms-dialog');
  await dialog.getByRole('button', { name: 'Publish version 2' }).click();
  await page.getByText('Version 2 is published. Operators are being notified by email.').waitFor();
  const versions = page.getByRole('table', { name: 'Versions' }).locator('tbody').getByRole('row');
  await versions.nth(1).waitFor();
  await versions.first().getByText('Current', { exact: true }).waitFor();
  await versions.first().getByText('Version 2: Integration Terms').waitFor();
  await versions.first().getByRole('link', { name: admin.email }).waitFor();
  await page.getByRole('link', { name: 'Version 1: Integration Terms' }).click();
  await page.waitForURL('**/terms/1');
  await page.getByText('These terms apply to every integration').waitFor();
  const old = page.getByRole('note').filter({ hasText: 'This is an old version. Version 2 is current.' });
  await old.waitFor();
  await look(page, 'old-terms');
  await old.getByRole('link', { name: 'Version 2' }).click();
  await page.waitForURL('**/terms/2');
  await page.getByText('Still non-commercial.').waitFor();
  expect(await old.count()).toBe(0);
}, 120_000);

test('a version that is being written is not left without a question', async () => {
  const { page } = administration;
  await page.goto('/admin/terms');
  await page.getByRole('textbox', { name: 'Text, in Markdown' }).fill('# Being written');
  await page.getByRole('link', { name: 'Audit', exact: true }).click();
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay' }).click();
  expect(await page.getByRole('textbox', { name: 'Text, in Markdown' }).inputValue()).toBe('# Being written');
  expect(page.url()).toMatch(/\/admin\/terms$/);
});

test('a text that cannot be is said at its field', async () => {
  const { page } = administration;
  await page.goto('/admin/terms');
  await page.getByRole('textbox', { name: 'Text, in Markdown' }).fill(' ');
  await page.getByRole('button', { name: 'Publish version 3…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish version 3' }).click();
  await page.locator('form').getByText('The terms have no text yet.').last().waitFor();
});

test('an operator is told on every page what waits, reads the new version, and accepts it with both statements', async () => {
  const { page } = operating;
  for (const path of ['/integrations', `/integrations/${slug}`, '/integrations/new']) {
    await page.goto(path);
    await page.getByText('Version 2 of the Integration Terms is waiting for your acceptance.').waitFor();
  }
  await page.goto('/integrations');
  await keepScreenshot(page, 'terms-notice');
  await page.getByRole('link', { name: 'Read and accept' }).click();
  await page.getByRole('heading', { name: 'Accept version 2 of the Integration Terms' }).waitFor();
  await page.getByText('Until you accept it, you cannot create an integration').waitFor();
  expect(await page.getByText('is waiting for your acceptance').count()).toBe(0);
  const changes = page.getByRole('region', { name: 'Changes since version 1' });
  expect(await changes.getByRole('insertion').allTextContents()).toEqual([expect.stringContaining('added: Still non-commercial.')]);
  expect(await changes.getByRole('deletion').count()).toBeGreaterThan(3);
  await look(page, 'accept-terms');
  await page.getByText('Whole text', { exact: true }).click();
  await page.getByRole('heading', { name: '1. Licence' }).waitFor();
  expect(await changes.count()).toBe(0);
  const accept = page.getByRole('button', { name: 'Accept version 2' });
  await page.getByRole('checkbox', { name: 'I use the data non-commercially' }).check();
  await accept.click();
  await page.getByText('Accept the attribution rules.').waitFor();
  await page.getByRole('checkbox', { name: 'I follow the attribution and app-link rules' }).check();
  await accept.click();
  await page.getByText('You have accepted version 2, the current version.').waitFor();
  const acceptances = page.getByRole('table', { name: 'Accepted terms' }).locator('tbody').getByRole('row');
  await acceptances.nth(1).waitFor();
  expect(await acceptances.allInnerTexts()).toEqual([
    expect.stringMatching(/version 2[^]*just now/),
    expect.stringMatching(/version 1[^]*\d\.\d/),
  ]);
  await page.goto('/integrations');
  await page.getByRole('heading', { name: 'Integrations', exact: true }).waitFor();
  expect(await page.getByText('is waiting for your acceptance').count()).toBe(0);
}, 120_000);

test('an owner reports a change of business model on the profile page; an administrator answers with an agreement, and withdraws it', async () => {
  const { page } = operating;
  await page.goto(`/integrations/${slug}/profile`);
  const unfold = () => page.locator('summary').filter({ hasText: 'Business model' }).click();
  await unfold();
  const panel = page.getByRole('region', { name: 'Business model' });
  await panel.getByText('the standard non-commercial licence applies').waitFor();
  await panel.getByRole('link', { name: 'support@localhost' }).waitFor();
  await panel.getByRole('button', { name: 'Report change' }).click();
  await panel.getByText('The description must have 1 to 2,000 characters.').waitFor();
  await panel.getByRole('textbox', { name: 'What will change?' }).fill('From March on a premium plan is planned.');
  await panel.getByRole('button', { name: 'Report change' }).click();
  await panel.getByText('Reported. Wait for a written agreement').waitFor();
  await panel.getByRole('table', { name: 'Reported changes' }).getByText('From March on a premium plan is planned.').waitFor();

  const { page: desk } = administration;
  await confirmInBrowser(desk, admin);
  await desk.goto(`/admin/integrations/${slug}`);
  const other = desk.getByRole('region', { name: 'Business model' });
  await other.getByText('From March on a premium plan is planned.').waitFor();
  await desk
    .getByRole('button', { name: /^Actions for / })
    .first()
    .click();
  await desk.getByRole('menuitem', { name: 'Record an agreement' }).click();
  const form = desk.getByRole('dialog', { name: /^Record an agreement for / });
  await form.getByRole('textbox', { name: 'Reference' }).fill('OIS-2026-014');
  await form.getByRole('textbox', { name: 'Summary' }).fill('A premium plan of at most 5 EUR a month.');
  await form.getByRole('button', { name: 'Record agreement' }).click();
  await form.getByText('Enter a day such as 2026-12-31.').waitFor();
  await form.getByLabel('First day').fill('2026-01-01');
  await form.getByRole('button', { name: 'Record agreement' }).click();
  const agreement = other.getByRole('table', { name: 'Commercial agreements' });
  await agreement.getByText('Valid', { exact: true }).waitFor();
  await look(desk, 'admin-agreements');

  await page.reload();
  await unfold();
  await panel.getByText('From 2026-01-01 with no end date').waitFor();
  await look(page, 'business-model');

  await agreement.getByRole('button', { name: 'Withdraw OIS-2026-014' }).click();
  const dialog = desk.getByRole('dialog', { name: 'Withdraw this agreement?' });
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('The contract was ended.');
  await dialog.getByRole('button', { name: 'Withdraw agreement' }).click();
  await agreement.getByText('Withdrawn', { exact: true }).waitFor();
}, 180_000);

test('the account page lists the acceptances', async () => {
  const { page } = operating;
  await page.goto('/account');
  await page.getByRole('table', { name: 'Accepted terms' }).getByText('Integration Terms, version 2').waitFor();
});

test('nothing on the way broke the content security policy or any script', () => {
  expect([...administration.complaints, ...operating.complaints]).toEqual([]);
});
