import type { Page } from 'playwright-core';
import { untilPainted } from './browser.ts';

/** What a page may move in all while its reader looks. "Good" is at most 0.1 (web.dev, Cumulative Layout Shift). */
const mostLayoutShift = 0.01;

/** Watches from now on what moves on a page that is open (Layout Instability API). Returns a function that says what did, if it is too much. */
export async function watchShifts(page: Page): Promise<() => Promise<readonly string[]>> {
  // What has just been done to the window is painted before.
  await page.evaluate(untilPainted);
  await page.evaluate(`{
    globalThis.shift = 0;
    globalThis.moved = [];
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries()) {
        globalThis.shift += value;
        globalThis.moved.push(value.toFixed(3) + ': ' + sources.map(({ node, previousRect, currentRect }) =>
          (node?.textContent ?? '').slice(0, 40) + ' from ' + previousRect.y + ' to ' + currentRect.y).join('; '));
      }
    }).observe({ type: 'layout-shift' });
  }`);
  return async () => {
    await page.evaluate(untilPainted);
    return page.evaluate<readonly string[]>(`globalThis.shift > ${mostLayoutShift} ? globalThis.moved : []`);
  };
}
