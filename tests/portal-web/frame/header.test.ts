import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { grantRole } from '../../../server/domain/programme/grantRole.ts';
import { accessibilityFindings, launchBrowser, untilPainted } from '../../support/browser/browser.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import type { PortalClient } from '../../support/clients/portalClient.ts';
import { SandboxClient } from '../../support/clients/sandboxClient.ts';
import { openPageAs } from '../../support/browser/signedInBrowser.ts';
import { overflow } from '../../support/browser/overflow.ts';

const terminal = { type: 'system', name: 'terminal' } as const;

let application: PortalWorld;
let browser: Browser;
let operator: PortalClient;
let staff: PortalClient;

beforeAll(async () => {
  [application, browser] = await Promise.all([openWorld({ portal: true }), launchBrowser()]);
  operator = await application.operator();
  staff = await application.operator('somebody.with-a-rather-long-address@order-tracking.example');
  for (const role of ['reviewer', 'administrator'] as const) {
    await grantRole(application.orm.em.fork(), { actor: terminal, email: staff.email, role, now: application.clock.now() });
  }
});
afterAll(async () => {
  await browser?.close();
  await application?.close();
});

test.each([360, 800, 1280])(
  'at %i px the header of an account with every role and a long address is one line of 48 px like everybody’s, and nothing runs over',
  async (width) => {
    for (const reader of [operator, staff]) {
      const { page } = await openPageAs(browser, reader, { viewport: { width, height: 800 } });
      await page.goto('/integrations');
      await page.getByRole('button', { name: 'Account menu' }).click();
      await page.getByText(reader.email).waitFor();
      expect((await page.getByRole('banner').boundingBox())?.height).toBe(48);
      expect(await overflow(page)).toBe(0);
      await page.context().close();
    }
  },
);

test('the header’s tools are there with the page, once their script is', async () => {
  const { page } = await openPageAs(browser, staff, { viewport: { width: 1280, height: 800 } });
  const loaded = page.waitForResponse(/\/assets\/SignedInHeader-[^/]+\.js$/).then((response) => response.finished());
  await page.route('**/graphql', async (route) => {
    await loaded;
    await route.continue();
  });
  await page.addInitScript(`new MutationObserver((_changes, observer) => {
    if (!document.querySelector('main h1')) return;
    document.documentElement.dataset.tools = String(document.querySelector('[aria-label="Account menu"]') !== null);
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true })`);
  await page.goto('/account');
  await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
  expect(await page.locator('html').getAttribute('data-tools')).toBe('true');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.context().close();
});

test('a page for those who are signed in asks for its header before it is known who reads; its links do not wait for that script', async () => {
  const { page } = await openPageAs(browser, staff, { viewport: { width: 1280, height: 800 } });
  const script = /\/assets\/SignedInHeader-[^/]+\.js$/;
  const asked = Promise.withResolvers<void>();
  const comes = Promise.withResolvers<void>();
  await page.route('**/graphql', async (route) => {
    await asked.promise;
    await route.continue();
  });
  await page.route(script, async (route) => {
    asked.resolve();
    await comes.promise;
    await route.continue();
  });
  await page.goto('/account');
  await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
  expect(await links.allInnerTexts()).toEqual(['Integrations', 'Review', 'Admin', 'Docs']);
  const before = await links.last().boundingBox();
  comes.resolve();
  await page.getByRole('button', { name: 'Account menu' }).waitFor();
  expect(await links.last().boundingBox()).toEqual(before);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.context().close();
});

