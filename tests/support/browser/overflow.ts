import type { Page } from 'playwright-core';

/** The narrow form of a table follows the window some frames later, on a busy machine many. */
const untilItFits = `(async () => {
  for (let frame = 0; frame < 300 && document.documentElement.scrollWidth > innerWidth; frame++) await new Promise(requestAnimationFrame);
  return document.documentElement.scrollWidth - innerWidth;
})()`;

/** By how many pixels the page is wider than its window, once it has adapted to it: 0 where nothing has to be scrolled sideways. */
export async function overflow(page: Page): Promise<number> {
  return Number(await page.evaluate(untilItFits));
}
