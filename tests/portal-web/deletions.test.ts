import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { acknowledgementCommand } from '../../portal-web/src/features/deletions/acknowledgementCommand.ts';
import { timeLeft } from '../../portal-web/src/features/deletions/timeLeft.ts';
import { accessibilityFindings, launchBrowser, type WatchedPage } from '../support/browser/browser.ts';
import { keepScreenshot } from '../support/browser/keepScreenshot.ts';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';
import type { PortalClient } from '../support/clients/portalClient.ts';
import { acknowledge, clientNumber, revokedConnection, revokedOrder } from '../support/world/revocationFixtures.ts';
import { openPageAs } from '../support/browser/signedInBrowser.ts';
import { overflow } from '../support/browser/overflow.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

test.each([
  [7 * day, '7 days left', 'calm'],
  [6 * day + 4 * hour + 59 * minute, '6 days 4 hours left', 'calm'],
  [2 * day + 1, '2 days left', 'calm'],
  [2 * day, '2 days left', 'soon'],
  [day + hour, '1 day 1 hour left', 'soon'],
  [3 * hour + minute, '3 hours 1 minute left', 'soon'],
  [59_999, 'less than a minute left', 'soon'],
  [0, 'overdue for less than a minute', 'overdue'],
  [-(day + 2 * hour), 'overdue for 1 day 2 hours', 'overdue'],
])('%d ms before the deadline the page says "%s" and treats it as %s', (left, words, urgency) => {
  const now = new Date('2026-11-21T08:00:00Z');
  expect(timeLeft(new Date(now.getTime() + left), now)).toEqual({ words, urgency });
});

test('the command names the revocation, carries a stable key, and the authority on a development service alone', () => {
  const command = acknowledgementCommand('rev_x', {
    machineApiUrl: 'https://api.example/v1',
    developmentCa: false,
    keyName: 'sandbox-2026-11',
  });
  expect(command).toBe(
    `curl --cert sandbox-2026-11.pem --key sandbox-2026-11.key \\
  -H 'Content-Type: application/json' -H 'Idempotency-Key: deleted-rev_x' \\
  -d '{"deletion_completed": true}' https://api.example/v1/revocations/rev_x/ack`,
  );
  expect(acknowledgementCommand('rev_x', { machineApiUrl: '', developmentCa: true, keyName: 'sandbox-2026-11' })).toContain(
    '--cacert ca.pem',
  );
});

