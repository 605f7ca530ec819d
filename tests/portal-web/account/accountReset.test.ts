import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { accessibilityFindings, addVirtualAuthenticator, launchBrowser, openPage } from '../../support/browser/browser.ts';
import { openPageAs } from '../../support/browser/signedInBrowser.ts';
import { accountOf } from '../../support/clients/accountClient.ts';
import type { PortalClient } from '../../support/clients/portalClient.ts';
import { administrator } from '../../support/clients/toolingClient.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';

const hour = 60 * 60 * 1000;

let application: PortalWorld;
let browser: Browser;
let admins: [PortalClient, PortalClient];
beforeAll(async () => {
  [application, browser] = await Promise.all([openWorld({ portal: true }), launchBrowser()]);
  admins = [await administrator(application), await administrator(application)];
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await application?.close();
});

/** The page of the account, on which one administrator asks for the reset and the other approves it. */
async function resetByBoth(operatorId: string): Promise<void> {
  const [asking, approving] = await Promise.all(
    admins.map(async (admin) => {
      await admin.confirmFreshly();
      return (await openPageAs(browser, admin)).page;
    }),
  );
  if (!asking || !approving) throw new Error('There are two administrators.');
  await asking.goto(`/admin/operators/${operatorId}`);
  await asking.getByRole('button', { name: 'Request a reset' }).click();
  await asking.getByRole('dialog').getByLabel('Reason').fill('Phone lost');
  await asking.getByRole('dialog').getByLabel('Proof').fill('Called back the number on record');
  expect(await accessibilityFindings(asking)).toEqual([]);
  await asking.getByRole('dialog').getByRole('button', { name: 'Request a reset' }).click();
  await asking.getByText('Not approved yet').waitFor();
  expect(await asking.getByRole('button', { name: 'Approve reset' }).count()).toBe(0);

  await approving.goto('/admin');
  await approving.getByRole('link', { name: 'Open the account: 1 account reset waiting for a second administrator' }).click();
  await approving.getByText('Called back the number on record').waitFor();
  await approving.getByRole('button', { name: 'Approve reset' }).click();
  await approving.getByRole('dialog').getByRole('button', { name: 'Approve reset' }).click();
  await approving.getByText('Not approved yet').waitFor({ state: 'detached' });
  await Promise.all([asking.context().close(), approving.context().close()]);
}

test('one administrator asks for a reset, another approves it, and the owner sees it and cancels it', async () => {
  const owner = await application.operator();
  await resetByBoth((await accountOf(owner)).operatorId);
  const { page } = await openPageAs(browser, owner);
  await page.goto('/account');
  const notice = page.getByRole('alert').filter({ hasText: 'Administrators want to reset this account' });
  await notice.getByText('“Phone lost”').waitFor();
  expect(await accessibilityFindings(page)).toEqual([]);
  await notice.getByRole('button', { name: 'Cancel the reset' }).click();
  await notice.waitFor({ state: 'detached' });
  await page.context().close();
}, 120_000);

async function readWarning(page: Page): Promise<void> {
  const warning = page.getByRole('alert').filter({ hasText: 'A reset of this account was approved' });
  await warning.getByText('all passkeys, recovery codes and sessions').waitFor();
  await warning.getByRole('link', { name: 'sign in' }).waitFor();
  expect(await accessibilityFindings(page)).toEqual([]);
}

test('code and link of a reset say what they end before they do it, and what is too late leads to another link', async () => {
  const owner = await application.operator();
  await resetByBoth((await accountOf(owner)).operatorId);
  application.clock.advance(73 * hour);
  const { page } = await openPage(browser, { baseURL: application.portalUrl });
  await addVirtualAuthenticator(page);
  const ask = async () => {
    await page.getByLabel('Email address').fill(owner.email);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByLabel('Code from the email').waitFor();
    return (await application.browser().mails(owner.email))[0]?.text ?? '';
  };
  await page.goto('/register');
  const code = /^Code: (\S+)$/m.exec(await ask())?.[1] ?? '';
  await page.getByLabel('Code from the email').fill(code);
  await page.getByRole('button', { name: 'Continue' }).click();
  await readWarning(page);
  await page.getByRole('button', { name: 'Reset this account' }).click();
  await page.getByLabel('Passkey name').fill('Laptop');
  application.clock.advance(hour / 2);
  await page.getByRole('button', { name: 'Create passkey' }).click();
  await page.getByRole('heading', { name: 'This step has ended' }).waitFor();
  await page.getByRole('link', { name: 'Request a new link' }).click();

  const link = /\/verify\S+/.exec(await ask())?.[0] ?? '';
  await page.goto(link);
  await page.getByRole('heading', { name: 'Reset your account' }).waitFor();
  await readWarning(page);
  await page.getByRole('button', { name: 'Reset this account' }).click();
  await page.getByLabel('Passkey name').fill('Laptop');
  await page.getByRole('button', { name: 'Create passkey' }).click();
  await page.getByLabel('I have saved them').waitFor();
  await page.context().close();
}, 120_000);
