import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../support/browser/browser.ts';
import { overflow } from '../../support/browser/overflow.ts';
import { openPageAs } from '../../support/browser/signedInBrowser.ts';
import { numberOfClient } from '../../support/world/revocationFixtures.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';

let application: PortalWorld;
let browser: Browser;
let page: Page;
let slug: string;
beforeAll(async () => {
  [application, browser] = await Promise.all([openWorld({ portal: true }), launchBrowser()]);
  const operator = await application.operator();
  ({ slug } = await operator.createIntegration({ publicName: 'Nordlys Tracker' }));
  await operator.createIntegration({ publicName: 'Order Board' });
  ({ page } = await openPageAs(browser, operator));
});
afterAll(async () => {
  await browser?.close();
  await application?.close();
});

const synced = async (environment: 'sandbox' | 'production') => {
  const number = await numberOfClient(application, slug, environment);
  await application.rows(
    `insert into client_activity (client_number, last_request_at, last_sync_at) values ($1, now() - interval '3 minutes', now() - interval '3 minutes')
     on conflict (client_number) do update set last_request_at = excluded.last_request_at, last_sync_at = excluded.last_sync_at`,
    [number],
  );
};
const row = (name = 'Nordlys Tracker', on = page) =>
  on.getByRole('table', { name: 'Your integrations' }).getByRole('row').filter({ hasText: name });

test('the list tells of the environment in use, and which one that is', async () => {
  await synced('sandbox');
  await numberOfClient(application, slug, 'production');
  await application.rows(`update integration set status = 'active' where slug = $1`, [slug]);
  await page.goto('/integrations');
  const inSandbox = row().getByRole('cell').filter({ hasText: '3 minutes ago' });
  await inSandbox.getByText('Sandbox', { exact: true }).waitFor();
  expect(await row().getByText('Never').count()).toBe(0);
  await synced('production');
  await page.reload();
  await row().getByRole('cell').filter({ hasText: '3 minutes ago' }).getByText('Production', { exact: true }).waitFor();
  await page.setViewportSize({ width: 360, height: 800 });
  expect(await overflow(page)).toBe(0);
});

test.each([360, 1440])(
  'at %d pixels home says once what a first submission lacks, and leads there, where the first screen says it',
  async (width) => {
    const missing = 'logo, review address, 9 confirmations';
    const newcomer = await application.operator();
    await newcomer.createIntegration({ publicName: 'First Board' });
    const { page: alone } = await openPageAs(browser, newcomer);
    // Nothing else needs the newcomer, so the table says it; otherwise a line above the table does.
    const places = [
      [alone, row('First Board', alone).getByRole('link', { name: `Missing for the review: ${missing}` })],
      [page, page.getByRole('link', { name: 'See what is missing: Missing for production: 4 steps, Order Board' })],
    ] as const;
    for (const [of, link] of places) {
      await of.setViewportSize({ width, height: 780 });
      await of.goto('/integrations');
      await link.waitFor();
      expect((await of.getByRole('main').innerText()).split(missing)).toHaveLength(2);
      await link.click();
      const toDo = of.getByText('Still to do: upload a logo, give the review address, confirm 9 points.').first();
      expect((await toDo.boundingBox())?.y).toBeLessThan(780 - 48);
    }
    await alone.context().close();
  },
);
