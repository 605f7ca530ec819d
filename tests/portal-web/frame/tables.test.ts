import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../support/browser/browser.ts';
import { openPageAs } from '../../support/browser/signedInBrowser.ts';
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

test('the words of a badge stand on one line with the words of its row', async () => {
  const operator = await application.operator();
  await operator.createIntegration({ publicName: 'Nordlys Tracker' });
  const { page } = await openPageAs(browser, operator);
  await page.goto('/integrations');
  const row = page.getByRole('row', { name: /Nordlys Tracker/ });
  await row.waitFor();
  /** Where the line is on which the words of an element stand. */
  const lineOf = (selector: string) =>
    row
      .locator(selector)
      .first()
      .evaluate((element) => {
        const mark = element.ownerDocument.createElement('span');
        mark.style.display = 'inline-block';
        element.append(mark);
        const { bottom } = mark.getBoundingClientRect();
        mark.remove();
        return bottom;
      });
  expect(Math.abs((await lineOf('a')) - (await lineOf('[data-tone] > span')))).toBeLessThan(0.5);
  await page.context().close();
});

test('an identifier without room is cut in its middle on its one line, and stays whole to read, copy and search', async () => {
  const operator = await application.operator();
  const { id, slug } = await operator.createIntegration({ publicName: 'Nordlys Tracker' });
  const { page } = await openPageAs(browser, operator);
  await page.goto(`/integrations/${slug}/profile`);
  const code = page.locator('code', { hasText: id }).first();
  const roomy = await code.boundingBox();
  const shown = () => code.locator('span').first();
  expect(await shown().evaluate((start) => start.scrollWidth > start.clientWidth)).toBe(false);
  await code.evaluate(({ parentElement }) => parentElement && (parentElement.style.width = '10rem'));
  const narrow = await code.boundingBox();
  expect(narrow?.width).toBeLessThan(roomy?.width ?? 0);
  expect(narrow?.height).toBe(roomy?.height);
  expect(await shown().evaluate((start) => start.scrollWidth > start.clientWidth)).toBe(true);
  expect(await code.evaluate((element) => element.ownerDocument.defaultView?.getComputedStyle(element, '::after').content)).toContain(
    id.slice(-6),
  );
  expect(await code.textContent()).toBe(id);
  await page.context().close();
});

test('on a phone, an address breaks after a dot, a slash or an at sign, and not within a word', async () => {
  const operator = await application.operator();
  const websiteUrl = 'https://tracker.example.com/drivers/orders-of-people-who-share-them/';
  const { slug } = await operator.createIntegration({ publicName: 'Aurora Tracker', websiteUrl });
  const { page } = await openPageAs(browser, operator, { viewport: { width: 360, height: 800 } });
  await page.goto(`/integrations/${slug}/profile`);
  const link = page.getByRole('link', { name: websiteUrl });
  await link.waitFor();
  // Each part between two places where it may break, and how many lines it takes.
  const lines = await link.evaluate((element) =>
    [...element.childNodes]
      .filter(({ textContent }) => textContent !== '')
      .map((part) => {
        const range = element.ownerDocument.createRange();
        range.selectNode(part);
        return range.getClientRects().length;
      }),
  );
  expect(lines.length).toBeGreaterThan(4);
  expect(lines.every((count) => count === 1)).toBe(true);
  expect(await link.evaluate((element) => element.getClientRects().length)).toBeGreaterThan(1);
  await page.context().close();
});
