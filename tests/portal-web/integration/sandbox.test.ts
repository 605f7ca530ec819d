import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { redeemCommands } from '../../../portal-web/src/features/integration/machineCommands.ts';
import { choiceWords, countdown, nextChoice } from '../../../portal-web/src/pages/integration/sandbox/linkCodes.ts';
import {
  corpusSteps,
  movedWords,
  nextSyncWords,
  plannedWords,
  subjectOf,
  syncRecordWords,
} from '../../../portal-web/src/pages/integration/sandbox/sandboxWords.ts';
import { allScopes } from '../../../server/domain/shared/scopes.ts';
import { accessibilityFindings, launchBrowser, type WatchedPage } from '../../support/browser/browser.ts';
import { keepEveryScreenshot, keepScreenshot } from '../../support/browser/keepScreenshot.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { SandboxClient } from '../../support/clients/sandboxClient.ts';
import { openPageAs } from '../../support/browser/signedInBrowser.ts';
import { syncedToEnd } from '../../support/world/sandboxFixtures.ts';
import { overflow } from '../../support/browser/overflow.ts';

test.each([
  [600_000, '10:00'],
  [599_001, '9:59'],
  [61_000, '1:01'],
  [900, '0:00'],
  [0, null],
  [-1, null],
])('%d ms before a code expires the page says %j', (left, words) => {
  const now = new Date('2026-11-21T08:00:00Z');
  expect(countdown(new Date(now.getTime() + left), now)).toBe(words);
});

test('the redeem command carries the code in its body or in the pipe, never in the address', () => {
  const facts = { machineApiUrl: 'https://api.example/v1', developmentCa: false, keyName: 'sandbox-2026-11' };
  const { kit, curl } = redeemCommands('0012345678', facts);
  expect(kit).toBe('echo 0012345678 | npx svc redeem');
  expect(curl).toBe(
    `curl -sS --cert sandbox-2026-11.pem --key sandbox-2026-11.key \\
  -H 'Content-Type: application/json' \\
  -d '{"code": "0012345678"}' https://api.example/v1/link-codes/redeem`,
  );
});

test('the next link code shares what the last one did, as far as the scopes still allow', () => {
  const scopes = ['orders.read', 'vehicles.read', 'statistics.orders.read'];
  const last = { orders: 3, vehicles: 1, scopes: ['orders.read', 'vehicles.read'], statisticsOptedIn: true };
  expect(nextChoice(undefined, scopes)).toEqual({ orders: 2, vehicles: 0, scopes, statisticsOptedIn: false });
  expect(nextChoice(undefined, ['vehicles.read'])).toMatchObject({ orders: 0, vehicles: 1 });
  expect(nextChoice(last, scopes)).toEqual(last);
  expect(nextChoice(last, ['orders.read'])).toEqual({ orders: 2, vehicles: 0, scopes: ['orders.read'], statisticsOptedIn: false });
  expect(choiceWords(last, scopes)).toBe('3 orders and 1 stock vehicle, 2 of 3 scopes');
});

test('test data that is being built says what it will contain, and what is done already', () => {
  expect(plannedWords({ orders: 500, vehicles: 50 })).toBe('500 orders and 50 stock vehicles');
  expect(corpusSteps('queued', null).map(({ state }) => state)).toEqual(['working']);
  expect(corpusSteps('building', '500 orders').map(({ state, words }) => [state, words])).toEqual([
    ['done', 'Queued.'],
    ['working', 'Building 500 orders. Everything appears at once when it is ready.'],
  ]);
});

test('a reader who filters is not promised that a changed resource still matches', () => {
  expect(movedWords('ord_1', false)).toBe('ord_1 has changed and has moved to the first page.');
  expect(movedWords('ord_1', true)).toBe('ord_1 has changed and has moved to the first page, if it still matches the filters.');
});

