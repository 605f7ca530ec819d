import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { deadlineMissed, missedDeadline } from '../../../server/domain/notification/words/consequences.ts';
import { acknowledgementCommands } from '../../../portal-web/src/features/integration/machineCommands.ts';
import { practice } from '../../../portal-web/src/pages/integration/overview/practice.ts';
import {
  countWords,
  deadlineWords,
  dueWords,
  overdueWords,
  timeLeft,
} from '../../../portal-web/src/pages/integration/deletions/deletionWords.ts';
import { accessibilityFindings, launchBrowser, type WatchedPage } from '../../support/browser/browser.ts';
import { keepScreenshot } from '../../support/browser/keepScreenshot.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import type { PortalClient } from '../../support/clients/portalClient.ts';
import { acknowledge, numberOfClient, revokedConnection, revokedOrder } from '../../support/world/revocationFixtures.ts';
import { openPageAs } from '../../support/browser/signedInBrowser.ts';
import { overflow } from '../../support/browser/overflow.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

test.each([
  [7 * day, '7 days left', 'calm'],
  [6 * day + 4 * hour + 59 * minute, '6 days 5 hours left', 'calm'],
  [2 * day + 1, '2 days left', 'calm'],
  [2 * day, '2 days left', 'soon'],
  [5 * day - 1, '5 days left', 'calm'],
  [2 * day - hour, '1 day 23 hours left', 'soon'],
  [day + hour, '1 day 1 hour left', 'soon'],
  [3 * hour + minute, '3 hours 1 minute left', 'soon'],
  [hour - minute, '59 minutes left', 'soon'],
  [59_999, 'less than a minute left', 'soon'],
  [0, 'overdue for less than a minute', 'overdue'],
  [-(day + 2 * hour), 'overdue for 1 day', 'overdue'],
])('%d ms before the deadline the page says "%s" and treats it as %s', (left, words, urgency) => {
  const now = new Date('2026-11-21T08:00:00Z');
  expect(timeLeft(new Date(now.getTime() + left), now)).toEqual({ words, urgency });
});

test('the command names the revocation, carries a stable key, and the authority on a development service alone', () => {
  const { kit, curl } = acknowledgementCommands(['rev_x'], {
    machineApiUrl: 'https://api.example/v1',
    developmentCa: false,
    keyName: 'sandbox-2026-11',
  });
  expect(kit).toBe('npx svc sync --into copy.sqlite &&\nnpx svc deletions ack rev_x --into copy.sqlite');
  expect(curl).toBe(
    `curl -sS --cert sandbox-2026-11.pem --key sandbox-2026-11.key \\
  -H 'Content-Type: application/json' -H 'Idempotency-Key: deleted-rev_x' \\
  -d '{"deletion_completed": true}' https://api.example/v1/revocations/rev_x/ack`,
  );
  expect(acknowledgementCommands(['rev_x'], { machineApiUrl: '', developmentCa: true, keyName: 'sandbox-2026-11' }).curl).toContain(
    '--cacert ca.pem',
  );
});

test('the loop acknowledges each of several under a key of its own', () => {
  const facts = { machineApiUrl: 'https://api.example/v1', developmentCa: false, keyName: 'sandbox-2026-11' };
  const { kit, curl } = acknowledgementCommands(['rev_x', 'rev_y'], facts);
  expect(kit).toContain('npx svc deletions ack rev_x rev_y --into copy.sqlite');
  expect(curl).toBe(
    `for id in rev_x rev_y; do
  curl -sS --cert sandbox-2026-11.pem --key sandbox-2026-11.key \\
    -H 'Content-Type: application/json' -H "Idempotency-Key: deleted-$id" \\
    -d '{"deletion_completed": true}' "https://api.example/v1/revocations/$id/ack"
done`,
  );
});

