import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { grantRole } from '../../server/domain/programme/grantRole.ts';
import { launchBrowser } from '../support/browser/browser.ts';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';
import type { PortalClient } from '../support/clients/portalClient.ts';
import { openPageAs } from '../support/browser/signedInBrowser.ts';
import { overflow } from '../support/browser/overflow.ts';

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
  'at %i px the header of whoever has every role and a long address is as high as everybody’s, and nothing runs over',
  async (width) => {
    const heights: (number | undefined)[] = [];
    for (const reader of [operator, staff]) {
      const { page } = await openPageAs(browser, reader, { viewport: { width, height: 800 } });
      await page.goto('/integrations');
      await page.getByRole('button', { name: 'Sign out' }).waitFor();
      heights.push((await page.getByRole('banner').boundingBox())?.height);
      expect(await overflow(page)).toBe(0);
      const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
      const ends = await links.evaluateAll((all) => all.map((link) => link.getBoundingClientRect().right));
      expect(Math.max(...ends)).toBeLessThanOrEqual(width);
      await page.context().close();
    }
    expect(heights[1]).toBe(heights[0]);
  },
);

test('at 360 px the tab of the page that is open stands in view, and the document is named by it', async () => {
  const { page } = await openPageAs(browser, staff, { viewport: { width: 360, height: 800 } });
  await page.goto('/admin/audit');
  const box = await page.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name: 'Audit' }).boundingBox();
  expect(box && box.x >= 0 && box.x + box.width <= 360).toBe(true);
  await page.context().close();

  const { slug } = await operator.createIntegration({ publicName: 'Nordlys Tracker' });
  const own = await openPageAs(browser, operator, { viewport: { width: 360, height: 800 } });
  await own.page.goto(`/integrations/${slug}/kit`);
  await own.page.getByRole('heading', { name: 'Footer badge' }).waitFor();
  expect(await own.page.title()).toBe('Kit · Nordlys Tracker · Operator portal');
  const kit = await own.page.getByRole('navigation', { name: 'Integration' }).getByRole('link', { name: 'Kit' }).boundingBox();
  expect(kit && kit.x >= 0 && kit.x + kit.width <= 360).toBe(true);
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
