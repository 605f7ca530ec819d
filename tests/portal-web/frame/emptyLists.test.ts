import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../support/browser/browser.ts';
import { openPageAs } from '../../support/browser/signedInBrowser.ts';
import { administrator } from '../../support/clients/toolingClient.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { reviewer } from '../../support/world/reviewPath.ts';

let application: PortalWorld;
let browser: Browser;
beforeAll(async () => {
  [application, browser] = await Promise.all([openWorld({ portal: true }), launchBrowser()]);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await application?.close();
});

test('in a new service, lists without a filter say that nothing is there yet, and only what waits is said to be clear', async () => {
  const { page: desk } = await openPageAs(browser, await administrator(application));
  const { page: reviewing } = await openPageAs(browser, await reviewer(application));
  const kindOf = async (page: Page, path: string, words: string) => {
    await page.goto(path);
    return page.locator('[data-kind]').filter({ hasText: words }).getAttribute('data-kind');
  };
  expect(await kindOf(desk, '/admin/integrations', 'There is no integration yet.')).toBe('nothingYet');
  expect(await kindOf(desk, '/admin/integrations?status=active', 'No integrations match.')).toBe('nothingFits');
  expect(await kindOf(reviewing, '/review?tab=decided', 'No submission has been decided yet.')).toBe('nothingYet');
  expect(await kindOf(reviewing, '/review?tab=unassigned', 'Nothing is waiting for review.')).toBe('allClear');
});
