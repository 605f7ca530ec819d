import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../support/browser/browser.ts';
import { keepScreenshot } from '../support/browser/keepScreenshot.ts';
import { openPageAs } from '../support/browser/signedInBrowser.ts';
import { populate, type PopulatedPortal } from '../support/portals/populatedPortal.ts';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';

/** While the next release is installed or taken back, its rows have statuses, types and codes that this one does not know. */
let application: PortalWorld;
let browser: Browser;
let portal: PopulatedPortal;
beforeAll(async () => {
  [application, browser] = await Promise.all([openWorld({ portal: true }), launchBrowser()]);
  portal = await populate(application);
  for (const [table, column] of stored) await becomeOfLaterRelease(table, column);
  for (const [table, column] of storedLists)
    await application.rows(`update ${table} set ${column} = ${column} || 'of_a_later_release'::text`);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await application?.close();
});

const stored = [
  ['integration', 'status'],
  ['certificate', 'status'],
  ['p12_package', 'status'],
  ['review_submission', 'status'],
  ['webhook_endpoint', 'status'],
  ['webhook_challenge', 'status'],
  ['webhook_delivery', 'state'],
  ['webhook_delivery', 'reason'],
  ['webhook_attempt', 'error'],
  ['webhook_delivery', 'type'],
  ['webhook_event', 'type'],
  ['request_log', 'problem_code'],
  ['certificate', 'source'],
  ['certificate', 'revocation_reason'],
  ['quota_override', 'quota'],
] as const;
const storedLists = [
  ['webhook_endpoint', 'event_types'],
  ['operator', 'roles'],
] as const;

/** What has ended stays as it is, so that it can be told from the rest. */
async function becomeOfLaterRelease(table: string, column: string): Promise<void> {
  await application.rows(`do $$ declare name text; begin
    for name in select conname from pg_constraint where contype = 'c' and conrelid = '${table}'::regclass loop
      execute format('alter table ${table} drop constraint %I', name);
    end loop; end $$`);
  await application.rows(
    `update ${table} set ${column} = 'of_a_later_release' where ${column} is not null and ${column} not in ('revoked', 'removed', 'discarded')`,
  );
}

const tabs = ['', 'sandbox', 'certificates', 'requests?environment=sandbox', 'webhooks', 'deletions', 'profile', 'kit', 'production'];
const pages: readonly (readonly [
  as: 'owner' | 'administrator' | 'reviewer',
  at: (of: PopulatedPortal) => string,
  heading: string,
  shows?: string,
])[] = [
  ['owner', () => '/integrations', 'Integrations', 'Nordlys Tracker'],
  ['owner', () => '/inbox', 'Inbox'],
  ['owner', () => '/activity', 'Activity'],
  ...tabs.map((tab) => ['owner', ({ slug }: PopulatedPortal) => `/integrations/${slug}/${tab}`, 'Nordlys Tracker', 'Unknown'] as const),
  ['owner', ({ slug, endpointId }) => `/integrations/${slug}/webhooks/${endpointId}`, 'Nordlys Tracker', 'Deliveries are held.'],
  [
    'owner',
    ({ slug, endpointId, deliveryId }) => `/integrations/${slug}/webhooks/${endpointId}/deliveries/${deliveryId}`,
    'Nordlys Tracker',
  ],
  ['administrator', () => '/admin', 'Service'],
  ['administrator', () => '/admin/integrations', 'Integrations of all operators', 'Unknown'],
  ['administrator', ({ slug }) => `/admin/integrations/${slug}`, 'Nordlys Tracker', 'Unknown'],
  ['administrator', () => '/admin/certificates', 'Certificates of all operators'],
  ['administrator', () => '/admin/operators', 'Operators', 'Unknown role'],
  ['administrator', () => '/admin/webhooks', 'Failing webhook endpoints'],
  ['administrator', () => '/admin/gate', 'Production gate'],
  ['reviewer', () => '/review', 'Review'],
  ['reviewer', ({ submissionId }) => `/review/${submissionId}`, 'Order Board', 'Unknown'],
];

test('a page with a status or a code that only a later release knows shows all else, and says that it is unknown', async () => {
  const readers = {
    owner: await openPageAs(browser, portal.owner),
    administrator: await openPageAs(browser, portal.administrator),
    reviewer: await openPageAs(browser, portal.reviewer),
  };
  const failures: string[] = [];
  for (const [as, at, heading, shows] of pages) {
    const { page, complaints } = readers[as];
    const address = at(portal);
    await page.goto(address);
    try {
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
      if (shows) await page.getByText(shows, { exact: false }).first().waitFor();
      if (await page.getByRole('button', { name: 'Try again' }).count()) failures.push(`${address}: could not be read`);
    } catch (error) {
      failures.push(`${address}: ${String(error).slice(0, 300)} ${(await page.locator('main').innerText()).slice(0, 300)}`);
    }
    failures.push(...complaints.splice(0).map((complaint) => `${address}: ${complaint}`));
    await keepScreenshot(page, `later${address.replaceAll(/[/?]/g, '-')}`);
  }
  expect(failures).toEqual([]);
}, 240_000);