test('where the header has no room for its links, the account menu has them; Esc closes it and leaves the reader at its button', async () => {
  const { page } = await openPageAs(browser, staff, { viewport: { width: 360, height: 800 } });
  await page.goto('/account');
  const button = page.getByRole('button', { name: 'Account menu' });
  await button.focus();
  await page.keyboard.press('Enter');
  const links = page.getByRole('navigation', { name: 'Account' }).getByRole('link');
  expect(await links.allInnerTexts()).toEqual(['Integrations', 'Review', 'Admin', 'Docs', 'Account', 'Activity']);
  await page.keyboard.press('Escape');
  expect(await links.first().isVisible()).toBe(false);
  expect(await button.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
  await button.click();
  await links.getByText('Docs').click();
  await page.getByRole('heading', { level: 1, name: 'Documentation' }).waitFor();
  expect(await links.first().isVisible()).toBe(false);
  await page.context().close();
});

describe('the search', () => {
  const field = (page: Page) => page.getByRole('combobox', { name: 'Search or paste an ID' });
  const options = (page: Page) => page.getByRole('listbox', { name: 'Results' }).getByRole('option');
  const paste = (page: Page, text: string, into = 'body') =>
    page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', ${JSON.stringify(text)});
      document.querySelector(${JSON.stringify(into)}).dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    })()`);

  test('an ID that is pasted anywhere leads to its page without a click; what is pasted into a field stays there', async () => {
    const { slug, clientId } = await operator.createIntegration();
    const { page, complaints } = await openPageAs(browser, operator);
    await page.goto('/account');
    await page.getByRole('button', { name: 'Account menu' }).waitFor();
    await paste(page, `X-Client: ${clientId}`);
    await page.waitForURL(
      (url) => url.pathname === `/integrations/${slug}/certificates` && url.searchParams.get('environment') === 'sandbox',
    );
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
    const opened = () => page.evaluate<boolean>(`${untilPainted}.then(() => document.querySelector('dialog[open]') !== null)`);
    const [other, unknown] = [`cli_${'0'.repeat(26)}`, '0'.repeat(26)];
    await paste(page, other, 'input');
    expect(await opened()).toBe(false);
    await paste(page, unknown);
    expect(await opened()).toBe(false);
    await paste(page, other);
    await field(page).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('it finds by name with the keyboard alone, names what it lists, and says what an unknown ID would be', async () => {
    const { slug } = await operator.createIntegration({ publicName: 'Fjord Lines' });
    const { page, complaints } = await openPageAs(browser, operator);
    await page.goto('/integrations');
    await page.getByRole('button', { name: 'Search or paste an ID' }).waitFor();
    await page.keyboard.press('Control+k');
    await options(page).getByText('New integration').waitFor();
    await page.keyboard.press('Control+k');
    await field(page).waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await options(page).getByText('New integration').waitFor();
    await field(page).fill(`req_${'0'.repeat(26)}`);
    await page.getByRole('status').getByText('Requests to the machine API are kept for 7 days.').waitFor();
    await field(page).fill('fjord');
    const hit = options(page).filter({ hasText: 'Fjord Lines' });
    await hit.getByText('Sandbox only', { exact: true }).waitFor();
    expect(await field(page).getAttribute('aria-activedescendant')).toBe(await hit.getAttribute('id'));
    expect(await hit.getAttribute('aria-selected')).toBe('true');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await accessibilityFindings(page)).toEqual([]);
    }
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Fjord Lines' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/integrations/${slug}`);

    await page.keyboard.press('/');
    await page.getByRole('group', { name: 'Recent' }).getByText('Fjord Lines').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Escape');
    await field(page).waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('it does what the reader can do where they are, and finds guides, acts and pages by other names', async () => {
    const { slug, clientId } = await operator.createIntegration({ publicName: 'Harbour Watch' });
    const { page, complaints } = await openPageAs(browser, operator);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`/integrations/${slug}`);
    await page.getByRole('heading', { level: 1, name: 'Harbour Watch' }).waitFor();
    const group = (name: string) => page.getByRole('group', { name, exact: true }).getByRole('option');
    const ask = async (text: string) => {
      await page.getByRole('button', { name: 'Search or paste an ID' }).waitFor();
      await page.keyboard.press('Control+k');
      await field(page).fill(text);
    };
    await ask('webhook');
    expect(await group('Actions').first().innerText()).toMatch(/^Webhooks/);
    await group('Documentation').first().getByText('Webhooks', { exact: true }).waitFor();
    expect(await page.getByText('No matches').count()).toBe(0);
    await field(page).fill('client id');
    await group('Actions').getByText('Copy client ID').click();
    await page.getByRole('status').getByText(`The sandbox client ID is copied: ${clientId}`).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(clientId);
    await field(page).fill('rotate certificate');
    await group('Actions').getByText('New certificate').waitFor();
    await group('Documentation').first().getByText('Rotating without downtime').waitFor();
    await group('Actions').getByText('New certificate').click();
    await page.waitForURL(`**/integrations/${slug}/certificates*`);
    await page.getByText('Create key and certificate').first().waitFor();
    await ask('sign out');
    await group('Actions').getByText('Sign out').click();
    await page.waitForURL(application.portalUrl + '/');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('from any page of an integration it generates a link code: the page that shows it opens', async () => {
    const sandbox = await SandboxClient.open(application, ['orders.read', 'revocations.ack']);
    const { page, complaints } = await openPageAs(browser, sandbox.operator);
    await page.goto(`/integrations/${sandbox.slug}/requests`);
    await page.getByRole('button', { name: 'Search or paste an ID' }).waitFor();
    await page.keyboard.press('Control+k');
    await field(page).fill('pairing code');
    await options(page).getByText('Generate link code').click();
    await page.getByRole('region', { name: 'New link code' }).getByText('Shown only once.').waitFor();
    expect(await sandbox.linkCodes()).toHaveLength(1);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('it offers a reader nothing that they cannot do: no act of an owner to an administrator who looks', async () => {
    const { slug } = await operator.createIntegration({ publicName: 'Quay Master' });
    const { page } = await openPageAs(browser, staff);
    await page.goto(`/admin/integrations/${slug}/certificates`);
    await page.getByRole('heading', { level: 1, name: 'Quay Master' }).waitFor();
    await page.getByRole('button', { name: 'Search or paste an ID' }).waitFor();
    await page.keyboard.press('Control+k');
    await options(page).getByText('Copy client ID').waitFor();
    expect(
      await options(page)
        .getByText(/New certificate|Generate link code/)
        .count(),
    ).toBe(0);
    await page.context().close();
  });

  // The browser tells the page of the end of a dialog a moment later, so what is pressed in the same task comes before.
  const pressOnceClosed = (page: Page, key: { key: string; ctrlKey?: true }) =>
    page.evaluate(`
      const { activeElement } = document;
      activeElement.closest('dialog').close();
      activeElement.dispatchEvent(new KeyboardEvent('keydown', { ...${JSON.stringify(key)}, bubbles: true, cancelable: true }))`);

  test('a key that comes in the moment after the search is closed works, while the focus is still in its field', async () => {
    const { page } = await openPageAs(browser, staff);
    await page.goto('/account');
    await page.getByRole('button', { name: 'Account menu' }).waitFor();
    await page.keyboard.press('Control+k');
    await field(page).fill('closed');
    await pressOnceClosed(page, { key: 'k', ctrlKey: true });
    await options(page).getByText('Review queue').waitFor();
    await page.evaluate(untilPainted);
    expect(await field(page).inputValue()).toBe('');
    await pressOnceClosed(page, { key: '?' });
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.context().close();
  });

  test('keys that are held down open it once, and close it once', async () => {
    const { page } = await openPageAs(browser, staff);
    await page.goto('/account');
    await page.getByRole('button', { name: 'Account menu' }).waitFor();
    const hold = async () => {
      await page.keyboard.down('Control');
      for (let repeat = 0; repeat < 3; repeat += 1) await page.keyboard.down('k');
      await page.keyboard.up('k');
      await page.keyboard.up('Control');
    };
    await hold();
    await field(page).waitFor();
    await hold();
    await field(page).waitFor({ state: 'detached' });
    await page.evaluate(untilPainted);
    expect(await field(page).count()).toBe(0);
    await page.context().close();
  });

  test('single keys go to pages and can be switched off for good; Ctrl K works all the same', async () => {
    const { page } = await openPageAs(browser, staff);
    await page.goto('/account');
    const single = page.getByRole('switch', { name: 'Single-key shortcuts' });
    await page.getByRole('button', { name: 'Account menu' }).waitFor();
    // Loaded once, the search opens as soon as its key is pressed.
    await page.keyboard.press('Control+k');
    await field(page).waitFor();
    await page.keyboard.press('Escape');
    await field(page).waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await keys.getByRole('row', { name: 'g then q Go to the review queue' }).waitFor();
    await page.keyboard.press('/');
    await page.evaluate(untilPainted);
    expect(await field(page).count()).toBe(0);
    await page.keyboard.press('g');
    await page.keyboard.press('q');
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/account');
    await page.keyboard.press('g');
    await page.keyboard.press('q');
    await page.waitForURL('**/review');

    await page.goto('/account');
    const saved = page.waitForResponse(async (response) => (await response.text()).includes('"singleKeys":false'));
    await single.click({ force: true });
    await saved;
    await page.reload();
    await page.getByRole('button', { name: 'Account menu' }).waitFor();
    await page.keyboard.press('Control+k');
    await field(page).waitFor();
    await page.keyboard.press('Escape');
    await field(page).waitFor({ state: 'detached' });
    await page.keyboard.press('/');
    await page.evaluate(untilPainted);
    expect(await field(page).count()).toBe(0);
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await keys.getByText('Single-key shortcuts are off.').waitFor();
    await page.context().close();
  });
});

test('where the script of the search cannot be loaded, the page stays, and it says so', async () => {
  const { page } = await openPageAs(browser, staff);
  await page.route(/\/assets\/Palette-[^/]+\.js$/, async (route) => route.abort());
  await page.goto('/account');
  await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
  await page.keyboard.press('Control+k');
  const search = page.getByRole('dialog', { name: 'Search' });
  await search.getByText('The search could not be loaded. Reload the page to try again.').waitFor();
  expect(await accessibilityFindings(page)).toEqual([]);
  await search.getByRole('button', { name: 'Close' }).click();
  await search.waitFor({ state: 'detached' });
  expect(await page.getByRole('heading', { level: 1, name: 'Account' }).count()).toBe(1);
  await page.context().close();
});

test('at 360 px a select leads to the tabs and shows the one that is open, and the document is named by it', async () => {
  const { page } = await openPageAs(browser, staff, { viewport: { width: 360, height: 800 } });
  await page.goto('/admin/audit');
  const tabs = page.getByRole('combobox', { name: 'Administration' });
  expect(await tabs.inputValue()).toBe('/admin/audit');
  await tabs.selectOption('Gate');
  await page.waitForURL('**/admin/gate');
  await page.context().close();

  const { slug } = await operator.createIntegration({ publicName: 'Nordlys Tracker' });
  const own = await openPageAs(browser, operator, { viewport: { width: 360, height: 800 } });
  await own.page.goto(`/integrations/${slug}/kit`);
  await own.page.getByRole('heading', { name: 'Footer badge' }).waitFor();
  expect(own.page.url()).toMatch(/\/profile#kit$/);
  expect(await own.page.title()).toBe('Profile · Nordlys Tracker · Operator portal');
  expect(await own.page.getByRole('combobox', { name: 'Integration' }).inputValue()).toBe(`/integrations/${slug}/profile`);
  await own.page.context().close();
});

test('a page whose files a newer portal has replaced is told as such, as a page of its own', async () => {
  const { page } = await openPageAs(browser, operator, {});
  await page.route(/\/assets\/ActivityPage-[^/]*\.js$/, (route) => route.abort());
  await page.goto('/activity');
  await page.getByRole('main').getByRole('heading', { level: 1, name: 'This page could not be shown' }).waitFor();
  expect(await page.title()).toBe('This page could not be shown · Operator portal');
  await page.unroute(/\/assets\/ActivityPage-[^/]*\.js$/);
  await page.getByRole('button', { name: 'Reload the page' }).click();
  await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
  await page.context().close();
});
