import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import {
  accessibilityFindings,
  addVirtualAuthenticator,
  launchBrowser,
  openPage,
  type WatchedPage,
} from '../../support/browser/browser.ts';
import { alwaysMailed } from '../../../server/domain/notification/words/mailSubjects.ts';
import { createPasskey } from '../../support/browser/enrolment.ts';
import { keepScreenshot } from '../../support/browser/keepScreenshot.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import type { PortalClient } from '../../support/clients/portalClient.ts';
import { overflow } from '../../support/browser/overflow.ts';

const former = 'mila@nordlys.example';
const next = 'mila@elsewhere.example';

let application: PortalWorld;
let browser: Browser;
let watched: WatchedPage;
let page: Page;
beforeAll(async () => {
  [application, browser] = await Promise.all([openWorld({ portal: true }), launchBrowser()]);
  watched = await openPage(browser, { baseURL: application.portalUrl });
  ({ page } = watched);
  await addVirtualAuthenticator(page);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await application?.close();
});

/** The link in the newest mail to the address. */
async function mailedLink(address: string): Promise<string> {
  const [mail] = await application.browser().mails(address);
  return /https?:\/\/\S+#token=\S+/.exec(mail?.text ?? '')?.[0] ?? `no link for ${address}`;
}

/** The page's session over HTTP, for what this file is not about. */
async function sameSession(): Promise<PortalClient> {
  const client = application.browser();
  const cookies = await page.context().cookies();
  client.cookie = cookies.find(({ name }) => name === client.cookieName)?.value;
  return client;
}

async function register(address: string): Promise<void> {
  await page.goto('/register');
  await page.getByLabel('Email address').fill(address);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await page.getByRole('heading', { name: 'Check your email' }).waitFor();
  await page.goto(await mailedLink(address));
  await page.getByRole('button', { name: 'Confirm this address' }).click();
  await createPasskey(page);
}

const region = (name: string) => page.getByRole('region', { name });

/** Pictures and findings in light and dark, wide and narrow. */
async function look(name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await keepScreenshot(page, `${name}-${colorScheme}-${width}`);
      expect(await overflow(page)).toBe(0);
    }
    expect(await accessibilityFindings(page)).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 800 });
}

test('an operator asks for another address, and the page shows which of the two has confirmed', async () => {
  await register(former);
  await page.goto('/account');
  await region('Email address').getByLabel('New address').fill('nobody');
  await region('Email address').getByRole('button', { name: 'Send confirmation links' }).click();
  await page.getByText('Enter an email address like name@example.org.').waitFor();
  await region('Email address').getByLabel('New address').fill(next);
  await region('Email address').getByRole('button', { name: 'Send confirmation links' }).click();
  await page.getByText(`${next}: not confirmed yet`).waitFor();
  await page.getByText(`${former}: not confirmed yet`).waitFor();
  await look('account-address-pending');
}, 120_000);

test('opening a link changes nothing, so a mail scanner may; pressing the button confirms, in any browser', async () => {
  const links = { current: await mailedLink(former), new: await mailedLink(next) };
  const elsewhere = await openPage(browser, { baseURL: application.portalUrl });
  for (const link of [links.new, links.new, links.current]) {
    await elsewhere.page.goto('/');
    await elsewhere.page.goto(link);
    await elsewhere.page.getByRole('button', { name: 'Confirm from this address' }).waitFor();
    expect(elsewhere.page.url()).toBe(`${application.portalUrl}/confirm-address`);
  }
  await page.waitForResponse(`${application.portalUrl}/graphql`);
  await page.getByText(`${next}: not confirmed yet`).waitFor();

  await elsewhere.page.goto('/');
  await elsewhere.page.goto(links.new);
  await elsewhere.page.getByRole('button', { name: 'Confirm from this address' }).click();
  await elsewhere.page.getByRole('heading', { name: 'One more confirmation needed' }).waitFor();
  await elsewhere.page.getByText('Your new address has confirmed.').waitFor();
  await page.getByText(`${next}: confirmed`).waitFor();

  await elsewhere.page.goto('/');
  await elsewhere.page.goto(links.new);
  await elsewhere.page.getByRole('button', { name: 'Confirm from this address' }).click();
  await elsewhere.page.getByText('This link has been used or replaced, or is older than 20 minutes.').waitFor();
  expect(elsewhere.complaints).toEqual([]);
  await elsewhere.page.context().close();

  await page.goto(links.current);
  await page.getByText(`The address of the account changes to ${next} once both`).waitFor();
  await look('confirm-address');
  await page.getByRole('button', { name: 'Confirm from this address' }).click();
  await page.getByRole('heading', { name: 'Your address has been changed' }).waitFor();
}, 120_000);

