import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, openPage } from '../support/browser.ts';
import { startPortalApplication, type PortalApplication } from '../support/portalApplication.ts';
import type { PortalClient } from '../support/portalClient.ts';
import { openPageAs } from '../support/signedInBrowser.ts';

const kilobytes = 1_000;
const mostInitialScript = 200 * kilobytes;
/** “Good” is at most 0.1 (web.dev, Cumulative Layout Shift); the portal's pages are to stay still. */
const mostLayoutShift = 0.02;

let application: PortalApplication;
let browser: Browser;
let operator: PortalClient;
let slug: string;

beforeAll(async () => {
  [application, browser] = await Promise.all([startPortalApplication(), launchBrowser()]);
  operator = await application.operator();
  ({ slug } = await operator.createIntegration({ publicName: 'Nordlys Tracker' }));
});
afterAll(async () => {
  await browser?.close();
  await application?.stop();
});

test('signing in loads at most 200 kB of JavaScript, compressed as it travels', async () => {
  const { page, complaints } = await openPage(browser, { baseURL: operator.origin });
  const sizes = new Map<string, number>();
  page.on('requestfinished', (request) => {
    if (request.resourceType() !== 'script') return;
    void request.sizes().then(({ responseBodySize }) => sizes.set(new URL(request.url()).pathname, responseBodySize));
  });
  await page.goto('/sign-in', { waitUntil: 'networkidle' });
  await page.getByRole('button', { name: /passkey/i }).waitFor();
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  expect(sizes.size).toBeGreaterThan(2);
  expect(total).toBeGreaterThan(20 * kilobytes);
  expect(total).toBeLessThanOrEqual(mostInitialScript);
  expect(complaints).toEqual([]);
  await page.context().close();
});

test.each(['br', 'gzip', 'identity'])(
  'scripts come encoded as %s where the browser asks for it, and caches tell them apart',
  async (encoding) => {
    const html = await (await fetch(`${operator.origin}/sign-in`)).text();
    const script = /src="(\/assets\/index-[^"]+\.js)"/.exec(html)?.[1] ?? '';
    const answer = await fetch(`${operator.origin}${script}`, { headers: { 'accept-encoding': encoding } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding);
    expect(answer.headers.get('content-type')).toMatch(/^text\/javascript|^application\/javascript/);
    expect(answer.headers.get('vary')).toMatch(/accept-encoding/i);
    expect((await answer.text()).length).toBeGreaterThan(10 * kilobytes);
  },
);

const pages = [
  ['the landing page', () => '/', false],
  ['sign-in', () => '/sign-in', false],
  ['registration', () => '/register', false],
  ['the guides', () => '/docs', false],
  ['the integrations', () => '/integrations', true],
  ['an overview', () => `/integrations/${slug}`, true],
  ['a sandbox', () => `/integrations/${slug}/sandbox`, true],
  ['the certificates', () => `/integrations/${slug}/certificates`, true],
  ['the requests', () => `/integrations/${slug}/requests`, true],
  ['the account', () => '/account', true],
] as const;

test.each([360, 1280])('at %i px nothing on the main pages moves while they load', async (width) => {
  const viewport = { width, height: 800 };
  const shifts: Record<string, number> = {};
  for (const [name, path, signedIn] of pages) {
    const { page } = signedIn
      ? await openPageAs(browser, operator, { viewport })
      : await openPage(browser, { baseURL: operator.origin, viewport });
    shifts[name] = await layoutShift(page, path());
    await page.context().close();
  }
  expect(Object.entries(shifts).filter(([, shift]) => shift > mostLayoutShift)).toEqual([]);
});

/** The layout shifts of a load summed up (Layout Instability API), until the network is quiet. */
async function layoutShift(page: Page, path: string): Promise<number> {
  await page.addInitScript(() => {
    const counted = globalThis as unknown as { shift: number };
    counted.shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) counted.shift += (entry as unknown as { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true } as unknown as Parameters<PerformanceObserver['observe']>[0]);
  });
  await page.goto(path, { waitUntil: 'networkidle' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page.evaluate(() => (globalThis as unknown as { shift: number }).shift);
}
