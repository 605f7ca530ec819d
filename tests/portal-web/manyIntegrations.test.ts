import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { accessibilityFindings, launchBrowser, type WatchedPage } from '../support/browser/browser.ts';
import { keepScreenshot } from '../support/browser/keepScreenshot.ts';
import { overflow } from '../support/browser/overflow.ts';
import { openPageAs } from '../support/browser/signedInBrowser.ts';
import { runOn } from '../support/run/testDatabase.ts';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';
import { actorOf } from '../support/world/reviewPath.ts';

const id = (prefix: string, n: string): string => `'${prefix}_' || lpad((${n})::text, 26, '0')`;

/** 1,000 integrations of one operator. 120 of them are active and have no certificate to call with. */
const filled = (operatorId: string): string => `set session_replication_role = replica;
insert into integration (id, operator_id, slug, status, profile_version, reviewed_profile_version, production_gate_open, created_at)
select ${id('int', 'n')}, '${operatorId}', 'board-' || lpad(n::text, 4, '0'), case when n % 8 = 0 and n <= 960 then 'active' else 'sandbox' end, 1,
       case when n % 8 = 0 and n <= 960 then 1 end, n % 8 = 0 and n <= 960, now() - n * interval '1 minute'
  from generate_series(1, 1000) n;
insert into profile_version (integration_id, version, public_name, public_description, purpose, legal_operator_name, country, support_email,
   website_url, privacy_policy_url, terms_of_service_url, order_linking_url, requested_scopes, polling_cadence_minutes, webhook_model,
   terms_version, attribution_accepted_at, created_at, created_by)
select ${id('int', 'n')}, 1, 'Board ' || n, 'Words', 'Words', 'Ltd', 'DE', 'help@example.org', 'https://example.org', 'https://example.org/p',
       'https://example.org/t', 'https://example.org/l', '{orders.read}', 15, 'none', 1, now(), now(), '${operatorId}' from generate_series(1, 1000) n;
insert into client (id, integration_id, environment, scopes, created_at)
select ${id('cli', 'n * 2 + e')}, ${id('int', 'n')}, case e when 0 then 'sandbox' else 'production' end, '{orders.read}', now()
  from generate_series(1, 1000) n, generate_series(0, 1) e where e = 0 or (n % 8 = 0 and n <= 960);
insert into client_feed (client_number) select number from client;
insert into client_quota (client_number) select number from client;
insert into sandbox_corpus (client_number, generation, requested_at, ready_at) select number, 1, now(), now() from client where environment = 'sandbox'`;

let application: PortalWorld;
let browser: Browser;
let watched: WatchedPage;
let page: Page;

beforeAll(async () => {
  [application, browser] = await Promise.all([openWorld({ portal: true }), launchBrowser()]);
  const owner = await application.operator();
  await runOn(application.databaseUrl, filled((await actorOf(owner)).operatorId));
  watched = await openPageAs(browser, owner);
  ({ page } = watched);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await application?.close();
});

/** The page as it is must fit into wide and narrow windows, and have nothing that axe finds. */
async function inspect(name: string): Promise<void> {
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect([width, await overflow(page)]).toEqual([width, 0]);
    await keepScreenshot(page, `${name}-${width}`);
  }
  expect(await accessibilityFindings(page)).toEqual([]);
}

test('somebody with 1,000 integrations finds what 120 of them need as one line and twenty rows at home, and comes back to the same page of them', async () => {
  await page.goto('/integrations');
  const needs = page.getByRole('region', { name: 'Needs your attention' });
  await needs.waitFor();
  expect(await needs.getByRole('listitem').count()).toBe(1);
  await needs.getByText('No production certificate: 120 integrations', { exact: true }).waitFor();
  const rows = page.getByRole('table', { name: 'Your integrations' }).locator('tbody tr');
  expect(await rows.count()).toBe(20);
  await inspect('many-home');

  await page.getByRole('link', { name: 'Next page' }).click();
  await page.waitForURL('**/integrations?*after=*');
  await rows.getByRole('link', { name: 'Board 21', exact: true }).click();
  await page.waitForURL('**/integrations/board-0021');
  await page.goBack();
  await rows.getByRole('link', { name: 'Board 21', exact: true }).waitFor();
});

test('the line leads to those that need it, and health narrows the list with its totals', async () => {
  await page.goto('/inbox');
  const needs = page.getByRole('region', { name: 'Needs your attention' });
  await needs.getByText('No production certificate: 120 integrations', { exact: true }).waitFor();
  expect(await needs.getByRole('listitem').count()).toBe(1);
  await inspect('many-inbox');
  await needs.getByRole('link', { name: /^Show them: No production certificate/ }).click();
  await page.waitForURL('**/integrations?need=certificateMissing');
  const filters = page.getByRole('group', { name: 'Filter your integrations' });
  await filters.getByText('Need: No production certificate', { exact: true }).waitFor();
  await filters.getByText('120 integrations', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await filters.getByText('1,000 integrations', { exact: true }).waitFor();
  await page.getByText('In all: 120 setting up, 880 new', { exact: true }).waitFor();
  await filters.getByLabel('Health').selectOption({ label: 'setting up (120)' });
  await filters.getByText('120 integrations', { exact: true }).waitFor();
  const rows = page.getByRole('table', { name: 'Your integrations' }).locator('tbody tr');
  expect(await rows.count()).toBe(20);
  await rows.first().getByText('Setting up', { exact: true }).waitFor();
  await inspect('many-setting-up');
});

test('they find one of them by its slug, and each of its tabs says what it says for anybody', async () => {
  await page.goto('/integrations');
  await page.getByRole('button', { name: 'Search or paste an ID' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search or paste an ID' }).waitFor();
  await page.keyboard.insertText('board-0500');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/integrations/board-0500');
  const tabs = new Map([
    ...['Requests', 'Webhooks', 'Certificates', 'Deletions', 'Profile'].map((tab) => [tab, tab.toLowerCase()] as const),
    ['Test data', 'sandbox'],
    ['Go live', 'production'],
  ]);
  for (const [tab, path] of tabs) {
    await page.getByRole('navigation', { name: 'Integration' }).getByRole('link', { name: tab, exact: true }).click();
    await page.waitForURL(`**/integrations/board-0500/${path}*`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await overflow(page)).toBe(0);
  }
  expect(watched.complaints).toEqual([]);
});
