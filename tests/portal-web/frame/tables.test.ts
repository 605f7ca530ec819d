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