test('the page answers how many deletions are due and how many are late, and of the other environment also when the next one is due', () => {
  const now = new Date('2026-11-21T08:00:00Z');
  const at = (span: number) => new Date(now.getTime() + span).toISOString();
  const words = (dueCount: number, overdueCount: number, next: number | null, since: number | null = null) =>
    dueWords(
      { dueCount, overdueCount, nextDeadlineAt: next === null ? null : at(next), overdueSince: since === null ? null : at(since) },
      now,
    );
  const counts = (dueCount: number, overdueCount: number, outstandingCount = dueCount) =>
    countWords({ dueCount, overdueCount, outstandingCount });
  expect([counts(0, 0), counts(0, 0, 1)]).toEqual(['Nothing to delete', 'Nothing is due']);
  expect([counts(1, 0), counts(1, 1), counts(3, 0), counts(3, 1), counts(2, 2)]).toEqual([
    '1 deletion',
    '1 deletion',
    '3 deletions due',
    '3 deletions due, 1 overdue',
    '2 deletions overdue',
  ]);
  expect(words(3, 0, 2 * day + 4 * hour)).toBe('3 deletions due, next in 2 days 4 hours');
  expect(words(1, 0, day)).toBe('1 deletion due in 1 day');
  expect(words(3, 1, day, -3 * hour)).toBe('3 deletions due, 1 overdue for 3 hours, next in 1 day');
  expect(words(2, 2, null, -3 * hour)).toBe('2 deletions overdue for 3 hours');
});

test.each([
  ['open', 'sandbox', /Nothing else follows in the sandbox\.$/],
  ['open', 'production', new RegExp(`409 acknowledgement_window_closed\\. ${deadlineMissed}$`)],
  ['suspended', 'production', /before lifting the suspension\.$/],
  ['over', 'production', /so the API refuses every call\.$/],
] as const)('a missed deadline of an integration that is %s, in %s, says what follows', (phase, environment, words) => {
  expect(overdueWords({ phase, environment, scopes: ['orders.read', 'revocations.ack'] })).toMatch(words);
});

test.each(['suspended', 'over'] as const)('an integration that is %s is told nothing of an active one', (phase) => {
  expect(deadlineWords[phase]).not.toMatch(/active|is suspended/);
});

test('what is practised in the sandbox has no command for an acknowledgement that the scopes do not allow', () => {
  const service = { machineApiUrl: 'https://api.example/v1', developmentCa: false, requestsPerMinute: 20 };
  const facts = { ...service, keyName: 'sandbox-2026-11', revocationId: 'rev_x', unusedKeyName: null };
  const { command } = practice.tombstone_acknowledged;
  expect(command({ ...facts, scopes: ['orders.read'] })).toBeNull();
  expect(command({ ...facts, scopes: ['orders.read', 'revocations.ack'] })).toEqual({
    kit: expect.stringContaining('svc deletions ack rev_x'),
    curl: expect.stringContaining('/revocations/rev_x/ack'),
  });
});

test('a client that may acknowledge nothing is told of no refusal by its deadline', () => {
  expect(overdueWords({ phase: 'open', environment: 'production', scopes: ['orders.read'] })).toBe(deadlineMissed);
});

const moment = /^\d{1,2} \w+ \d{4}, \d\d:\d\d \S+$/;

