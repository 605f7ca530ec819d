import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { untilPainted } from './browser.ts';
import { overflow } from './overflow.ts';

/** Keeps an image of the whole page for a person to look at, in the folder that SCREENSHOTS names; does nothing if it is not set. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (!folder) return;
  await page.evaluate(untilPainted);
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

/** Keeps images of the page as it is, narrow and wide, light and dark, with as few changes as can be. It must never be wider than the window. */
export async function keepEveryScreenshot(page: Page, name: string): Promise<void> {
  for (const [width, colorScheme] of [
    [1280, 'dark'],
    [360, 'dark'],
    [360, 'light'],
    [1280, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    expect(await overflow(page)).toBe(0);
    await keepScreenshot(page, `${name}-${width}-${colorScheme}`);
  }
}
