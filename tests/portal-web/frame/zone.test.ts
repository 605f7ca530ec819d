import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { momentWords, titleWords } from '../../../portal-web/src/ui/time/momentWords.ts';
import { launchBrowser } from '../../support/browser/browser.ts';
import { openPageAs } from '../../support/browser/signedInBrowser.ts';
import { populate, type PopulatedPortal } from '../../support/portals/populatedPortal.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';

let application: PortalWorld;
let browser: Browser;
let portal: PopulatedPortal;
beforeAll(async () => {
  [application, browser] = await Promise.all([openWorld({ portal: true }), launchBrowser()]);
  portal = await populate(application);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await application?.close();
});

test('words for moments are made in one place, which knows the zone', () => {
  const makers = globSync('portal-web/src/**/*.{ts,tsx}').filter((file) =>
    /DateTimeFormat|toLocale(?:Date|Time)String|toUTCString|\.get(?:UTC)?(?:Hours|Minutes|Date|Day|Month)\(/.test(
      readFileSync(file, 'utf8'),
    ),
  );
  expect(makers).toEqual(['portal-web/src/ui/time/momentWords.ts']);
});

test('every form of a moment follows the zone', () => {
  const at = new Date('2026-11-21T23:14:07.112Z');
  const formsIn = (zone: 'local' | 'utc') => {
    const { zone: name, exact, second, ...forms } = momentWords(zone, 'America/New_York');
    return {
      name,
      exact: exact(at, at),
      second: second(at, at),
      ...Object.fromEntries(Object.entries(forms).map(([form, words]) => [form, words(at)])),
    };
  };
  expect(formsIn('utc')).toEqual({
    name: 'UTC',
    moment: '2026-11-21 23:14:07 UTC',
    exact: '23:14:07.112',
    second: '23:14:07',
    deadline: '21 Nov 2026, 23:14 UTC',
    day: '21 Nov 2026',
    weekday: 'Saturday 21 November',
    hour: '21 Nov, 23:14',
    hourInZone: '21 Nov, 23:14 UTC',
    clock: '23:14',
  });
  expect(formsIn('local')).toEqual({
    name: 'America/New_York',
    moment: '2026-11-21 18:14:07 America/New_York',
    exact: '18:14:07.112',
    second: '18:14:07',
    deadline: '21 Nov 2026, 18:14 GMT-5',
    day: '21 Nov 2026',
    weekday: 'Saturday 21 November',
    hour: '21 Nov, 18:14',
    hourInZone: '21 Nov, 18:14 GMT-5',
    clock: '18:14',
  });
  expect(titleWords(at, 'utc')).toBe('2026-11-21 23:14:07 UTC');
});

const chatham = /Pacific\/Chatham|GMT\+1[23]:45/;

async function choose(page: Page, zone: 'Local' | 'UTC'): Promise<void> {
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('radiogroup', { name: 'Times' }).getByText(zone, { exact: true }).click();
  await page.keyboard.press('Escape');
}

/** What a chart says of a place in its middle. */
async function hoverValue(page: Page, chart: RegExp): Promise<string | null> {
  const picture = page.getByRole('img', { name: chart }).first();
  await picture.locator('canvas').waitFor();
  await page.mouse.move(0, 0);
  await picture.hover();
  const said = picture.locator('[title*=":"]');
  await said.waitFor();
  return said.getAttribute('title');
}

test('one switch, in the account’s menu, changes the zone of all times, of charts too, on every page and until it is changed back', async () => {
  // A zone that nobody takes for UTC, and that is never on the same minute.
  const { page, complaints } = await openPageAs(browser, portal.owner, { timezoneId: 'Pacific/Chatham' });
  const endpoint = `/integrations/${portal.slug}/webhooks/${portal.endpointId}`;
  const titles = async () => (await page.locator('main time').all()).map((time) => time.getAttribute('title'));
  const seen = async () => `${await page.getByRole('main').innerText()} ${(await Promise.all(await titles())).join(' ')}`;
  const pages = {
    overview: [`/integrations/${portal.slug}?environment=sandbox`, 'Last 24 hours'],
    requests: [`/integrations/${portal.slug}/requests?environment=sandbox`, 'GET /v1/sync'],
    delivery: [`${endpoint}/deliveries/${portal.deliveryId}`, 'Check its signature'],
    endpoint: [endpoint, 'Half of all answers take this or less (p50)'],
  } as const;
  const open = async (name: keyof typeof pages) => {
    const [path, words] = pages[name];
    await page.goto(path);
    await page.getByText(words).first().waitFor();
  };
  for (const name of Object.keys(pages) as (keyof typeof pages)[]) {
    await open(name);
    expect([name, await seen()]).toEqual([name, expect.stringMatching(chatham)]);
  }
  expect(await hoverValue(page, /attempts? in the last 24 hours/i)).toMatch(chatham);
  await choose(page, 'UTC');
  await page.getByText('Times are in UTC.').first().waitFor();
  expect(await hoverValue(page, /attempts? in the last 24 hours/i)).toMatch(/UTC/);
  for (const name of Object.keys(pages) as (keyof typeof pages)[]) {
    await open(name);
    expect([name, await seen()]).toEqual([name, expect.not.stringMatching(chatham)]);
  }
  const bars = page.getByRole('img', { name: /^Requests in the last 24 hours/ });
  await open('overview');
  await bars.focus();
  await page.getByText(/^\d+ \w+, \d\d:00 UTC: /).waitFor();
  await choose(page, 'Local');
  await bars.focus();
  await page.getByText(/^\d+ \w+, \d\d:[14]5 GMT\+1[23]:45: /).waitFor();
  expect(complaints).toEqual([]);
  await page.context().close();
}, 120_000);
