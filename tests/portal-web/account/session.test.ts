import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page, Request } from 'playwright-core';
import { redeem } from '../../support/clients/accountClient.ts';
import {
  accessibilityFindings,
  addVirtualAuthenticator,
  launchBrowser,
  openPage,
  stayInBackground,
} from '../../support/browser/browser.ts';
import { confirmAddress, createPasskey } from '../../support/browser/enrolment.ts';
import { keepScreenshot } from '../../support/browser/keepScreenshot.ts';
import type { PortalClient } from '../../support/clients/portalClient.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { giveCookie, openPageAs } from '../../support/browser/signedInBrowser.ts';

const minute = 60_000;

let application: PortalWorld;
let browser: Browser;
beforeAll(async () => {
  [application, browser] = await Promise.all([openWorld({ portal: true }), launchBrowser()]);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await application?.close();
});

/** The page asks for its session once a minute: this is that moment. True when it counts as use. */
async function nextCheck(page: Page): Promise<boolean> {
  const isCheck = (request: Request) => /query Frame\b/.test(request.postData() ?? '');
  const [check] = await Promise.all([page.waitForRequest(isCheck), page.clock.fastForward(minute + 1_000)]);
  await check.response();
  return (await check.allHeaders())['x-svc-background'] === undefined;
}

test('a person who types keeps the session, and one who has left is signed out and told why', async () => {
  const operator = await application.operator();
  const { page, complaints } = await openPageAs(browser, operator);
  await page.clock.install();
  await page.goto('/account');
  const address = page.getByLabel('New address');
  await address.waitFor();
  for (let turn = 0; turn < 4; turn += 1) {
    // By a key, and as dictation does.
    if (turn % 2 === 0) await address.press('a');
    else await address.fill('a'.repeat(turn + 1));
    expect(await nextCheck(page)).toBe(true);
    application.clock.advance(8 * minute);
  }
  expect(await address.inputValue()).toBe('aaaa');

  expect(await nextCheck(page)).toBe(false);
  application.clock.advance(13 * minute);
  await nextCheck(page);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByText('Your session has ended').waitFor();
  expect(page.url()).toContain('returnTo=%2Faccount');
  expect(complaints).toEqual([]);
  await page.context().close();
}, 120_000);

test('a session that has ended while the reader waits for another page leads back to that one', async () => {
  const operator = await application.operator();
  const { page } = await openPageAs(browser, operator);
  await page.clock.install();
  await page.goto('/account');
  await page.getByLabel('New address').waitFor();
  const script = Promise.withResolvers<void>();
  await page.route('**/InboxPage*', async (route) => {
    await script.promise;
    await route.continue();
  });
  application.clock.advance(21 * minute);
  await page.getByRole('link', { name: /^Inbox/ }).click();
  await nextCheck(page);
  await page.getByLabel('New address').waitFor({ state: 'detached' });
  script.resolve();
  await page.getByText('Your session has ended').waitFor();
  expect(page.url()).toContain('returnTo=%2Finbox');
  await page.context().close();
}, 120_000);

describe('what was typed when a session ended', () => {
  const profile = (page: Page) => page.getByRole('form', { name: 'Profile' });
  let operator: PortalClient;
  let slug: string;
  let page: Page;
  const open = () => page.goto(`/integrations/${slug}/profile`);

  /** Another session in the same tab, on the page of the profile. */
  async function signInAgain(): Promise<void> {
    await giveCookie(page, operator, (await operator.elsewhere()).cookie);
    await open();
  }

  beforeAll(async () => {
    operator = await application.operator();
    ({ slug } = await operator.createIntegration({ publicName: 'Nordlys Tracker' }));
    ({ page } = await openPageAs(browser, operator));
    await page.clock.install();
    await open();
    await page.getByRole('button', { name: 'Edit profile' }).click();
    await profile(page).getByLabel('Purpose').fill('Being written.');
    application.clock.advance(21 * minute);
    await nextCheck(page);
    await page.getByText('Your session has ended').waitFor();
  }, 120_000);
  afterAll(() => page.context().close());

  test('is offered after signing in, and goes on from the version that was edited', async () => {
    await signInAgain();
    await page.getByText('You have unsaved changes').waitFor();
    await keepScreenshot(page, 'kept-draft');
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Continue editing' }).click();
    expect(await profile(page).getByLabel('Purpose').inputValue()).toBe('Being written.');
    await page.getByRole('button', { name: 'Review changes' }).click();
    await page.getByRole('listitem', { name: 'Purpose' }).locator('ins').waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
  });

  test('is gone once it is given up', async () => {
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Edit profile' }).click();
    expect(await profile(page).getByLabel('Purpose').inputValue()).not.toBe('Being written.');
    expect(await drafts(page)).toEqual([]);
  });

  test('is gone once its operator signs out, and never there for another', async () => {
    await profile(page).getByLabel('Purpose').fill('Written again.');
    await expect(drafts(page)).resolves.toHaveLength(1);
    const other = await application.operator();
    await giveCookie(page, other, (await other.elsewhere()).cookie);
    await page.goto('/account');
    await page.getByLabel('New address').waitFor();
    expect(await drafts(page)).toEqual([]);

    await signInAgain();
    await page.getByRole('button', { name: 'Edit profile' }).click();
    await profile(page).getByLabel('Purpose').fill('Written again.');
    await page.getByRole('button', { name: 'Account menu' }).click();
    // It asks first, and only once: the page’s own question would come when the session is over.
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Stay signed in' }).click();
    expect(await profile(page).getByLabel('Purpose').inputValue()).toBe('Written again.');
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Discard and sign out' }).click();
    await page.waitForURL((url) => url.pathname === '/');
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
    expect(await drafts(page)).toEqual([]);
  });
});