describe('the deletions of an integration', () => {
  let application: PortalWorld;
  let browser: Browser;
  let operator: PortalClient;
  let watched: WatchedPage;
  let page: Page;
  let slug: string;
  let sandbox: number;
  let production: number;
  /** The connections of what was revoked, by which rows are found. */
  const of = {} as Record<'order' | 'connection' | 'overdue' | 'production' | 'acknowledged', string>;

  beforeAll(async () => {
    [application, browser] = await Promise.all([openWorld({ portal: true }), launchBrowser()]);
    operator = await application.operator();
    const requestedScopes = ['orders.read', 'revocations.ack'];
    ({ slug } = await operator.createIntegration({ publicName: 'Nordlys Tracker', requestedScopes }));
    sandbox = await numberOfClient(application, slug);
    await operator.confirmFreshly();
    watched = await openPageAs(browser, operator);
    ({ page } = watched);
    await page.setViewportSize({ width: 1280, height: 900 });
  });
  afterAll(async () => {
    await browser?.close();
    await application?.close();
  });

  const revokedAgo = (clientNumber: number, span: number) => ({ clientNumber, revokedAt: new Date(Date.now() - span) });
  const rows = () => page.getByRole('table', { name: 'Deletions' }).locator('tbody').getByRole('row');
  const row = (connectionId: string) => rows().filter({ hasText: connectionId });
  const heading = (words: string | RegExp) => page.getByRole('status').filter({ hasText: words }).waitFor();
  const open = (query = '') => page.goto(`/integrations/${slug}/deletions${query}`);
  const revocationOf = async (connectionId: string) => {
    const [found] = await application.rows<{ id: string }>('select id from revocation where connection_id = $1', [connectionId]);
    return found?.id ?? '';
  };
  const dialog = () => page.getByRole('dialog');

  test('where nothing was ever to be deleted, the page says that and how it comes to be filled, once and without filters', async () => {
    await page.goto(`/integrations/${slug}`);
    await page.getByRole('navigation', { name: 'Integration' }).getByRole('link', { name: 'Deletions', exact: true }).click();
    await page.getByText('Nothing to delete: no user has revoked anything yet.').waitFor();
    await page.getByText('appears here at once and as a tombstone in your next sync').waitFor();
    expect(await page.locator('main').getByText('Nothing to delete').count()).toBe(1);
    expect(await page.getByRole('combobox', { name: 'State' }).count()).toBe(0);
    expect(new URL(page.url()).pathname).toBe(`/integrations/${slug}/deletions`);
  });

  test('what is revoked appears with its time left, the most urgent first, and the other environment is told', async () => {
    of.order = (await revokedOrder(application, revokedAgo(sandbox, hour))).connectionId;
    of.connection = (await revokedConnection(application, revokedAgo(sandbox, 5.5 * day), 3)).connectionId;
    of.overdue = (await revokedOrder(application, revokedAgo(sandbox, 8.4 * day))).connectionId;
    production = await numberOfClient(application, slug, 'production');
    of.production = (await revokedConnection(application, revokedAgo(production, 9 * day), 1)).connectionId;
    const done = await revokedOrder(application, revokedAgo(sandbox, 20 * day));
    of.acknowledged = done.connectionId;
    await acknowledge(application, done.revocationId, new Date(Date.now() - 15 * day), true);
    await page.reload();
    await heading('3 deletions due, 1 overdue');
    await page.getByRole('region', { name: 'How many' }).getByText('First: overdue for 1 day', { exact: true }).waitFor();
    expect(await rows().count()).toBe(3);
    // What is to be deleted stands before the act that says that it is.
    const topOf = async (part: Locator) => (await part.boundingBox())?.y ?? Number.NaN;
    expect(await topOf(page.getByRole('button', { name: 'Record all 3' }))).toBeGreaterThan(await topOf(rows().nth(2)));
    for (const [index, connectionId] of [of.overdue, of.connection, of.order].entries())
      expect(await rows().nth(index).innerText()).toContain(connectionId);
    await row(of.connection).getByText('Connection, 3 resources').waitFor();
    await row(of.connection)
      .getByText(/^1 day 1[12] hours left$/)
      .waitFor();
    await row(of.order).getByText('6 days 23 hours left', { exact: true }).waitFor();
    await row(of.overdue)
      .getByText(/^Overdue for 1 day/)
      .waitFor();
    await page.getByText('Nothing else follows in the sandbox.').waitFor();
    for (const connectionId of [of.order, of.connection, of.overdue]) await row(connectionId).getByText(moment).waitFor();
    // The overview counts the same, and names the same deadline.
    const deadline = (await row(of.overdue).getByText(moment).innerText()).trim();
    await page.goto(`/integrations/${slug}?environment=sandbox`);
    await page.getByRole('region', { name: 'Sandbox', exact: true }).getByText(`1 of 3 deletions overdue ${deadline}`).waitFor();
    await open('?environment=sandbox');
    await page.getByRole('link', { name: 'In production' }).click();
    await row(of.production).waitFor();
    // Of the only one, the time stands beside the number, and not once more in its row.
    await page.getByRole('region', { name: 'How many' }).getByText('Overdue for 2 days', { exact: true }).waitFor();
    expect(
      await row(of.production)
        .getByText(/^Overdue/)
        .count(),
    ).toBe(0);
    await page.getByRole('status').or(page.getByRole('alert')).getByText(missedDeadline).first().waitFor();
    // What the deadline has closed to the API is not offered to it below.
    await page.getByText('What you must do after a revocation').waitFor();
    expect(await page.getByText('Then record it here', { exact: true }).count()).toBe(1);
    await page.getByText(`Day 7: the deadline. ${missedDeadline} In the sandbox, nothing happens.`).waitFor();
    expect(await page.getByText('Then acknowledge').count()).toBe(0);
  });

  test('a deletion to try out says that it has no deadline', async () => {
    const tryOut = (fixture: boolean) =>
      application.rows('update revocation set fixture = $1 where connection_id = $2', [fixture, of.order]);
    await tryOut(true);
    await open('?environment=sandbox');
    await row(of.order).getByText('Test data to try out', { exact: true }).waitFor();
    await row(of.order).getByText('No deadline', { exact: true }).waitFor();
    await tryOut(false);
    // The next test begins where the one before has left.
    await open('?environment=production');
    await row(of.production).waitFor();
  });

  test('at 768 pixels the deletions are a table without the column that matters least, which a list of them has', async () => {
    await open();
    await rows().first().waitFor();
    const revoked = () => row(of.order).locator('[data-label="Revoked"]').isVisible();
    const isTable = () =>
      page
        .getByRole('table', { name: 'Deletions' })
        .evaluate((table) => table.ownerDocument.defaultView?.getComputedStyle(table).display === 'table');
    const shown = async (width: number) => {
      await page.setViewportSize({ width, height: 900 });
      return [await isTable(), await revoked()];
    };
    expect([await shown(1280), await shown(768), await shown(767)]).toEqual([
      [true, true],
      [true, false],
      [false, true],
    ]);
  });

  test('on a phone a deletion is a block: its box stands beside its name, and its time left takes one line', async () => {
    await page.setViewportSize({ width: 600, height: 900 });
    await open();
    const boxOf = async (name: 'checkbox' | 'rowheader') => {
      const { y, height } = (await row(of.order).getByRole(name).boundingBox()) ?? { y: Number.NaN, height: Number.NaN };
      return { y, middle: y + height / 2 };
    };
    const name = await boxOf('rowheader');
    // A line is 20 pixels high.
    expect(Math.abs((await boxOf('checkbox')).middle - (name.y + 10))).toBeLessThan(4);
    const left = await row(of.order).locator('[data-tone]').boundingBox();
    expect(left?.height).toBeLessThan(26);
    expect(left?.y).toBeGreaterThan(name.middle);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test('the commands are ready to paste: one for a row, one loop for all that can be acknowledged', async () => {
    await open();
    await page.getByText('Acknowledge all 2 from your back end').click();
    const command = page.locator('pre').filter({ hasText: 'rev_' });
    const [first, second] = [await revocationOf(of.connection), await revocationOf(of.order)];
    expect(await command.innerText()).toContain(`npx svc deletions ack ${first} ${second} --into`);
    await page.getByText('curl', { exact: true }).click();
    expect(await command.innerText()).toContain(`for id in ${first} ${second}; do`);
    await row(of.order).getByRole('checkbox').check();
    expect(await command.innerText()).toContain(`https://localhost:8443/v1/revocations/${second}/ack`);
    await row(of.overdue)
      .getByRole('button', { name: /^Actions for rev_/ })
      .click();
    const refused = page.getByRole('menuitem', { name: /^Copy the acknowledgement command/ });
    expect(await refused.getAttribute('aria-disabled')).toBe('true');
    await refused.getByText('The deadline has passed. Record the deletion instead.').waitFor();
    await page.keyboard.press('Escape');
  });

  test('a client without the scope for it is offered no acknowledgement, and is told to record its deletions', async () => {
    const scopes = (change: string) => application.rows(`update client set scopes = ${change} where number = $1`, [sandbox]);
    await scopes(`array_remove(scopes, 'revocations.ack')`);
    await open('?environment=sandbox');
    await row(of.order)
      .getByRole('button', { name: /^Actions for rev_/ })
      .click();
    const refused = page.getByRole('menuitem', { name: /^Copy the acknowledgement command/ });
    await refused
      .getByText('Your client cannot acknowledge deletions, because it lacks the scope revocations.ack. Record the deletion instead.')
      .waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByText(/^Acknowledge (it|all \d+) from your back end$/).count()).toBe(0);
    expect(await page.getByText('Then acknowledge').count()).toBe(0);
    await scopes(`array_append(scopes, 'revocations.ack')`);
  });

  test('the list is narrowed by state and to one revocation, and the address keeps it', async () => {
    await open();
    await page.getByRole('combobox', { name: 'State' }).selectOption({ label: 'overdue (1)' });
    await page.waitForURL(/state=overdue/);
    await row(of.order).waitFor({ state: 'detached' });
    await page.reload();
    await row(of.overdue).waitFor();
    await open('?state=acknowledged');
    await row(of.acknowledged).getByText('Acknowledged late').waitFor();
    expect(await rows().count()).toBe(1);
    await open(`?revocation=${await revocationOf(of.connection)}`);
    await row(of.connection).waitFor();
    expect(await rows().count()).toBe(1);
    await page.getByRole('button', { name: 'Remove the filter Revocation' }).click();
    await row(of.order).waitFor();
  });

  test('an acknowledgement by the back end shows without a reload', async () => {
    await open();
    await row(of.connection).waitFor();
    await acknowledge(application, await revocationOf(of.connection), new Date());
    await row(of.connection).waitFor({ state: 'detached' });
    await heading('2 deletions due, 1 overdue');
  });

  test('on the next tab, the line about its health knows what was acknowledged and recorded, as the list does', async () => {
    const line = page.getByRole('region', { name: /^Production: elsewhere: 1 deletion overdue/ });
    const tab = (name: string) => page.getByRole('navigation', { name: 'Integration' }).getByRole('link', { name }).click();
    // Test data that is being generated would have the frame read every second anyway.
    await application.rows('update sandbox_corpus set started_at = requested_at, ready_at = requested_at where client_number = $1', [
      sandbox,
    ]);
    const settledBy = async (connectionId: string, settle: () => Promise<unknown>) => {
      await page.goto(`/integrations/${slug}/certificates?environment=production`);
      await line.waitFor();
      await tab('Deletions');
      await row(connectionId).waitFor();
      // The page says itself what is to be deleted.
      expect(await page.getByRole('region', { name: /^Production: .*deletion/ }).count()).toBe(0);
      await settle();
      await row(connectionId).waitFor({ state: 'detached' });
      await tab('Certificates');
      await page.waitForURL('**/certificates?*');
      await line.waitFor({ state: 'detached', timeout: 20_000 });
    };
    const acknowledged = await revocationOf(of.production);
    await settledBy(of.production, () => acknowledge(application, acknowledged, new Date()));
    const { connectionId } = await revokedOrder(application, revokedAgo(production, 8 * day));
    await settledBy(connectionId, async () => {
      await page.getByRole('button', { name: 'Record the deletion' }).click();
      await dialog().getByRole('button', { name: 'Record 1 deletion' }).click();
    });
  });

  test('the owner records three with three clicks, by the keyboard too, and reads first what that states', async () => {
    const later = [];
    for (let each = 0; each < 3; each += 1) later.push(await revokedOrder(application, revokedAgo(sandbox, 2 * day)));
    await open();
    const choose = page.getByRole('checkbox', { name: 'Select all on this page' });
    await choose.focus();
    await page.keyboard.press('Space');
    for (const connectionId of [of.order, of.overdue]) await row(connectionId).getByRole('checkbox').uncheck();
    await page.getByRole('button', { name: 'Record 3 deletions' }).press('Enter');
    await dialog().getByText('every individual copy, and everything derived from it, is deleted').waitFor();
    await dialog().getByText('Nordlys Tracker, sandbox').waitFor();
    // Until it has counted them the button is disabled, and its colours change when it is no longer.
    await dialog().getByText('3 deletions', { exact: true }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await keepScreenshot(page, 'record-deletions');
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    const record = page.getByRole('button', { name: 'Record 3 deletions' });
    expect(await page.evaluate('document.activeElement.innerText')).toBe('Record 3 deletions');
    await record.press('Enter');
    await dialog().getByText('3 deletions', { exact: true }).waitFor();
    await dialog().getByRole('button', { name: 'Record 3 deletions' }).click();
    await dialog().waitFor({ state: 'detached' });
    for (const { connectionId } of later) await row(connectionId).waitFor({ state: 'detached' });
    expect(await rows().count()).toBe(2);
  });

  test('nothing is recorded of all that are due once one of them has been acknowledged, until the owner has read the new count', async () => {
    const { revocationId } = await revokedOrder(application, revokedAgo(sandbox, 3 * day));
    await open();
    await page.getByRole('button', { name: 'Record all 3' }).click();
    await dialog().getByText('3 deletions, 1 of them overdue').waitFor();
    await acknowledge(application, revocationId, new Date());
    await dialog().getByRole('button', { name: 'Record 3 deletions' }).click();
    await dialog().getByText('The filter now finds 2 outstanding deletions, not 3.').waitFor();
    await dialog().getByRole('button', { name: 'Record 2 deletions' }).click();
    await dialog().waitFor({ state: 'detached' });
    await heading('Nothing to delete');
    await page.getByText(/^The last deletion was done on /).waitFor();
    expect(await page.getByText('None is outstanding').count()).toBe(0);
    await open('?state=acknowledged');
    await row(of.overdue).getByText('Recorded late').waitFor();
    await row(of.order).getByText('Recorded', { exact: true }).waitFor();
  });

  test.each(['light', 'dark'] as const)(
    'has no accessibility finding in %s colours, three deletions fit 900 pixels, and nothing runs over at 360',
    async (colorScheme) => {
      const due = await application.rows('select 1 from revocation where client_number = $1 and acknowledged_at is null', [sandbox]);
      for (let each = due.length; each < 3; each += 1) await revokedOrder(application, revokedAgo(sandbox, (each + 1) * hour));
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width: 1280, height: 900 });
      await open();
      await heading(/^3 deletions due/);
      await rows().nth(2).waitFor();
      const last = await page.getByText('What you must do after a revocation').boundingBox();
      expect((last?.y ?? 901) + (last?.height ?? 0)).toBeLessThanOrEqual(900);
      await rows().first().getByRole('checkbox').check();
      // Dark differs from light in its colours alone.
      expect(await accessibilityFindings(page, colorScheme === 'dark' ? ['color-contrast'] : undefined)).toEqual([]);
      await keepScreenshot(page, `deletions-${colorScheme}-1280`);
      await page.setViewportSize({ width: 360, height: 900 });
      expect(await overflow(page)).toBe(0);
      await keepScreenshot(page, `deletions-${colorScheme}-360`);
    },
    120_000,
  );

  test('while the API refuses acknowledgements, no command for one is shown, and the owner is told to record the deletion', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    const said = (status: string) => application.rows('update integration set status = $2 where slug = $1', [slug, status]);
    const command = () => page.getByText(/^Acknowledge (it|all \d+) from your back end$/);
    await application.rows('update revocation set acknowledged_at = now() where client_number = $1 and acknowledged_at is null', [
      production,
    ]);
    const { connectionId } = await revokedOrder(application, revokedAgo(production, 2 * day));
    await said('suspended');
    await open('?environment=production');
    await row(connectionId).waitFor();
    await page.getByText('While the integration is suspended, the API accepts no acknowledgements in production.').waitFor();
    expect(await command().count()).toBe(0);
    await open('?environment=sandbox');
    await command().waitFor();
    await said('retired');
    await open('?environment=sandbox');
    await page.getByText('The integration is retired, so the API refuses every call.').waitFor();
    expect(await command().count()).toBe(0);
    await application.rows('update revocation set acknowledged_at = now() where client_number = any ($1) and acknowledged_at is null', [
      [sandbox, production],
    ]);
    await page.getByText(/The integration is retired, so no more follow/).waitFor();
    await page.getByRole('link', { name: 'Requests', exact: true }).click();
    await page.getByText('Every call is refused, because the integration is retired.').waitFor();
    expect(await page.getByRole('heading', { name: 'Quota left' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Certificates', exact: true }).click();
    await page.getByText('No certificate is in use, and none can be requested: the integration is retired').waitFor();
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
