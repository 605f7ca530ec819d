import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, openPage, untilPainted } from '../../support/browser/browser.ts';
import { openPageAs } from '../../support/browser/signedInBrowser.ts';
import type { PortalClient } from '../../support/clients/portalClient.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';

let application: PortalWorld;
let browser: Browser;
let operator: PortalClient;
let slug: string;
beforeAll(async () => {
  [application, browser] = await Promise.all([openWorld({ portal: true }), launchBrowser()]);
  operator = await application.operator();
  ({ slug } = await operator.createIntegration({ publicName: 'Nordlys Tracker' }));
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await application?.close();
});

test.each(['/sign-in', '/register', '/nowhere'])('%s, which is short, ends with its footer at the end of the window', async (path) => {
  const { page } = await openPage(browser, { baseURL: application.portalUrl });
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const footer = page.getByRole('contentinfo');
  await footer.waitFor();
  expect(await page.evaluate<number>('document.documentElement.scrollHeight - innerHeight')).toBe(0);
  const { y = 0, height = 0 } = (await footer.boundingBox()) ?? {};
  expect(y + height).toBe(900);
  await page.context().close();
});

test('every page ends with whom to ask, how the service is, and which release this is', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const { page } = await openPage(browser, { baseURL: application.portalUrl });
  await page.goto('/sign-in');
  const footer = page.getByRole('contentinfo');
  await footer.getByText(`Version ${version}`).waitFor();
  await footer.locator('a[href^="mailto:"], a[href^="https:"]').getByText('Support').waitFor();
  await footer.getByRole('link', { name: 'Service status' }).click();
  await page.getByRole('heading', { name: 'Is the service up?' }).waitFor();
  await footer.getByRole('link', { name: 'changelog' }).click();
  await page.getByRole('heading', { name: 'Changelog', level: 1 }).waitFor();
  await page.context().close();
});

test('a page that is there within 150 milliseconds shows no placeholder', async () => {
  const { page } = await openPageAs(browser, operator);
  await page.route('**/graphql', () => {});
  await page.goto(`/integrations/${slug}`);
  const placeholder = page.getByRole('status', { name: 'Loading', includeHidden: true });
  await placeholder.waitFor({ state: 'attached' });
  const seenAt = (time: number) =>
    placeholder.evaluate((element, at) => {
      for (const animation of element.getAnimations()) animation.currentTime = at;
      return element.checkVisibility({ visibilityProperty: true });
    }, time);
  expect([await seenAt(149), await seenAt(151)]).toEqual([false, true]);
  // It is not known yet where the page ends.
  expect(await page.getByRole('contentinfo').isVisible()).toBe(false);
  await page.context().close();
});

/** The ring around what the keyboard is at. */
const ring = (page: Page) =>
  page.evaluate<string>(
    '(({ outlineWidth, outlineStyle, outlineColor }) => `${outlineWidth} ${outlineStyle} ${outlineColor}`)(getComputedStyle(document.activeElement))',
  );

test.each(['light', 'dark'] as const)(
  'the ring around what the keyboard is at is the same everywhere, in %s colours',
  async (colorScheme) => {
    const { page } = await openPageAs(browser, operator);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.goto(`/integrations/${slug}/profile`);
    const button = page.getByRole('button', { name: 'Edit profile' });
    await button.waitFor();
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').innerText()).toBe('Skip to content');
    const rings = [await ring(page)];
    const link = (landmark: 'banner' | 'navigation' | 'contentinfo', name: string) =>
      page.getByRole(landmark, landmark === 'navigation' ? { name: 'Integration' } : {}).getByRole('link', { name });
    for (const each of [link('banner', 'Integrations'), link('navigation', 'Webhooks'), link('contentinfo', 'Support'), button]) {
      await each.focus();
      rings.push(await ring(page));
    }
    expect(new Set(rings).size).toBe(1);
    expect(rings[0]).toMatch(/^2px solid /);
    await page.context().close();
  },
);

test('tabs that do not fit are hinted at by a shadow at the end of their line', async () => {
  const { page } = await openPageAs(browser, operator);
  await page.setViewportSize({ width: 768, height: 900 });
  await page.goto(`/integrations/${slug}`);
  await page.getByRole('heading', { name: 'Nordlys Tracker' }).waitFor();
  const line = page.getByRole('navigation', { name: 'Integration' }).locator('div').first();
  await line.evaluate((element) => {
    element.style.width = '300px';
    element.scrollLeft = 0;
  });
  const { x = 0, y = 0 } = (await line.boundingBox()) ?? {};
  /** The last pixels of the line, beside all words. */
  const end = () => page.screenshot({ clip: { x: x + 299, y: y + 2, width: 1, height: 2 } });
  const withMore = await end();
  await line.evaluate((element) => {
    element.scrollLeft = element.scrollWidth;
  });
  expect(withMore.equals(await end())).toBe(false);
  await page.context().close();
});

test('the tab that is open stays in view when its line becomes too short for all of them', async () => {
  const { page } = await openPageAs(browser, operator);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(`/integrations/${slug}/production`);
  const current = page.getByRole('navigation', { name: 'Integration' }).locator('[aria-current="page"]');
  await current.waitFor();
  const hidden = () =>
    current.evaluate((link) => {
      const line = link.parentElement?.getBoundingClientRect();
      const { left, right } = link.getBoundingClientRect();
      return line === undefined || left < line.left || right > line.right;
    });
  expect(await hidden()).toBe(false);
  await current.evaluate((link) => link.parentElement?.style.setProperty('width', '300px'));
  await page.evaluate(untilPainted);
  expect(await hidden()).toBe(false);
  await page.context().close();
});
