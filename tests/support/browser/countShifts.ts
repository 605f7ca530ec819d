import type { Page } from 'playwright-core';

/** Sums up from now on what moves on a page that is open (Layout Instability API). Returns a function that says the sum. */
export async function countShifts(page: Page): Promise<() => Promise<unknown>> {
  await page.evaluate(`{
    globalThis.movedSince = 0;
    globalThis.movements = new PerformanceObserver((list) => { for (const { value } of list.getEntries()) globalThis.movedSince += value; });
    globalThis.movements.observe({ type: 'layout-shift' });
  }`);
  return () => page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(globalThis.movedSince))))');
}