describe('the deletions of an integration', () => {
  let application: PortalWorld;
  let browser: Browser;
  let operator: PortalClient;
  let watched: WatchedPage;
  let page: Page;
  let slug: string;
  let sandbox: number;
  const ids = {} as Record<'order' | 'connection' | 'overdue' | 'production' | 'acknowledged', string>;

  beforeAll(async () => {
    [application, browser] = await Promise.all([openWorld({ portal: true }), launchBrowser()]);
    operator = await application.operator();
    ({ slug } = await operator.createIntegration({ publicName: 'Nordlys Tracker' }));
    sandbox = await clientNumber(application, slug);
    await operator.confirmFreshly();
    watched = await openPageAs(browser, operator);
    ({ page } = watched);
    page.setDefaultTimeout(15_000);
  });
  afterAll(async () => {
    await browser?.close();
    await application?.close();
  });

  const revokedAgo = (clientNo: number, span: number) => ({ clientNo, revokedAt: new Date(Date.now() - span) });
  const card = (id: string) => page.getByRole('article', { name: `Revocation ${id}` });

  test('an empty queue says how it comes to be filled', async () => {
    await page.goto(`/integrations/${slug}`);
    await page.getByRole('link', { name: 'Deletions', exact: true }).click();
    await page.getByRole('heading', { name: 'No outstanding deletions' }).waitFor();
    await page.getByText('appears here at once and as a tombstone in your next sync').waitFor();
    await page.getByRole('heading', { name: 'What you must do after a revocation' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/integrations/${slug}/deletions`);
  });

  test('what is revoked appears with its time left, the most urgent first, sandbox and production told apart', async () => {
    ids.order = (await revokedOrder(application, revokedAgo(sandbox, hour))).revocationId;
    ids.connection = (await revokedConnection(application, revokedAgo(sandbox, 5.5 * day), 3)).revocationId;
    ids.overdue = (await revokedOrder(application, revokedAgo(sandbox, 8.5 * day))).revocationId;
    const production = await clientNumber(application, slug, 'production');
    ids.production = (await revokedConnection(application, revokedAgo(production, 9 * day), 1)).revocationId;
    ids.acknowledged = (await revokedOrder(application, revokedAgo(sandbox, 20 * day))).revocationId;
    await acknowledge(application, ids.acknowledged, new Date(Date.now() - 15 * day), true);
    await page.reload();

    await card(ids.order).waitFor();
    const names = await page.getByRole('article').evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')));
    expect(names).toEqual([ids.production, ids.overdue, ids.connection, ids.order].map((id) => `Revocation ${id}`));
    await card(ids.order)
      .getByText(/^Outstanding: 6 days 2[23] hours( |$).*left$/)
      .waitFor();
    await card(ids.order).getByRole('heading', { name: 'One order' }).waitFor();
    await card(ids.connection).getByText('Due soon: 1 day 1').waitFor();
    await card(ids.connection).getByRole('heading', { name: 'A whole connection, 3 resources' }).waitFor();
    await card(ids.overdue)
      .getByText(/^Overdue for 1 day/)
      .waitFor();
    await card(ids.overdue).getByText('There are no further consequences in the sandbox').waitFor();
    await card(ids.production).getByText('Production', { exact: true }).waitFor();
    await card(ids.production).getByText('The integration can be suspended').waitFor();
    expect(await card(ids.overdue).getByText('Acknowledge once every copy is deleted').count()).toBe(0);
  });

  test('the command is ready to paste, with the revocation’s own id and key', async () => {
    await card(ids.order).getByText('Acknowledge once every copy is deleted').click();
    const command = await card(ids.order).locator('pre').innerText();
    expect(command).toContain(`Idempotency-Key: deleted-${ids.order}`);
    expect(command).toContain(`https://localhost:8443/v1/revocations/${ids.order}/ack`);
    await card(ids.order).getByRole('button', { name: 'Copy the acknowledgement command' }).waitFor();
  });

  test('the list is narrowed by state and environment, and the address keeps it', async () => {
    await page.getByText('Overdue (2)').click();
    await page.waitForURL(/state=overdue/);
    await card(ids.order).waitFor({ state: 'detached' });
    await page.getByRole('combobox', { name: 'Environment' }).selectOption('production');
    await page.waitForURL(/environment=production/);
    await page.reload();
    await card(ids.production).waitFor();
    expect(await page.getByRole('article').count()).toBe(1);
    await page.goto(`/integrations/${slug}/deletions?state=acknowledged`);
    await card(ids.acknowledged).getByText('Acknowledged late').waitFor();
    expect(await page.getByRole('article').count()).toBe(1);
  });

  test('an acknowledgement by the back end shows without a reload', async () => {
    await page.goto(`/integrations/${slug}/deletions`);
    await card(ids.connection).waitFor();
    await acknowledge(application, ids.connection, new Date());
    await card(ids.connection).waitFor({ state: 'detached' });
    await page.getByText('Outstanding (3)').waitFor();
  });

  test('the overview says that deletions are due, and leads to them', async () => {
    await page.goto(`/integrations/${slug}`);
    await page.getByText('3 deletions are due, 2 of them overdue.').waitFor();
    await page.getByRole('link', { name: 'Go to deletions' }).click();
    await card(ids.order).waitFor();
  });

  test('the owner records several at once, after reading how many there are and of which environment', async () => {
    const later = [];
    for (let each = 0; each < 3; each += 1) later.push(await revokedOrder(application, revokedAgo(sandbox, 2 * day)));
    await page.goto(`/integrations/${slug}/deletions?state=overdue&environment=production`);
    await card(ids.production).waitFor();
    expect(await page.getByRole('button', { name: 'Record several deletions' }).count()).toBe(0);
    await page.goto(`/integrations/${slug}/deletions?environment=sandbox`);
    await page.getByRole('button', { name: 'Record several deletions' }).click();
    const dialog = page.getByRole('dialog', { name: 'Record several deletions?' });
    await dialog.getByText('5 deletions in the sandbox, 1 overdue.').waitFor();
    await dialog.getByLabel('Only for this connection').fill('con_x');
    await dialog.getByLabel('Only for this connection').press('Enter');
    await dialog.getByText('A connection ID begins with con_').waitFor();
    await dialog.getByLabel('Only for this connection').fill('');
    await dialog.getByLabel('Only for this connection').press('Enter');
    await dialog.getByText('5 deletions in the sandbox, 1 overdue.').waitFor();
    await keepScreenshot(page, 'record-deletions');
    await dialog.getByRole('checkbox').check();
    // One more is revoked meanwhile; one is acknowledged, so the count no longer holds.
    await acknowledge(application, later[0]?.revocationId ?? '', new Date());
    await dialog.getByRole('button', { name: 'Record 5 deletions' }).click();
    await dialog.getByText('The filter now finds 4 outstanding deletions, not 5.').waitFor();
    await dialog.getByText('4 deletions in the sandbox, 1 overdue.').waitFor();
    await dialog.getByRole('checkbox').check();
    await dialog.getByRole('button', { name: 'Record 4 deletions' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'No outstanding deletions' }).waitFor();
    await page.goto(`/integrations/${slug}/deletions?state=acknowledged`);
    await card(ids.overdue).getByText('Recorded late').waitFor();
    await card(ids.order).getByText('Recorded in the portal').waitFor();
    // Something to look at below.
    ids.order = (await revokedOrder(application, revokedAgo(sandbox, hour))).revocationId;
  });

  test.each(['light', 'dark'] as const)(
    'has no serious accessibility finding in %s colours, and nothing runs over at 360 pixels',
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(`/integrations/${slug}/deletions`);
      await card(ids.order).waitFor();
      // Dark differs from light in its colours alone.
      expect(await accessibilityFindings(page, colorScheme === 'dark' ? ['color-contrast'] : undefined)).toEqual([]);
      await keepScreenshot(page, `deletions-${colorScheme}-1440`);
      await page.setViewportSize({ width: 360, height: 900 });
      expect(await overflow(page)).toBe(0);
      await keepScreenshot(page, `deletions-${colorScheme}-360`);
    },
    120_000,
  );

  test('while the API refuses acknowledgements, no command for one is shown, and the owner is told to record the deletion', async () => {
    const said = (status: string) => application.rows('update integration set status = $2 where slug = $1', [slug, status]);
    const command = (id: string) => card(id).getByText('Acknowledge once every copy is deleted');
    const production = await clientNumber(application, slug, 'production');
    const { revocationId } = await revokedOrder(application, revokedAgo(production, 2 * day));
    await said('suspended');
    await page.reload();
    await card(revocationId).getByText('While the integration is suspended, the API accepts no acknowledgements in production.').waitFor();
    await card(ids.production).getByText('Delete every copy now. While the integration is suspended').waitFor();
    expect(await page.getByText('can be suspended').count()).toBe(0);
    expect(await command(revocationId).count()).toBe(0);
    expect(await command(ids.order).count()).toBe(1);
    await said('retired');
    await page.reload();
    // Retiring revokes everything that was shared in the sandbox, too, which would bury what is due.
    await card(revocationId).waitFor();
    expect(await card(ids.order).count()).toBe(0);
    await page.getByRole('combobox', { name: 'Environment' }).selectOption({ label: 'All environments' });
    await card(ids.order)
      .getByText('The integration is retired, so the API refuses every call. Record the deletion here instead.')
      .waitFor();
    expect(await command(ids.order).count()).toBe(0);
    await application.rows('update revocation set acknowledged_at = now() where client_no = any ($1)', [[sandbox, production]]);
    await page.getByText('There is nothing left to delete.').waitFor();
    expect(await page.getByRole('link', { name: 'in your sandbox' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Requests', exact: true }).click();
    await page.getByText('The integration is retired, and every call is refused.').waitFor();
    expect(await page.getByRole('heading', { name: 'Quota left' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Certificates', exact: true }).click();
    await page.getByText('None. The integration is retired, so none can be requested.').waitFor();
  });

  test('another operator’s page is not found', async () => {
    const stranger = await openPageAs(browser, await application.operator());
    await stranger.page.goto(`/integrations/${slug}/deletions`);
    await stranger.page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await stranger.page.context().close();
  });

  test('nothing on the way broke the content security policy or any script', () => {
    expect(watched.complaints).toEqual([]);
  });
});