test('the next sync is told in words: how many records, and what each of them is', () => {
  const at = '2026-11-21T08:00:00.000Z';
  expect(nextSyncWords({ fromBeginning: true, lastSyncAt: null, total: 551, tombstones: 1 })).toBe(
    'Your client has not synced yet. The first sync brings all 551 records, 1 of them a tombstone.',
  );
  expect(nextSyncWords({ fromBeginning: true, lastSyncAt: at, total: 551, tombstones: 0 })).toContain('400 invalid_cursor');
  expect(nextSyncWords({ fromBeginning: false, lastSyncAt: at, total: 0, tombstones: 0 })).toBe('Nothing new since your last sync.');
  expect(nextSyncWords({ fromBeginning: false, lastSyncAt: at, total: 1, tombstones: 1 })).toBe('1 record since your last sync.');
  expect(nextSyncWords({ fromBeginning: false, lastSyncAt: at, total: 5, tombstones: 2 })).toBe(
    '5 records since your last sync, 2 of them tombstones.',
  );
  const upsert = {
    kind: 'upsert',
    resourceId: 'ord_1',
    connectionId: 'con_1',
    revision: 4,
    status: 'built',
    revocationId: null,
    at,
  } as const;
  expect(syncRecordWords(upsert)).toBe('built · revision 4');
  expect(syncRecordWords({ ...upsert, status: 'at_delivery_centre' })).toBe('at delivery centre · revision 4');
  const tombstone = { ...upsert, kind: 'tombstone', revision: null, status: null, revocationId: 'rev_1' } as const;
  expect(syncRecordWords(tombstone)).toBe('tombstone');
  expect([upsert, { ...tombstone, resourceId: null }].map(subjectOf)).toEqual(['Order', 'Connection']);
});

