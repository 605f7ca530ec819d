import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test as jestTest } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { describeBrowser } from '../../../portal-web/src/pages/account/account/describeBrowser.ts';
import { developmentContact } from '../../../server/domain/shared/supportContact.ts';
import {
  accessibilityFindings,
  addVirtualAuthenticator,
  launchBrowser,
  openPage,
  type VirtualAuthenticator,
  type WatchedPage,
} from '../../support/browser/browser.ts';
import { keepScreenshot } from '../../support/browser/keepScreenshot.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { overflow } from '../../support/browser/overflow.ts';

jestTest.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
    'Safari on macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile Safari/604.1',
    'Chrome on iPhone',
  ],
  ['curl/8.0', 'Unknown browser'],
])('the browser %s is called “%s”', (userAgent, words) => {
  expect(describeBrowser(userAgent)).toBe(words);
});

describe('an account, from its registration to its recovery', () => {
  let application: PortalWorld;
  let browser: Browser;
  /** The operator's laptop, and a device that comes later. */
  let laptop: WatchedPage & { key: VirtualAuthenticator };
  let phone: WatchedPage & { key: VirtualAuthenticator };
  let page: Page;
  let codes: string[];
  /** Those that the present ones have replaced. */
  let former: string[];
  const sent: { url: string; referer: string | undefined }[] = [];
  const secrets: string[] = [];

  async function openDevice(): Promise<WatchedPage & { key: VirtualAuthenticator }> {
    const watched = await openPage(browser, { baseURL: application.portalUrl });
    watched.page.on('request', (request) => sent.push({ url: request.url(), referer: request.headers()['referer'] }));
    return { ...watched, key: await addVirtualAuthenticator(watched.page) };
  }

  /** The steps build on each other: after one has failed the others say so at once. */
  let broken = false;
  function test(name: string, step: () => Promise<void>): void {
    jestTest(
      name,
      async () => {
        if (broken) throw new Error('an earlier step failed');
        try {
          await step();
        } catch (error) {
          broken = true;
          const shown = await Promise.all(
            [laptop, phone].map((device) =>
              device.page
                .locator('body')
                .innerText()
                .catch(() => ''),
            ),
          );
          throw new Error(`${String(error)}\nLaptop: ${shown[0]}\nPhone: ${shown[1]}`, { cause: error });
        }
      },
      120_000,
    );
  }

  beforeAll(async () => {
    [application, browser] = await Promise.all([openWorld({ portal: true }), launchBrowser()]);
    [laptop, phone] = [await openDevice(), await openDevice()];
    ({ page } = laptop);
  });
  afterAll(async () => {
    await browser?.close();
    await application?.close();
  });

  const panel = (name: string, on = page) => on.getByRole('region', { name, exact: true });
  const item = (list: string, text: string, on = page) =>
    on.getByRole('list', { name: list }).getByRole('listitem').filter({ hasText: text });
  const dialog = (on = page) => on.getByRole('dialog');

  /** `replaced`: whether the account had codes before. */
  async function saveCodes(on: Page, goOn: string, replaced: boolean): Promise<string[]> {
    await on.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
    const shown = await on.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allTextContents();
    secrets.push(...shown);
    expect((await on.getByRole('main').innerText()).includes('Your older codes no longer work.')).toBe(replaced);
    const [file] = await Promise.all([on.waitForEvent('download'), on.getByRole('button', { name: 'Download as text' }).click()]);
    const [account, service, date = '', ...rest] = (await readFile(await file.path(), 'utf8')).trimEnd().split('\n');
    expect([account, service]).toEqual([
      'Recovery codes for ada@nordlys.example',
      `Operator Integration Service, ${application.portalUrl}`,
    ]);
    expect(date).toMatch(/^Generated on \d{4}-\d\d-\d\d$/);
    expect(rest).toEqual(['', ...shown]);
    expect(file.suggestedFilename()).toBe(
      `recovery-codes-${new URL(application.portalUrl).host.replace(':', '-')}-${date.slice('Generated on '.length)}.txt`,
    );
    // On paper they say what they are for, and nothing is there that can only be pressed.
    await on.evaluate('window.print = () => (window.printed = true)');
    await on.getByRole('button', { name: 'Print' }).click();
    expect(await on.evaluate('window.printed')).toBe(true);
    await on.emulateMedia({ media: 'print' });
    await on.getByText('Recovery codes for ada@nordlys.example').waitFor();
    const unprinted = on.getByRole('banner').or(on.getByRole('contentinfo')).or(on.getByRole('button')).or(on.getByRole('checkbox'));
    expect(await unprinted.filter({ visible: true }).count()).toBe(0);
    await on.emulateMedia({ media: null });
    await on.getByLabel('I have saved them').check();
    await on.getByRole('button', { name: goOn }).click();
    return shown;
  }

  test('an operator registers and finds their passkey on the account page, with the advice to add another', async () => {
    const token = await application.browser().verificationToken('ada@nordlys.example');
    secrets.push(token);
    await page.goto(`/verify#token=${token}`);
    await page.getByText('This link confirms the address that it was emailed to.').waitFor();
    await page.getByRole('button', { name: 'Confirm this address' }).click();
    await page.getByLabel('Passkey name').fill('Laptop');
    await page.getByRole('button', { name: 'Create passkey' }).click();
    codes = await saveCodes(page, 'Continue to your first integration', false);
    await page.getByRole('heading', { name: 'New integration' }).waitFor();
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('link', { name: 'Account' }).click();
    await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
    await item('Passkeys', 'Laptop').getByText('Only on one device').waitFor();
    await page.getByText('This is your only passkey').waitFor();
    expect(
      await item('Passkeys', 'Laptop')
        .getByRole('button', { name: /Remove/ })
        .count(),
    ).toBe(0);
    await item('Sessions', 'This browser').getByText('From 127.0.0.1').waitFor();
    await panel('Recovery codes').getByText('10 codes left').waitFor();
  });

  test('new recovery codes need the passkey, are shown once, and lead back to the account', async () => {
    await panel('Recovery codes').getByRole('button', { name: 'Generate new codes' }).click();
    await dialog().getByRole('button', { name: 'Generate new codes' }).click();
    former = codes;
    codes = await saveCodes(page, 'Back to your account', true);
    expect(codes.some((code) => former.includes(code))).toBe(false);
    await panel('Recovery codes').getByText('10 codes left').waitFor();
    await page.goto('/recovery-codes');
    await page.getByText('They cannot be shown again').waitFor();
    await page.goto('/account');
  });

  test('a passkey on another key is added, renamed and removed', async () => {
    const own = await laptop.key.credentials();
    await laptop.key.hold([]);
    await panel('Passkeys').getByRole('button', { name: 'Add a passkey' }).click();
    await dialog().getByRole('button', { name: 'Confirm and create' }).click();
    await dialog().getByText('Give the passkey a name').waitFor();
    // It looks like nothing. No passkey is made before it is refused.
    await dialog().getByLabel('Passkey name').fill('\u{115f}');
    await dialog().getByRole('button', { name: 'Confirm and create' }).click();
    await dialog().getByText('Give the passkey a name').waitFor();
    expect(await laptop.key.credentials()).toEqual([]);
    await dialog().getByLabel('Passkey name').fill('Key');
    await dialog().getByRole('button', { name: 'Confirm and create' }).click();
    await item('Passkeys', 'Not used yet').getByRole('button', { name: 'Rename Key' }).click();
    await dialog().getByLabel('Passkey name').fill('Blue key');
    await dialog().getByRole('button', { name: 'Save name' }).click();
    await item('Passkeys', 'Blue key').getByRole('button', { name: 'Remove Blue key' }).click();
    await dialog().getByText('no longer signs you in').waitFor();
    await dialog().getByRole('button', { name: 'Remove passkey' }).click();
    await item('Passkeys', 'Blue key').waitFor({ state: 'detached' });
    await page.getByText('This is your only passkey').waitFor();
    await laptop.key.hold(own);
  });

  test('another browser signs in with the synced passkey, is seen in the list, and is ended from it', async () => {
    await phone.key.hold(await laptop.key.credentials());
    await phone.page.goto('/sign-in?returnTo=%2Faccount');
    await phone.page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await phone.page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
    await page.reload();
    await item('Sessions', 'End session')
      .getByRole('button', { name: /^End session of Chrome/ })
      .click();
    await dialog().getByRole('button', { name: 'End session' }).click();
    await item('Sessions', 'End session').waitFor({ state: 'detached' });
    await phone.page.reload();
    await phone.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  test('a wrong recovery code is refused in words, and nothing has happened', async () => {
    await phone.page.getByRole('link', { name: 'Use a recovery code' }).click();
    await phone.page.getByRole('heading', { name: 'Recover your account' }).waitFor();
    const main = phone.page.getByRole('main');
    await main.getByText('Without a passkey or a recovery code, contact').waitFor();
    await main.getByText('To start again, register with another email address.').waitFor();
    expect(await main.getByRole('link', { name: developmentContact.text }).getAttribute('href')).toBe(developmentContact.url);
    await phone.page.getByLabel('Recovery code').fill('abc');
    await phone.page.getByRole('button', { name: 'Use this code' }).click();
    await phone.page.getByText('A recovery code has 16 letters and digits').waitFor();
    await phone.page.getByLabel('Recovery code').fill('0000 0000 0000 0000');
    await phone.page.getByRole('button', { name: 'Use this code' }).click();
    await phone.page.getByText('This code is not valid or has already been used').waitFor();
    await page.reload();
    await item('Passkeys', 'Laptop').waitFor();
  });

  test('a recovery code ends the laptop’s session and passkey, and leads straight to a new passkey', async () => {
    await phone.key.hold([]);
    await phone.page.getByLabel('Recovery code').fill(codes[0] ?? '');
    await phone.page.getByRole('button', { name: 'Use this code' }).click();
    await phone.page.getByRole('heading', { name: 'Create a new passkey' }).waitFor();

    await page.reload();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('This passkey does not open an account here.').waitFor();

    await phone.page.goto('/integrations');
    await phone.page.getByRole('heading', { name: 'Create a new passkey' }).waitFor();
    await phone.page.getByLabel('Passkey name').fill('Phone');
    await phone.page.getByRole('button', { name: 'Create passkey' }).click();
    former = codes;
    codes = await saveCodes(phone.page, 'Continue to your integrations', true);
    expect(codes.some((code) => former.includes(code))).toBe(false);
  });

  test('the operator is back: in again with the new passkey, the only one, and the former codes are dead', async () => {
    await phone.page.getByRole('heading', { name: 'You have no integrations yet' }).waitFor();
    await phone.page.getByRole('button', { name: 'Account menu' }).click();
    await phone.page.getByRole('button', { name: 'Sign out' }).click();
    await phone.page.getByRole('main').getByRole('link', { name: 'Register' }).waitFor();
    await phone.page.goto('/sign-in?returnTo=%2Faccount');
    await phone.page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await item('Passkeys', 'Phone', phone.page).waitFor();
    expect(await phone.page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem').count()).toBe(1);
    await panel('Recovery codes', phone.page).getByText('10 codes left').waitFor();

    await page.goto('/recover');
    await page.getByLabel('Recovery code').fill(former.at(-1) ?? '');
    await page.getByRole('button', { name: 'Use this code' }).click();
    await page.getByText('This code is not valid or has already been used').waitFor();
  });

  test('no secret has stood in an address, a Referer, the storage or the history, and the policy blocked nothing', async () => {
    expect(sent.length).toBeGreaterThan(50);
    expect(secrets.length).toBeGreaterThan(30);
    for (const { url, referer } of sent) {
      expect(referer ?? '').toBe('');
      // A fragment is not sent; the page takes it out of the address bar before anything else loads.
      const address = url.split('#')[0] ?? '';
      expect(secrets.some((secret) => address.includes(secret)) ? address : 'nothing').toBe('nothing');
    }
    for (const device of [laptop, phone]) {
      const kept = await device.page.evaluate(
        'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, location.href, document.cookie])',
      );
      expect(secrets.some((secret) => String(kept).includes(secret))).toBe(false);
      expect(device.complaints).toEqual([]);
    }
  });

  describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
    test('the pages have no serious accessibility finding, and nothing runs over at 1280 and 360 pixels', async () => {
      for (const { device, path, name } of [
        { device: phone, path: '/account', name: 'account' },
        { device: laptop, path: '/recover', name: 'recover' },
      ]) {
        await device.page.emulateMedia({ colorScheme });
        await device.page.goto(path);
        if (name === 'account') await item('Sessions', 'This browser', device.page).waitFor();
        await device.page.getByRole('heading', { level: 1 }).waitFor();
        for (const width of [1280, 360]) {
          await device.page.setViewportSize({ width, height: 900 });
          expect(await overflow(device.page)).toBe(0);
          expect(await accessibilityFindings(device.page, colorScheme === 'dark' ? ['color-contrast'] : undefined)).toEqual([]);
          await keepScreenshot(device.page, `${name}-${colorScheme}-${width}`);
        }
      }
    });
  });
});