/** The drafts that this tab keeps. */
async function drafts(page: Page): Promise<string[]> {
  const names = await page.evaluate<string[]>('Object.keys(sessionStorage)');
  return names.filter((name) => name.startsWith('svc.draft.'));
}

test('all other browsers are signed out with one button', async () => {
  const operator = await application.operator();
  const elsewhere = await operator.elsewhere();
  const [{ page }, other] = [await openPageAs(browser, operator), await openPageAs(browser, elsewhere)];
  await other.page.goto('/account');
  await other.page.getByRole('button', { name: 'Generate new codes' }).click();
  await page.goto('/account');
  const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
  await page.getByRole('button', { name: 'End all other sessions' }).click();
  expect(await sessions.count()).toBe(4);
  await keepScreenshot(page, 'end-other-sessions');
  expect(await accessibilityFindings(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'End all others' }).click();
  await page.getByRole('button', { name: 'End all other sessions' }).waitFor({ state: 'detached' });
  expect(await sessions.allTextContents()).toEqual([expect.stringContaining('This browser')]);
  expect((await elsewhere.viewer()).data).toBeNull();

  await other.page.getByRole('dialog').getByRole('button', { name: 'Generate new codes' }).click();
  await other.page.getByText('was ended elsewhere').waitFor();
  for (const each of [page, other.page]) await each.context().close();
}, 120_000);

test('a confirmation that fails is told in its dialog, and the session goes on', async () => {
  const { page } = await openPage(browser, { baseURL: application.portalUrl });
  await addVirtualAuthenticator(page);
  const token = await application.browser().verificationToken('counter@example.com');
  await confirmAddress(page, token);
  await createPasskey(page);
  await page.getByLabel('I have saved them').check();
  await page.goto('/account');
  // As if a copy of the passkey had been used more often than this one.
  await application.rows('update passkey set counter = 1000000');
  await page.getByRole('button', { name: 'Generate new codes' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Generate new codes' }).click();
  await dialog.getByText('there may be a copy of it').waitFor();
  await page.waitForLoadState('networkidle');
  expect(await dialog.getByText('there may be a copy of it').isVisible()).toBe(true);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('10 codes left').waitFor();
  await page.context().close();
}, 120_000);

test.each([
  ['a mailed link', 'Register again', '/register'],
  ['a recovery code', 'Use another recovery code', '/recover'],
])(
  'an operator who takes more than 20 minutes after %s is told how to begin again',
  async (kind, button, path) => {
    const visitor = application.browser();
    if (kind === 'a mailed link') await visitor.beginEnrolment();
    else await redeem(visitor, (await application.operator()).recoveryCodes[0]);
    const { page } = await openPageAs(browser, visitor);
    await addVirtualAuthenticator(page);
    // A connection that fails for a moment does not lose the way.
    await page.addInitScript(stayInBackground);
    await page.route('**/graphql', (route) => route.abort());
    await page.goto('/enrol');
    await page.getByText('The portal did not answer').waitFor();
    await page.unroute('**/graphql');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByLabel('Passkey name').fill('Slow phone');
    application.clock.advance(20 * minute);
    await page.getByRole('button', { name: 'Create passkey' }).click();
    await page.getByRole('heading', { name: 'This step has ended' }).waitFor();
    await page.getByRole('link', { name: button }).click();
    await page.waitForURL(`**${path}`);
    await page.context().close();
  },
  120_000,
);
