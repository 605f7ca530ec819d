import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
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

/** For each shape a page that has it, and what of the page its placeholder stands for. */
const pages: Readonly<Record<string, readonly [path: () => string, shape: string, block: (page: Page) => Locator]>> = {
  'a list': [() => '/integrations', 'table', (page) => page.getByRole('main').getByRole('table').first()],
  'a log on a tab': [
    () => `/integrations/${portal.slug}/requests?environment=sandbox`,
    'table',
    (page) => page.getByRole('main').getByRole('table', { name: 'Requests', exact: true }),
  ],
  'an overview': [() => `/integrations/${portal.slug}`, 'columns', (page) => page.locator('main section:has(> #signals)').locator('..')],
  'a profile': [() => `/integrations/${portal.slug}/profile`, 'panels', (page) => page.getByRole('main').locator('section').first()],
  'an account': [() => '/account', 'panels', (page) => page.getByRole('main').getByRole('region', { name: 'Passkeys' })],
  'a form': [() => '/integrations/new', 'form', (page) => page.locator('main form > div')],
};

const boxOf = async (locator: Locator) => {
  const box = await locator.boundingBox();
  return box ?? { x: Number.NaN, y: Number.NaN, width: Number.NaN, height: Number.NaN };
};

describe.each(Object.entries(pages))('the placeholder of %s', (_, [path, shape, block]) => {
  test.each([1280, 360])('has at %i pixels the shape of the page, whose title, tabs and content come where it has them', async (width) => {
    const { page } = await openPageAs(browser, portal.owner, { viewport: { width, height: 900 } });
    await page.route('**/graphql', () => {});
    await page.goto(path());
    const placeholder = page.locator(`main [data-page-loading][data-shape="${shape}"]`);
    await placeholder.waitFor({ state: 'attached' });
    const head = placeholder.locator('> div').first().locator('> div');
    const [title, tabs] = [await boxOf(head.first()), await boxOf(head.last())];
    const body = await boxOf(placeholder.locator('> div').last());
    await page.unroute('**/graphql');
    await page.reload();
    await block(page).waitFor();
    const heading = await boxOf(page.getByRole('heading', { level: 1 }));
    expect([title.x, Math.abs(title.y - heading.y) < 12]).toEqual([heading.x, true]);
    const nav = page.getByRole('navigation', { name: 'Integration' });
    if (width > 768 && (await nav.count()) > 0) {
      const line = await boxOf(nav);
      expect(Math.abs(tabs.y + tabs.height - line.y - line.height)).toBeLessThan(12);
    }
    const content = await boxOf(block(page));
    expect([Math.abs(body.x - content.x) < 4, Math.abs(body.width - content.width) < 4]).toEqual([true, true]);
    await page.context().close();
  });
});