test('all sessions have ended; the same passkey signs in, to the account with its new address', async () => {
  await page.getByRole('link', { name: 'Sign in again' }).click();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('heading', { name: 'You have no integrations yet' }).waitFor();
  await page.goto('/account');
  await region('Email address').getByText(`Current address: ${next}`).waitFor();
  for (const address of [former, next])
    expect((await application.browser().mails(address))[0]?.subject).toBe('The address of your account has changed');
}, 120_000);

test('optional mail is switched off for good, and what is always sent is told', async () => {
  const quotas = region('Notifications').getByRole('switch', { name: 'Quotas' });
  expect(await quotas.isChecked()).toBe(true);
  await Promise.all([page.waitForResponse(`${application.portalUrl}/graphql`), quotas.click()]);
  await page.reload();
  await region('Notifications').getByText(alwaysMailed).waitFor();
  expect([await quotas.isChecked(), await region('Notifications').getByRole('switch', { name: 'Reviews' }).isChecked()]).toEqual([
    false,
    true,
  ]);
  const { mutedNotifications } = await (await sameSession()).must<{ mutedNotifications: string[] }>('accountSettings');
  expect(mutedNotifications).toEqual(['quotas']);
}, 120_000);

test('while an integration is under review the account cannot be deleted, and the page says which one', async () => {
  const { slug } = await (await sameSession()).createIntegration({ publicName: 'Nordlys Tracker' });
  await application.rows("update integration set status = 'submitted' where slug = $1", [slug]);
  await page.reload();
  await region('Delete account').getByText('Nordlys Tracker is under review. Withdraw the submission or wait for the decision.').waitFor();
  expect(await page.getByRole('button', { name: 'Delete account…' }).isDisabled()).toBe(true);
  await look('account-deletion-blocked');
  await application.rows("update integration set status = 'rejected' where slug = $1", [slug]);
}, 120_000);

test('the dialog names what goes; with the passkey the account is deleted, and its passkey is worth nothing', async () => {
  await page.reload();
  await page.getByRole('button', { name: 'Delete account…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete this account permanently?' });
  await dialog.getByText(next).waitFor();
  await dialog.getByText('“Nordlys Tracker” is retired, its slug can never be used again').waitFor();
  await look('account-deletion-dialog');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Delete account…' }).click();
  // However long the next page takes, nothing of the account is shown meanwhile, and the reader is not sent to sign in.
  const script = Promise.withResolvers<void>();
  await page.route(/AccountDeletedPage/, (route) => script.promise.then(() => route.continue()));
  await dialog.getByRole('button', { name: 'Delete permanently' }).click();
  await region('Email address').waitFor({ state: 'detached' });
  expect(await page.getByRole('button', { name: 'Account menu' }).count()).toBe(0);
  expect(new URL(page.url()).pathname).toBe('/account');
  script.resolve();
  await page.getByRole('heading', { name: 'Your account has been deleted' }).waitFor();
  await look('account-deleted');
  expect((await application.browser().mails(next))[0]?.subject).toBe('Your account has been deleted');
  expect(watched.complaints).toEqual([]);

  await page.goto('/sign-in');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByText('This passkey does not open an account here.').waitFor();
}, 120_000);

test('the address registers again, as an account without integrations', async () => {
  await register(next);
  await page.getByLabel('I have saved them').check();
  await page.getByRole('button', { name: 'Continue to your first integration' }).click();
  await page.getByRole('heading', { name: 'New integration' }).waitFor();
}, 120_000);
