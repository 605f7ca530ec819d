import type { Page } from 'playwright-core';

/** What the keyboard has to reach: everything that can be pressed, followed or filled in. Of a group of radios, one is enough. */
const controls = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')].filter(
  (each) => each.checkVisibility({ visibilityProperty: true }) && !each.disabled && each.tabIndex >= 0)`;

const namesOfUnreached = `(() => {
  const reached = globalThis.reachedByTab;
  const inGroup = (each) => each.type === 'radio' && [...reached].some((other) => other.type === 'radio' && other.name === each.name);
  return ${controls}.filter((each) => !reached.has(each) && !inGroup(each))
    .map((each) => (each.tagName + ' ' + (each.ariaLabel ?? each.innerText ?? each.name)).trim());
})()`;

/** Presses Tab until the focus has been everywhere; returns the names of the controls that it has not come to. */
export async function unreachedByTab(page: Page): Promise<string[]> {
  const count = await page.evaluate<number>(`(() => {
    globalThis.reachedByTab = new Set();
    document.addEventListener('focusin', ({ target }) => globalThis.reachedByTab.add(target));
    return ${controls}.length;
  })()`);
  // At the end it starts over, with a stop at the page as a whole.
  for (let press = 0; press < count + 3; press += 1) await page.keyboard.press('Tab');
  return page.evaluate<string[]>(namesOfUnreached);
}
