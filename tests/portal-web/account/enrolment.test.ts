import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { accessibilityFindings, addVirtualAuthenticator, launchBrowser, openPage } from '../../support/browser/browser.ts';
import { confirmAddress, createPasskey } from '../../support/browser/enrolment.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';

let application: PortalWorld;
let browser: Browser;
beforeAll(async () => {
  [application, browser] = await Promise.all([openWorld({ portal: true }), launchBrowser()]);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await application?.close();
});

async function visit(email: string): Promise<{ page: Page; token: string; code: string }> {
  const { page } = await openPage(browser, { baseURL: application.portalUrl });
  await addVirtualAuthenticator(page);
  await page.goto('/register');
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await page.getByLabel('Code from the email').waitFor();
  const text = (await application.browser().mails(email))[0]?.text ?? '';
  const [token = '', code = ''] = [/#token=([\w-]+)/.exec(text)?.[1], /^Code: (\S+)$/m.exec(text)?.[1]];
  return { page, token, code };
}

test('the page to register begins in its field for who opens the portal there', async () => {
  const { page } = await openPage(browser, { baseURL: application.portalUrl });
  await page.goto('/register');
  await page.locator('input[name="email"]:focus').waitFor();
  await page.goto('/');
  await page.getByRole('main').getByRole('link', { name: 'Register' }).click();
  await page.locator('input[name="email"]:focus').waitFor();
  await page.context().close();
});

test('the first page speaks of the test data in a whole sentence, also where it cannot learn how much there is', async () => {
  const { page } = await openPage(browser, { baseURL: application.portalUrl });
  await page.route('**/graphql', (route) => route.abort());
  await page.goto('/');
  await page.getByText('The sandbox fills with test data: orders and stock vehicles.').waitFor();
  await page.unroute('**/graphql');
  await page.reload();
  await page.getByText('The sandbox fills with test data: up to 500 orders and 50 stock vehicles.').waitFor();
  await page.context().close();
});

test('the development mailbox shows each mail as it comes, and is not reloaded meanwhile', async () => {
  const { page, complaints } = await openPage(browser, { baseURL: application.portalUrl });
  await page.goto('/dev/mailbox');
  for (const address of ['first@example.com', 'second@example.com']) {
    await application.browser().verificationToken(address);
    await page.getByText(`To ${address}`).waitFor();
  }
  const loaded = await page.evaluate('performance.timeOrigin');
  await page.waitForResponse((answer) => answer.url().endsWith('/dev/mailbox'));
  expect(await page.evaluate('performance.timeOrigin')).toBe(loaded);
  expect(complaints).toEqual([]);
  await page.context().close();
});

test('the code from the email leads on where it was asked for, without the link', async () => {
  const { page, code } = await visit('code@example.com');
  expect(await accessibilityFindings(page)).toEqual([]);
  // That the code can be entered here is said first, and on a development server where its mail is.
  await page.getByText('or enter its code here').waitFor();
  const mailbox = page.getByRole('link', { name: 'Open the development mailbox' });
  await mailbox.waitFor();
  expect((await mailbox.boundingBox())?.y ?? Infinity).toBeLessThan((await page.getByLabel('Code from the email').boundingBox())?.y ?? 0);
  // The one prominent button is what comes next: first the email, and then its code.
  const prominent = page.locator('main [data-variant="filled"]');
  expect(await prominent.allInnerTexts()).toEqual(['Open the development mailbox']);
  await page.getByLabel('Code from the email').fill('wrong');
  expect(await prominent.allInnerTexts()).toEqual(['Continue with the code']);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('8 letters and digits, such as').waitFor();
  await page.getByLabel('Code from the email').fill(code.toUpperCase());
  await page.getByRole('button', { name: 'Continue' }).click();
  await createPasskey(page);
  await page.context().close();
}, 120_000);

test('a browser that cannot create passkeys says so before the link is used up', async () => {
  const { page, token } = await visit('no-passkeys@example.com');
  const other = await openPage(browser, { baseURL: application.portalUrl });
  await other.page.addInitScript(() => Reflect.deleteProperty(globalThis, 'PublicKeyCredential'));
  await other.page.goto(`/verify#token=${token}`);
  await other.page.getByRole('heading', { name: 'Open this link in another browser' }).waitFor();
  await other.page.getByRole('button', { name: 'Copy the link' }).waitFor();
  expect(await accessibilityFindings(other.page)).toEqual([]);
  await other.page.context().close();
  await confirmAddress(page, token);
  await createPasskey(page);
  await page.context().close();
}, 120_000);

test('a link that has been used leads to where its use has led: on with the passkey, or to signing in', async () => {
  const { page, token } = await visit('used@example.com');
  await confirmAddress(page, token);
  await page.getByLabel('Passkey name').waitFor();
  const again = await page.context().newPage();
  await confirmAddress(again, token);
  await again.getByText('This link has been used').waitFor();
  await again.getByRole('link', { name: 'Continue with your passkey' }).click();
  await again.getByLabel('Passkey name').waitFor();
  await createPasskey(page);
  const { page: elsewhere } = await openPage(browser, { baseURL: application.portalUrl });
  await confirmAddress(elsewhere, token);
  await elsewhere.getByRole('link', { name: 'Sign in' }).last().click();
  await elsewhere.getByRole('heading', { name: 'Sign in' }).waitFor();
  await Promise.all([page.context().close(), elsewhere.context().close()]);
}, 120_000);

test('a link that nothing is known of leads to a new one, said once', async () => {
  const { page } = await openPage(browser, { baseURL: application.portalUrl });
  await confirmAddress(page, 'unknown');
  await page.getByText('This link has been used or is older than 20 minutes.').waitFor();
  expect(await page.getByText(/enter the code/).count()).toBe(1);
  await page.getByRole('link', { name: 'Request a new link' }).click();
  await page.getByRole('heading', { name: 'Register' }).waitFor();
  await page.context().close();
}, 120_000);

test('a button without a frame has the colour of links, in the light and in the dark', async () => {
  const { page } = await visit('colours@example.com');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
    const [button, link] = await page.evaluate<string[]>(`{
      const link = document.body.appendChild(document.createElement('span'));
      link.style.color = 'var(--mantine-color-anchor)';
      [document.querySelector('main button[data-variant="subtle"]'), link].map((each) => getComputedStyle(each).color);
    }`);
    expect(button).toBe(link);
  }
  await page.context().close();
}, 120_000);

