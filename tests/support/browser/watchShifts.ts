import type { Page } from 'playwright-core';
import { untilPainted } from './browser.ts';

/** Watches from now on what moves on a page that is open (Layout Instability API). Returns a function that says what did. */
export async function watchShifts(page: Page): Promise<() => Promise<readonly string[]>> {
  // What has just been done to the window is painted before.
  await page.evaluate(untilPainted);
  await page.evaluate(`{
    globalThis.moved = [];
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries())
        globalThis.moved.push(value.toFixed(3) + ': ' + sources.map(({ node, previousRect, currentRect }) =>
          (node?.textContent ?? '').slice(0, 40) + ' from ' + previousRect.y + ' to ' + currentRect.y).join('; '));
    }).observe({ type: 'layout-shift' });
  }`);
  return async () => {
    await page.evaluate(untilPainted);
    return page.evaluate<readonly string[]>('globalThis.moved');
  };
}
