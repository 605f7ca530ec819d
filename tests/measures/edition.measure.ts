import { afterAll, beforeAll, describe, test } from '@jest/globals';
import { tabWords } from '../../portal-web/src/features/integration/tabWords.ts';
import type { Browser, Page } from 'playwright-core';
import { everyAccessibilityFinding, launchBrowser } from '../support/browser/browser.ts';
import { countQuestions } from '../support/browser/countQuestions.ts';
import { keepScreenshot } from '../support/browser/keepScreenshot.ts';
import { overflow } from '../support/browser/overflow.ts';
import { openPageAs } from '../support/browser/signedInBrowser.ts';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';
import { healthNames, pageStates, populateStates, type PageState, type StatesOfPages } from '../support/portals/pageStates.ts';
import { factsOf, type PageFacts } from './pageFacts.ts';
import { report, type Measure } from './report.ts';
import { tabs, widths } from './visits.ts';
import { weights } from './weights.ts';

let application: PortalWorld;
let browser: Browser;
let states: StatesOfPages;
let page: Page;

beforeAll(async () => {
  [application, browser] = await Promise.all([openWorld({ portal: true }), launchBrowser({ optimizes: true })]);
  states = await populateStates(application);
  ({ page } = await openPageAs(browser, states.owner, { savesData: false }));
  page.setDefaultTimeout(30_000);
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await application?.close();
});

const visits = () =>
  pageStates.flatMap((state) =>
    Object.entries(tabs).map(([tab, { path, ...goals }]) => ({
      name: `${tab} ${state}`,
      state,
      path: `/integrations/${states.slugs[state]}${path}`,
      ...goals,
    })),
  );

/** Whether the page says in its first 600 pixels how production is. The sandbox says whether it can be called, which does not depend on production. */
async function isAnswered(name: string, state: PageState, { lines }: PageFacts): Promise<boolean> {
  if (!name.startsWith('sandbox') || state === 'retired') return lines.some((line) => healthNames[state].test(line));
  const answer = page.getByText('Your back end can call the sandbox');
  if ((await answer.count()) === 0) return false;
  return ((await answer.boundingBox())?.y ?? Infinity) < 600;
}

describe('heights', () => {
  test('of every page in each state, where its content begins and what moves', async () => {
    const measures: Measure[] = [];
    const unanswered: string[] = [];
    for (const width of [1280, 360] as const) {
      await page.setViewportSize({ width, height: 900 });
      for (const { name, state, path, high, highNarrow } of visits()) {
        const facts: PageFacts = await factsOf(page, path);
        const where = `${name} ${width}`;
        measures.push(
          { what: `${where}: height`, today: facts.ends, atMost: width === 1280 ? high : highNarrow, unit: 'px' },
          { what: `${where}: content begins at`, today: facts.begins, atMost: width === 1280 ? 180 : 220, unit: 'px' },
          { what: `${where}: layout shift`, today: facts.shift, atMost: 0.01, unit: '' },
        );
        if (state !== 'new' && state !== 'healthy' && !(await isAnswered(name, state, facts))) unanswered.push(where);
        await keepScreenshot(page, `${name.replace(' ', '-')}-light-${width}`);
        if (process.env['SCREENSHOTS']) {
          await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
          await keepScreenshot(page, `${name.replace(' ', '-')}-dark-${width}`);
          await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
        }
      }
    }
    measures.push({
      what: `pages whose answer is not in the first 600 pixels (${unanswered.join(', ')})`,
      today: unanswered.length,
      atMost: 0,
      unit: '',
    });
    report('Heights and shifts', measures);
  }, 900_000);

  test('of the pages in each state leave room for words of 60 letters from 320 to 1600 pixels', async () => {
    const word = 'W'.repeat(60);
    await application.rows('update profile_version set public_name = $1, public_description = $1, purpose = $1', [word]);
    const measures: Measure[] = [];
    for (const { name, path } of visits()) {
      await factsOf(page, path);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        const beyond = await overflow(page);
        if (beyond > 0) measures.push({ what: `${name} ${width}: runs over by`, today: beyond, atMost: 0, unit: 'px' });
      }
    }
    await application.rows(
      "update profile_version p set public_name = 'Tracker ' || i.slug from integration i where i.id = p.integration_id",
    );
    report('Words of 60 letters', [...measures, { what: 'pages that run over', today: measures.length, atMost: 0, unit: '' }]);
  }, 900_000);
});

test('access: nothing that axe finds, of any impact, light and dark, narrow and wide', async () => {
  const found: Measure[] = [];
  for (const { name, state, path } of visits()) {
    if (state !== 'new' && state !== 'failing') continue;
    await page.setViewportSize({ width: 1280, height: 900 });
    await factsOf(page, path);
    for (const [colorScheme, width] of [
      ['light', 1280],
      ['light', 360],
      ['dark', 1280],
      ['dark', 360],
    ] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height: 900 });
      for (const finding of await everyAccessibilityFinding(page))
        found.push({ what: `${name} ${colorScheme} ${width}: ${finding}`, today: 1, atMost: 0, unit: '' });
    }
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  }
  report('Accessibility', [...found, { what: 'findings', today: found.length, atMost: 0, unit: '' }]);
}, 900_000);

test('requests of GraphQL, for the frame and for the page, until a page is there', async () => {
  await page.setViewportSize({ width: 1280, height: 900 });
  const measures: Measure[] = [];
  for (const state of pageStates) {
    for (const [tab, { path }] of Object.entries(tabs)) {
      const opened = await countQuestions(page, () => factsOf(page, `/integrations/${states.slugs[state]}${path}`));
      measures.push({ what: `${tab} ${state}, opened (${opened.join(', ')})`, today: opened.length, atMost: 2, unit: '' });
    }
    for (const tab of Object.values(tabWords)) {
      const link = page.getByRole('navigation', { name: 'Integration' }).getByRole('link', { name: tab });
      const changed = await countQuestions(page, async () => {
        await link.click();
        await page.waitForLoadState('networkidle');
      });
      measures.push({ what: `${tab} ${state}, from another tab (${changed.join(', ')})`, today: changed.length, atMost: 2, unit: '' });
    }
  }
  report('Requests', measures);
}, 900_000);

test('weights of what browsers load', () => {
  const { entry, signIn, palette, charts, whole, documentation, pages } = weights();
  report('Weights, brotli as served', [
    { what: 'sign-in, all scripts', today: signIn, atMost: 150, unit: 'kB' },
    { what: 'entry', today: entry, atMost: 155, unit: 'kB' },
    { what: 'whole application', today: whole, atMost: 425, unit: 'kB' },
    { what: 'text and search index of the documentation', today: documentation, unit: 'kB' },
    { what: 'palette, beside the header', today: palette, atMost: 22, unit: 'kB' },
    { what: 'charts', today: charts, atMost: 25, unit: 'kB' },
    ...pages.map(({ name, kB }) => ({ what: name, today: kB, atMost: 20, unit: 'kB' })),
  ]);
});
