import type { Page } from 'playwright-core';

/**
 * From here on, each page that this one opens keeps the longest of its interactions: from a key or a click to the next frame (INP), in
 * milliseconds.
 */
export async function watchInteractions(page: Page): Promise<void> {
  await page.addInitScript({
    content: `window.longestInteraction = 0;
      new PerformanceObserver((list) => {
        for (const { interactionId, duration } of list.getEntries())
          if (interactionId) window.longestInteraction = Math.max(window.longestInteraction, duration);
      }).observe({ type: 'event', durationThreshold: 16 });`,
  });
}

/** The longest interaction while somebody does this, 16 if all were shorter. */
export async function longestInteraction(page: Page, act: () => Promise<unknown>): Promise<number> {
  await page.evaluate('window.longestInteraction = 16');
  await act();
  // The browser tells an entry after the frame that it ends with.
  await page.waitForTimeout(500);
  return Number(await page.evaluate('window.longestInteraction'));
}
