import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import type { FinishedRequest } from '../../../server/domain/usage/FinishedRequest.ts';
import { accessibilityFindings, launchBrowser, type WatchedPage } from '../../support/browser/browser.ts';
import { watchShifts } from '../../support/browser/watchShifts.ts';
import { openPageAs } from '../../support/browser/signedInBrowser.ts';
import type { CertificateData, PortalClient } from '../../support/clients/portalClient.ts';
import { SandboxClient } from '../../support/clients/sandboxClient.ts';
import { numberOfClient } from '../../support/world/revocationFixtures.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { writeRequests } from '../../support/world/usageFixtures.ts';

/** What the page of the certificates says of the first call, to a reader whose window is low. */
let world: PortalWorld;
let browser: Browser;
let operator: PortalClient;
let watched: WatchedPage;
let page: Page;
let integration: Awaited<ReturnType<PortalClient['createIntegration']>>;
let certificate: CertificateData;

beforeAll(async () => {
  [world, browser] = await Promise.all([openWorld({ portal: true }), launchBrowser()]);
  operator = await world.operator();
  await operator.confirmFreshly();
  watched = await openPageAs(browser, operator);
  ({ page } = watched);
});
afterAll(async () => {
  await browser?.close();
  await world?.close();
});

const region = () => page.getByRole('region', { name: 'Your first call' });
const line = () => region().getByRole('status');
const record = () => region().getByRole('figure', { name: 'The first record of /v1/sync' });
const call = async (changes: Partial<FinishedRequest> = {}) =>
  writeRequests(
    world.databaseUrl,
    { clientNumber: await numberOfClient(world, integration.slug), commonName: integration.commonName, certificate },
    [{ operation: 'getCapabilities', durationMs: 36, ...changes }],
  );
const inSight = async (part: Locator) => {
  const { y, height } = (await part.boundingBox()) ?? { y: Infinity, height: 0 };
  return y >= 0 && y + height <= (page.viewportSize()?.height ?? 0);
};

beforeEach(async () => {
  integration = await operator.createIntegration();
  certificate = await operator.issuedCertificate(integration);
  await SandboxClient.buildOf(world, integration.clientId);
  await page.setViewportSize({ width: 1280, height: 560 });
  await page.goto(`/integrations/${integration.slug}/certificates`);
  await line().filter({ hasText: 'Waiting for your first call…' }).waitFor();
});

test('an answer that arrives below the window comes into sight with its record, and the focus stays', async () => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await inSight(record())).toBe(false);
  const chosen = page.getByRole('radio', { name: 'Kit (Node 22.13 or later)' });
  await chosen.focus();
  const top = await page.evaluate('scrollY');
  await call();
  await record().getByText('The first record of your sync', { exact: true }).waitFor();
  expect([await inSight(line()), await inSight(record())]).toEqual([true, true]);
  expect(await page.evaluate('scrollY')).toBeGreaterThan(Number(top));
  expect(await chosen.evaluate((each) => each === each.ownerDocument.activeElement)).toBe(true);
  expect(watched.complaints).toEqual([]);
});

test('a reader who is writing when the answer arrives keeps what they write in sight', async () => {
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox').or(page.getByRole('searchbox')).first();
  await field.fill('first');
  await call();
  await line().filter({ hasText: '200 in 36 ms' }).waitFor();
  expect(await page.evaluate('scrollY')).toBe(0);
});

/** Writes down that the client has read the feed up to here, as the machine API does after a page. */
const hasReadTo = async (end: string) =>
  world.rows(
    `insert into client_observation (client_number, state)
     select f.client_number, json_build_object('pageEnd', ${end}, 'pageEpoch', f.epoch) from client_feed f where client_number = $1
     on conflict (client_number) do update set state = excluded.state`,
    [await numberOfClient(world, integration.slug)],
  );

test('after the first page, it says what is left and how to ask for it, and later that all has been read, and nothing moves on a phone', async () => {
  await page.setViewportSize({ width: 360, height: 780 });
  await call({ operation: 'getSync' });
  await line().filter({ hasText: '500 orders wait' }).waitFor();
  const shifts = await watchShifts(page);
  await hasReadTo('(select min(position) - 1 from shared_resource where client_number = f.client_number and revocation_id is not null)');
  const left = 'your back end has synced. 1 more record, a tombstone, waits: sync again, with next_cursor as updated_since.';
  await line()
    .filter({ hasText: `200 in 36 ms: ${left}` })
    .waitFor();
  await hasReadTo('f.head');
  await line().filter({ hasText: '200 in 36 ms: your back end has read everything in /v1/sync: 500 orders' }).waitFor();
  expect(await shifts()).toEqual([]);
});

test('an owner who comes back finds the answer with its time, the first record and what comes next, and nothing moves', async () => {
  await call();
  await record().getByText('The first record of your sync', { exact: true }).waitFor();
  await page.reload();
  await region().getByText('Looking up your last call…').or(line()).first().waitFor();
  const shifts = await watchShifts(page);
  await line().filter({ hasText: '200 in 36 ms, just now: 500 orders wait in /v1/sync' }).waitFor();
  await record().getByText('The first record of your sync', { exact: true }).waitFor();
  await region().getByRole('link', { name: 'Next: share an order' }).waitFor();
  expect(await shifts()).toEqual([]);
  expect(await region().getByText('npx svc sync').isVisible()).toBe(false);
  await region().getByText('The commands, to run them again').click();
  await region().getByText('npx svc sync').waitFor();
  expect(await accessibilityFindings(page)).toEqual([]);
  expect(watched.complaints).toEqual([]);
});