describe('the sandbox of an integration', () => {
  let application: PortalWorld;
  let browser: Browser;
  let sandbox: SandboxClient;
  let watched: WatchedPage;
  let page: Page;

  beforeAll(async () => {
    [application, browser] = await Promise.all([openWorld({ portal: true }), launchBrowser()]);
    sandbox = await SandboxClient.open(application, allScopes, { publicName: 'Nordlys Tracker' });
    watched = await openPageAs(browser, sandbox.operator, { permissions: ['clipboard-read', 'clipboard-write'] });
    ({ page } = watched);
  });
  afterAll(async () => {
    await browser?.close();
    await application?.close();
  });

  const panel = (name: string) => page.getByRole('region', { name, exact: true });
  const next = () => panel('Your next sync brings');
  const resources = () => page.getByRole('table', { name: 'Shared resources' }).locator('tbody').getByRole('row');
  const resource = (id: string) => resources().filter({ hasText: id });
  const list = (name: string) => page.getByRole('group', { name: new RegExp(`^${name}`) });
  const show = (view: string | RegExp) => page.getByRole('radiogroup', { name: 'What is listed' }).getByText(view).click();
  /** Opens the menu of a row and chooses from it. */
  const act = async (row: Locator, word: string) => {
    await row.getByRole('button', { name: /^Actions for / }).click();
    await page.getByRole('menuitem', { name: word, exact: true }).click();
  };
  const idIn = async (row: Locator) => (await row.locator('code').first().getAttribute('title')) ?? '';
  const records = () => next().getByRole('list', { name: 'Records of the next sync' }).getByRole('listitem');
  const sync = () => syncedToEnd(application, sandbox.clientId, application.clock.now());
  const open = () => page.goto(`/integrations/${sandbox.slug}/sandbox`);

  test('says what it holds, and that the first sync brings all of it', async () => {
    await page.goto(`/integrations/${sandbox.slug}`);
    await page.getByRole('link', { name: 'Test data', exact: true }).click();
    await panel('Test data').getByText('500 orders and 50 stock vehicles in 300 connections').waitFor();
    await next().getByText('The first sync brings all 551 records, 1 of them a tombstone.').waitFor();
    await sync();
    await open();
    await next().getByText('Nothing new since your last sync.').waitFor();
    await page.getByText('551 resources, 1 of them revoked, latest change first').waitFor();
  });

  test('a link code like the last one takes one click; it is shown large, copied as ten digits, counts down, and becomes redeemed by itself', async () => {
    await panel('Link codes').getByRole('button', { name: 'Choose what it shares' }).click();
    const choice = page.getByRole('dialog', { name: 'What should the link code share?' });
    await choice.getByRole('textbox', { name: 'Orders' }).fill('3');
    await choice.getByRole('textbox', { name: 'Stock vehicles' }).fill('1');
    await choice.getByRole('checkbox', { name: 'orders.history.read' }).uncheck();
    await choice.getByRole('button', { name: 'Generate link code' }).click();
    await panel('Link codes')
      .getByText(`3 orders and 1 stock vehicle, ${allScopes.length - 1} of ${allScopes.length} scopes`)
      .waitFor();
    const fresh = page.getByRole('region', { name: 'New link code' });
    const shown = async () => (await fresh.getByRole('img', { name: /^Link code/ }).innerText()).replaceAll(/\s/g, '');
    const first = await shown();
    await panel('Link codes').getByRole('button', { name: 'Generate link code' }).click();
    await fresh.getByRole('img', { name: `Link code ${[...first].join(' ')}` }).waitFor({ state: 'detached' });
    const code = await shown();
    expect(code).toMatch(/^\d{10}$/);
    await fresh.getByRole('button', { name: 'Copy the link code' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(code);
    expect(await fresh.getByRole('timer').innerText()).toMatch(/^(10:00|9:\d\d)$/);
    expect(await fresh.locator('pre').innerText()).toBe(`echo ${code} | npx svc redeem`);
    await fresh.getByText('curl', { exact: true }).click();
    expect(await fresh.locator('pre').innerText()).toContain(`-d '{"code": "${code}"}' https://localhost:8443/v1/link-codes/redeem`);
    await fresh.getByText('Generated', { exact: true }).waitFor();

    const redeemed = await sandbox.redeem(code);
    await fresh.getByText('Redeemed', { exact: true }).waitFor();
    await fresh.getByText('3 orders and 1 stock vehicle were shared, in').waitFor();
    await next().getByText('4 records since your last sync.').waitFor();
    expect(
      await records()
        .getByText(/^(Order|Stock vehicle) (ord|veh)_\w+ · [\w ]+ · revision 1$/)
        .count(),
    ).toBe(4);
    expect(redeemed?.resources).toHaveLength(4);
    await panel('Test data').getByText('503 orders and 51 stock vehicles in 301 connections').waitFor();
    await page.getByText('555 resources, 1 of them revoked, latest change first').waitFor();
    for (const { id } of redeemed?.resources ?? []) await resource(id).waitFor();
    await page.getByRole('radiogroup', { name: 'What is listed' }).getByText('Connections (301)').waitFor();
    expect((await sandbox.linkCodes())[0]?.scopes).toEqual(allScopes.filter((scope) => scope !== 'orders.history.read'));
    expect(page.url()).not.toContain(code);
  });

  test('a number that cannot be is said at its field', async () => {
    await panel('Link codes').getByRole('button', { name: 'Choose what it shares' }).click();
    const choice = page.getByRole('dialog', { name: 'What should the link code share?' });
    await choice.getByRole('checkbox', { name: 'vehicles.read' }).uncheck();
    await choice.getByRole('button', { name: 'Generate link code' }).click();
    await choice.getByText('Sharing stock vehicles needs the scope vehicles.read in the consent.').waitFor();
    await page.keyboard.press('Escape');
    await show('Link codes');
    await page.getByRole('table', { name: 'Link codes' }).getByText('Redeemed', { exact: true }).waitFor();
    await show('Resources');
  });

  test('any five resources go on, and the next sync brings them, newest first, also after a reload', async () => {
    await sync();
    await page.getByRole('group', { name: 'Let time pass' }).getByRole('button', { name: 'Advance' }).click();
    const brings = await next()
      .getByText(/^[5-9] records since your last sync\.$/)
      .innerText();
    const more = Number.parseInt(brings, 10) - 4;
    await next()
      .getByText(`and ${more === 1 ? '1 earlier one' : `${more} earlier ones`}`, { exact: true })
      .waitFor();
    const told = await records().allInnerTexts();
    // An ID is cut in its middle, and not broken.
    expect((await records().first().locator('code').first().boundingBox())?.height).toBeLessThan(24);
    expect(told[0]).toMatch(/^(Order|Stock vehicle)\s+(ord|veh)_\w+\s+· [\w ]+ · revision \d+/);
    await page.reload();
    await records().first().waitFor();
    expect((await records().allInnerTexts()).map((text) => text.split('\n')[0])).toEqual(told.map((text) => text.split('\n')[0]));
    await sync();
    await next().getByText('Nothing new since your last sync.').waitFor();
  });

  test('a chosen order goes on step by step, and its row shows it', async () => {
    const order = await sandbox.one('confirmed');
    await page.getByRole('textbox', { name: 'ID' }).fill(order.id.slice(0, -1));
    await page.waitForURL(new RegExp(`resource=${order.id.slice(0, -1)}`));
    // The field keeps the focus while the list follows what was typed.
    await page.keyboard.type(order.id.slice(-1));
    await page.waitForURL(new RegExp(`resource=${order.id}`));
    const row = resource(order.id);
    await page.getByText(/^1 resource,/).waitFor();
    await act(row, 'Advance');
    await row.getByText('Scheduled', { exact: true }).waitFor();
    await records()
      .getByText(`${order.id} · scheduled · revision ${order.revision + 1}`)
      .waitFor();
    await act(row, 'Cancel');
    await row.getByText('Cancelled', { exact: true }).waitFor();
    // At its end nothing is left but revoking it.
    await row.getByRole('button', { name: /^Actions for / }).click();
    await page.getByRole('menuitem', { name: 'Advance' }).getByText('This is its final status.').waitFor();
    expect(await page.getByRole('menuitem', { name: /^(Cancel|Shipping event)$/ }).count()).toBe(0);
    await page.getByRole('menuitem', { name: 'Revoke', exact: true }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('a shipping event is added to an order on its way; a port that is none is said at its field', async () => {
    const order = await sandbox.one('at_port');
    await page.goto(`/integrations/${sandbox.slug}/sandbox?resource=${order.id}`);
    await act(resource(order.id), 'Shipping event');
    const dialog = page.getByRole('dialog', { name: 'Add a shipping event' });
    await dialog.getByRole('textbox', { name: 'Port' }).fill('Hamburg');
    await dialog.getByRole('button', { name: 'Add event' }).click();
    await dialog.getByText('The port must be a UN/LOCODE.').waitFor();
    await dialog.getByRole('textbox', { name: 'Port' }).fill('egpsd');
    await dialog.getByRole('button', { name: 'Add event' }).click();
    await dialog.waitFor({ state: 'detached' });
    await records()
      .getByText(`${order.id} · at port · revision ${order.revision + 1}`)
      .waitFor();
    expect(JSON.stringify((await sandbox.stored(order.id)).shipping)).toContain('EGPSD');
  });

  test('a resource and a connection are revoked after a word about what follows', async () => {
    await open();
    const row = resources().first();
    const id = await idIn(row);
    await act(row, 'Revoke');
    const dialog = page.getByRole('dialog', { name: 'Revoke this resource?' });
    await dialog.getByText(id).waitFor();
    await dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
    await records().first().getByText(`${id} · tombstone`).waitFor();
    await resources().first().filter({ hasText: id }).getByText('Revoked', { exact: true }).waitFor();

    await show(/^Connections \(/);
    const connection = page.getByRole('table', { name: 'Connections' }).locator('tbody').getByRole('row').first();
    const connectionId = await idIn(connection);
    expect(await connection.getByRole('cell').nth(2).innerText()).toMatch(/^(Yes|No)$/);
    await act(connection, 'Revoke');
    await page.getByRole('dialog', { name: 'Revoke this connection?' }).getByRole('button', { name: 'Revoke', exact: true }).click();
    await records().first().getByText(`${connectionId} · tombstone`).waitFor();
    await connection.getByText('Revoked', { exact: true }).waitFor();
    await act(connection, 'Show its resources');
    await page.waitForURL(new RegExp(`connection=${connectionId}`));
    await resources().first().getByText('Revoked', { exact: true }).waitFor();
  });

  test('a later page opened in another tab leaves this one as it is', async () => {
    await open();
    const link = list('Shared resources').getByRole('link', { name: 'Next page' });
    await link.waitFor();
    // The browser without a window does not always open a tab, so the click is watched where it is left to the browser.
    await page.evaluate(`addEventListener('click', (event) => {
      document.body.dataset.leftToBrowser = String(!event.defaultPrevented);
      event.preventDefault();
    }, { once: true })`);
    await link.press('Control+Enter');
    await page.locator('body[data-left-to-browser="true"]').waitFor();
    expect(await list('Shared resources').locator('[aria-busy]').count()).toBe(0);
  });

  test('what is done to a row of a later page takes the row to the first, says so, and keeps the reader in the list', async () => {
    await open();
    const frame = list('Shared resources');
    await frame.getByRole('link', { name: 'Next page' }).click();
    await page.locator('[role="group"][aria-label="Shared resources, page 2"]:focus').waitFor();
    const row = resources()
      .filter({ hasNotText: /Revoked|Delivered|Cancelled|Sold|Withdrawn/ })
      .first();
    const id = await idIn(row);
    await act(row, 'Advance');
    await frame.getByText(`${id} has changed and has moved to the first page.`).waitFor();
    await resource(id).waitFor({ state: 'detached' });
    await page.locator('[role="group"][aria-label="Shared resources, page 2"]:focus').waitFor();
    await keepEveryScreenshot(page, 'row-moved');
    await frame.getByRole('link', { name: 'First page' }).click();
    await resources().first().filter({ hasText: id }).waitFor();
    expect(await frame.getByText('has moved to the first page').count()).toBe(0);
  });

  test('a reader whose page of a list no longer exists is at its first page, and told so', async () => {
    for (const [view, cursor, name] of [
      ['resources', 'resourcesAfter', 'Shared resources'],
      ['connections', 'connectionsAfter', 'Connections'],
      ['codes', 'codesAfter', 'Link codes'],
    ] as const) {
      await page.goto(`/integrations/${sandbox.slug}/sandbox?show=${view}&${cursor}=bm9uZQ`);
      await list(name).getByText('The list has changed. This is its first page.').waitFor();
      await list(name).locator('tbody').getByRole('row').first().waitFor();
    }
    await keepEveryScreenshot(page, 'brought-back');
  });

  test('a statistics generation is published, with how many groups differ', async () => {
    await open();
    await page.getByRole('button', { name: 'Publish statistics' }).click();
    await page.getByText(/GET \/v1\/statistics\/orders now returns gen_\w+ with \d+ groups\. No value has changed/).waitFor();
  });

  test('filters stand in the address, and a list that is empty says what to do', async () => {
    await page.getByRole('combobox', { name: 'Type' }).selectOption('vehicle');
    await page.waitForURL(/type=vehicle/);
    await page.getByRole('combobox', { name: 'Status' }).selectOption('sold');
    await page.waitForURL(/type=vehicle&status=sold/);
    await page.reload();
    await resources().first().getByText('Sold', { exact: true }).waitFor();
    await page.goto(`/integrations/${sandbox.slug}/sandbox?resource=ord_nothing`);
    await page.getByText('Nothing here matches the filters.').waitFor();
  });

  test.each(['light', 'dark'] as const)(
    'has no serious accessibility finding in %s colours, and nothing runs over at 360 to 1600 pixels',
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width: 1280, height: 900 });
      await open();
      await resources().nth(24).waitFor();
      const end = async () => {
        const last = await list('Shared resources').boundingBox();
        return (last?.y ?? 9_999) + (last?.height ?? 0);
      };
      expect(await end()).toBeLessThanOrEqual(2_100);
      await page.setViewportSize({ width: 360, height: 900 });
      expect(await end()).toBeLessThanOrEqual(4_600);
      await keepScreenshot(page, `sandbox-quiet-${colorScheme}-360`);
      await page.setViewportSize({ width: 820, height: 900 });
      await panel('Link codes').getByRole('button', { name: 'Generate link code' }).click();
      await page.getByRole('region', { name: 'New link code' }).waitFor();
      await page.getByRole('group', { name: 'Let time pass' }).getByRole('button', { name: 'Advance' }).click();
      await records().first().waitFor();
      for (const width of [820, 1600, 1280, 360]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await overflow(page)).toBe(0);
        await keepScreenshot(page, `sandbox-${colorScheme}-${width}`);
      }
      // Dark differs from light in its colours alone.
      expect(await accessibilityFindings(page, colorScheme === 'dark' ? ['color-contrast'] : undefined)).toEqual([]);
    },
    120_000,
  );

  test('regenerating the data says what goes, shows its steps, and ends with other data', async () => {
    await page.setViewportSize({ width: 1200, height: 900 });
    await open();
    const data = panel('Test data');
    const before = await idIn(resources().first());
    await data.getByRole('button', { name: 'Regenerate test data' }).click();
    const dialog = page.getByRole('dialog', { name: 'Regenerate the test data of Nordlys Tracker?' });
    await dialog.getByText('Stored cursors are refused with').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await keepScreenshot(page, 'sandbox-regenerate');
    await dialog.getByRole('button', { name: 'Regenerate' }).click();
    await data.getByRole('status').getByText('Queued', { exact: true }).waitFor();
    await data.getByText('Queued. It starts within a few seconds.').waitFor();
    expect(await data.getByRole('button', { name: 'Regenerate test data' }).isDisabled()).toBe(true);
    await sandbox.build();
    await page.getByRole('region', { name: 'About this data' }).getByText('Version 2, ready').waitFor();
    await data.getByText('500 orders and 50 stock vehicles in 300 connections').waitFor();
    await page.getByText('551 resources').waitFor();
    await next().getByText('A recovery sync brings all 551 records, 1 of them a tombstone.').waitFor();
    expect(await idIn(resources().first())).not.toBe(before);
  });

  test('before the first data are ready the page says so, and shows them when they come', async () => {
    const operator = await application.operator();
    const { slug, clientId } = await operator.createIntegration({ requestedScopes: ['vehicles.read'] });
    const young = await openPageAs(browser, operator);
    await young.page.goto(`/integrations/${slug}/sandbox`);
    await young.page.getByText('Your first test data is being generated').waitFor();
    expect(await young.page.getByRole('button', { name: 'Generate link code' }).count()).toBe(0);
    await SandboxClient.buildOf(application, clientId);
    await young.page.getByText(/^50 stock vehicles in \d+ connections$/).waitFor();
    expect(await young.page.getByRole('button', { name: 'Publish statistics' }).count()).toBe(0);
    expect(young.complaints).toEqual([]);
    await young.page.context().close();
  });

  test('nothing on the way broke the content security policy or any script', () => {
    expect(watched.complaints).toEqual([]);
  });
});
