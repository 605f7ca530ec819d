import { afterAll, beforeAll, describe, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, openPage } from '../support/browser/browser.ts';
import { openPageAs } from '../support/browser/signedInBrowser.ts';
import { populateStates, type StatesOfPages } from '../support/portals/pageStates.ts';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';
import { numberOfClient } from '../support/world/revocationFixtures.ts';
import { writeRequests } from '../support/world/usageFixtures.ts';
import { secondsToLastRow, secondsToTab, watchArrivals } from './arrivals.ts';
import { longestInteraction, watchInteractions } from './interactions.ts';
import { report, type Measure } from './report.ts';
import { slowly } from './slowly.ts';

/** As long as somebody looks at a page before going on. Meanwhile, the page loads the scripts of the tabs. */
const looking = 3_000;
const visited = ['Requests', 'Deletions', 'Certificates', 'Overview'] as const;
/** So many readers come for the first time, one after the other: what counts is the one in the middle. */
const readers = 9;
const line = { cpu: 4, megabits: 10, delay: 40 } as const;

let application: PortalWorld;
let browser: Browser;
let states: StatesOfPages;
let overview: string;

beforeAll(async () => {
  [application, browser] = await Promise.all([openWorld({ portal: true }), launchBrowser({ optimizes: true })]);
  states = await populateStates(application);
  overview = `/integrations/${states.slugs.failing}`;
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await application?.close();
});

const log = (page: Page) => page.getByRole('table', { name: 'Requests', exact: true });

/** Of an odd number. */
function middle(all: readonly number[]): number {
  return all.toSorted((one, other) => one - other)[(all.length - 1) / 2] ?? 0;
}

async function look(page: Page): Promise<void> {
  await page.waitForTimeout(looking);
  await page.waitForLoadState('networkidle');
}

/** A reader’s page at the overview of the integration that fails, as slow as the goals say. */
async function openOverview(): Promise<{ readonly page: Page; readonly cold: number }> {
  const { page } = await openPageAs(browser, states.owner, { savesData: false });
  await watchInteractions(page);
  await watchArrivals(page);
  await slowly(page, line);
  const opened = performance.now();
  await page.goto(overview, { waitUntil: 'commit' });
  await page.locator('section[data-tone]').first().waitFor();
  return { page, cold: (performance.now() - opened) / 1000 };
}

describe('seconds', () => {
  test('on a slow machine and a slow line', async () => {
    const visitor = (await openPage(browser, { baseURL: application.portalUrl, savesData: false })).page;
    await slowly(visitor, { ...line, megabits: 1.6 });
    const started = performance.now();
    await visitor.goto('/sign-in', { waitUntil: 'commit' });
    await visitor.getByRole('button', { name: /passkey/i }).waitFor();
    const signIn = (performance.now() - started) / 1000;
    await visitor.context().close();

    const colds: number[] = [];
    const taken = new Map<string, number[]>();
    const take = (what: string, seconds: number) => taken.set(what, [...(taken.get(what) ?? []), seconds]);
    for (let reader = 0; reader < readers; reader += 1) {
      const { page, cold } = await openOverview();
      colds.push(cold);
      for (const again of ['', ' again']) {
        for (const tab of visited) {
          await look(page);
          take(`to the tab ${tab}${again}`, await secondsToTab(page, tab));
          if (tab === 'Requests') take(`  until its last row is there${again}`, await secondsToLastRow(page));
        }
      }
      await page.context().close();
    }
    const between = [...taken].map(([what, all]) => ({
      what,
      today: middle(all),
      ...(what.startsWith('to the tab') && { atMost: 0.4 }),
      unit: 's',
    }));
    report('Seconds', [
      { what: 'sign-in visible, CPU × 4, 1.6 Mbit/s', today: signIn, atMost: 3, unit: 's' },
      { what: 'cold to the line about health, CPU × 4, 10 Mbit/s', today: middle(colds), atMost: 2, unit: 's' },
      ...between,
    ]);
  }, 1_200_000);

  test('from a key or a click to the next frame, on a slow machine', async () => {
    const { page } = await openOverview();
    const measures: Measure[] = [];
    const measure = async (what: string, act: () => Promise<unknown>) => {
      await look(page);
      measures.push({ what, today: await longestInteraction(page, act), atMost: 200, unit: 'ms' });
    };
    for (const again of ['', ' again']) {
      for (const tab of visited) {
        await measure(`to the tab ${tab}${again}`, () => secondsToTab(page, tab));
      }
    }
    await secondsToTab(page, 'Requests');
    // A pointer that has yet to come to the row would have its own answer, and that is not the one to the click.
    await log(page).getByRole('link').first().hover();
    await measure('a request opens beside the log', async () => {
      await page.mouse.down();
      await page.mouse.up();
      await page.getByRole('complementary').waitFor();
    });
    await measure('the next request, by a key', () => page.keyboard.press('j'));
    await measure('the request closes', () => page.keyboard.press('Escape'));
    await measure('the menu of a row', () =>
      log(page)
        .getByRole('button', { name: /^Actions for/ })
        .first()
        .click(),
    );
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Account menu' }).click();
    await measure('UTC instead of local times', () => page.getByText('UTC', { exact: true }).click());
    await page.keyboard.press('Escape');
    await measure('the search opens', () => page.getByRole('button', { name: 'Search or paste an ID' }).click());
    await measure('letters of the search', () =>
      page.getByRole('combobox', { name: 'Search or paste an ID' }).pressSequentially('track', { delay: 100 }),
    );
    await page.context().close();
    report('From a key or a click to the next frame', measures);
  }, 900_000);

  test('until a call shows in the live log', async () => {
    const [client] = await application.rows<{ number: number; common_name: string; id: string; serial: string }>(
      `select k.number, 'svc:' || k.environment || ':' || k.id as common_name, x.id, x.serial
         from client k join certificate x on x.client_number = k.number where k.number = $1 and x.serial is not null limit 1`,
      [await numberOfClient(application, states.slugs.failing, 'production')],
    );
    if (!client) throw new Error('The integration that fails has no certificate.');
    const { page } = await openPageAs(browser, states.owner, { savesData: false });
    await page.goto(`${overview}/requests`);
    await log(page).getByRole('link').first().waitFor();
    const taken: number[] = [];
    for (const pause of [0, 700, 1_400, 2_100, 2_800]) {
      await page.waitForTimeout(pause);
      const known = { clientNumber: client.number, commonName: client.common_name, certificate: { id: client.id, serial: client.serial } };
      const answered = performance.now();
      const [call] = await writeRequests(application.databaseUrl, known, [{ operation: 'getCapabilities' }]);
      await log(page)
        .getByRole('button', { name: `Actions for ${call?.requestId}` })
        .waitFor();
      taken.push((performance.now() - answered) / 1000);
    }
    await page.context().close();
    const longest = Math.max(...taken);
    // The page asks every three seconds, so that the longest time is three seconds and the time of an answer.
    report('Live log', [
      { what: 'until a call shows, in the middle', today: middle(taken), atMost: 3, unit: 's' },
      { what: 'at the longest', today: longest, unit: 's' },
    ]);
  }, 900_000);
});
