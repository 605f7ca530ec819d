import type { Page } from 'playwright-core';

/**
 * From here on, each page that this one opens knows how long it took from the last click to the frame that shows an integration's tab: it
 * is marked as the current one, and nothing on it loads any more. The page finds out by itself. Anyone who asks it again and again makes a
 * slow one slower: a search by role alone looks at every element, and costs as much as the tab.
 */
export async function watchArrivals(page: Page): Promise<void> {
  await page.addInitScript({
    content: `(() => {
      let clicked = null;
      let awaited = null;
      let lastRow = 0;
      const painted = (then) =>
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = then;
          port2.postMessage(null);
        });
      const isThere = () =>
        document.querySelector('nav[aria-label=Integration] a[aria-current=page]')?.textContent === awaited.tab &&
        document.querySelector('[role=status][aria-label=Loading]') === null;
      const look = (changes) => {
        if (changes.some(({ addedNodes }) => [...addedNodes].some(({ tagName }) => tagName === 'TR'))) painted(() => (lastRow = performance.now()));
        if (awaited === null || clicked === null || !isThere()) return;
        const { tell } = awaited;
        awaited = null;
        painted(() => tell(performance.now() - clicked));
      };
      addEventListener('click', ({ timeStamp }) => { clicked = timeStamp; }, true);
      new MutationObserver(look).observe(document, { subtree: true, childList: true, attributeFilter: ['aria-current'] });
      window.awaitArrival = (tab) => {
        clicked = null;
        lastRow = 0;
        window.arrival = new Promise((tell) => { awaited = { tab, tell }; });
      };
      window.sinceClick = () => lastRow - clicked;
    })();`,
  });
}

/** So many milliseconds a pointer rests on a link before it is pressed. People take about twice as long. */
const rests = 150;

/** How many seconds it takes, from the click to the frame, until this tab is shown. The pointer rests at its link before. */
export async function secondsToTab(page: Page, tab: string): Promise<number> {
  const link = page.getByRole('navigation', { name: 'Integration' }).getByRole('link', { name: tab });
  await link.hover();
  await page.waitForTimeout(rests);
  await page.evaluate(`window.awaitArrival(${JSON.stringify(tab)})`);
  await page.mouse.down();
  await page.mouse.up();
  return Number(await page.evaluate('window.arrival')) / 1000;
}

/** How many seconds after the click the last row is drawn on the tab that `secondsToTab` has opened, where not all rows come with it. */
export async function secondsToLastRow(page: Page): Promise<number> {
  await page.waitForTimeout(1_000);
  const seconds = Number(await page.evaluate('window.sinceClick()')) / 1000;
  if (seconds < 0) throw new Error('No row was drawn after the tab.');
  return seconds;
}
