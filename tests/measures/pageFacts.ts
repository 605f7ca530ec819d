import type { Page } from 'playwright-core';

export type PageFacts = {
  /** Where the content of the page begins and ends, in pixels from its top. */
  readonly begins: number;
  readonly ends: number;
  /** The layout shifts of the load, summed up. */
  readonly shift: number;
  /** The names of the lines about health, and of the next step, that begin in the first 600 pixels. */
  readonly lines: readonly string[];
};

const watchShifts = () => {
  const counted = globalThis as unknown as { shift?: number };
  // The page keeps the script of each visit; only one may count.
  if (counted.shift !== undefined) return;
  counted.shift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) counted.shift = (counted.shift ?? 0) + (entry as unknown as { value: number }).value;
  }).observe({ type: 'layout-shift', buffered: true } as unknown as Parameters<PerformanceObserver['observe']>[0]);
};

/** Run in the page: the parts of `main` are what the frame has, then the tab. */
const readFacts = `(() => {
  const container = document.querySelector('main > div');
  const head = [...container.children].find((part) => part.querySelector('h1') || part.matches('h1'));
  const rest = head.nextElementSibling ?? head;
  const lines = [...document.querySelectorAll('main section[data-tone]')].filter((line) => line.getBoundingClientRect().top + scrollY < 600);
  return {
    begins: Math.round(rest.getBoundingClientRect().top + scrollY),
    ends: Math.round(container.getBoundingClientRect().bottom + scrollY),
    shift: globalThis.shift ?? 0,
    lines: lines.map((line) => line.getAttribute('aria-label') ?? line.querySelector('h2')?.innerText ?? ''),
  };
})()`;

/** Loads a page and measures it once the network is quiet. */
export async function factsOf(page: Page, path: string): Promise<PageFacts> {
  await page.addInitScript(watchShifts);
  await page.goto(path, { waitUntil: 'networkidle' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
  return page.evaluate<PageFacts>(readFacts);
}