test('the field for the code is still there after a reload, and goes with another address', async () => {
  const { page, code } = await visit('reloaded@example.com');
  await page.reload();
  await page.getByText('reloaded@example.com').waitFor();
  expect(page.url()).not.toContain('reloaded');
  await page.getByRole('button', { name: 'Use another address, or send it again' }).click();
  await page.getByLabel('Email address').waitFor();
  await page.goBack();
  await page.getByLabel('Code from the email').fill(code);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Passkey name').waitFor();
  await page.context().close();
}, 120_000);

test('a name that the service would refuse is refused before the device makes a passkey, and kept whole', async () => {
  const { page, code } = await visit('names@example.com');
  await page.getByLabel('Code from the email').fill(code);
  await page.getByRole('button', { name: 'Continue' }).click();
  const name = page.getByLabel('Passkey name');
  const create = page.getByRole('button', { name: 'Create passkey' });
  await name.fill('\u3164');
  await create.click();
  await page.getByText('Give the passkey a name that you will recognise later.').waitFor();
  await name.fill('x'.repeat(75));
  expect(await name.inputValue()).toBe('x'.repeat(75));
  await page.getByText('This has 75 characters. The maximum is 60.').waitFor();
  await create.click();
  await name.waitFor();
  await createPasskey(page);
  await page.context().close();
}, 120_000);
