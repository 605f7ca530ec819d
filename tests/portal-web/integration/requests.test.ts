import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { askedHolds } from '../../../portal-web/src/graphql/questions.ts';
import {
  askedAfter,
  joined,
  meaningful,
  noFilters,
  secondsSince,
} from '../../../portal-web/src/pages/integration/requests/loggedRequests.ts';
import type { LoggedRequest, Quota } from '../../../portal-web/src/pages/integration/requests/usageQueries.ts';
import { operationPaths } from '../../../portal-web/src/features/integration/operationPaths.ts';
import { hoursOf, isTight, shownQuotas } from '../../../portal-web/src/pages/integration/requests/usageWords.ts';
import { momentWords } from '../../../portal-web/src/ui/time/momentWords.ts';
import { quotaLeftWords } from '../../../server/domain/client/quotaFacts.ts';
import { operations } from '../../../rest-api/operations.ts';
import { serverLimits } from '../../../server/platform/http/serverLimits.ts';
import { usageLimits } from '../../../server/domain/usage/usageLimits.ts';
import type { FinishedRequest } from '../../../server/domain/usage/FinishedRequest.ts';
import { accessibilityFindings, launchBrowser, type WatchedPage } from '../../support/browser/browser.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import type { CertificateData, PortalClient } from '../../support/clients/portalClient.ts';
import { openPageAs } from '../../support/browser/signedInBrowser.ts';
import { writeRequests } from '../../support/world/usageFixtures.ts';
import { numberOfClient } from '../../support/world/revocationFixtures.ts';
import { overflow } from '../../support/browser/overflow.ts';
import { watchShifts } from '../../support/browser/watchShifts.ts';

const hour = 60 * 60 * 1000;

test('the page knows every operation of the machine API by its path', () => {
  expect(operationPaths).toEqual(Object.fromEntries(operations.map(({ name, path }) => [name, path])));
});

test('the bars have every hour, empty ones too', () => {
  const counts = [
    { hour: '2026-11-21T10:00:00.000Z', operation: 'getSync', status: 200, count: 3 },
    { hour: '2026-11-21T10:00:00.000Z', operation: 'getSync', status: 304, count: 4 },
    { hour: '2026-11-21T10:00:00.000Z', operation: 'getOrder', status: 499, count: 1 },
    { hour: '2026-11-21T10:00:00.000Z', operation: 'getOrder', status: 404, count: 2 },
    { hour: '2026-11-21T10:00:00.000Z', operation: 'getOrder', status: 403, count: 5 },
  ];
  const hours = hoursOf({ from: '2026-11-21T09:00:00.000Z', hours: 3, counts });
  expect(hours.map(({ sum }) => sum)).toEqual([0, 15, 0]);
  // What is gone, and calls that were broken off, are no refusals.
  expect(hours.map(({ refused }) => refused)).toEqual([0, 5, 0]);
});

const line = (n: number) =>
  ({ id: `req_${n}`, occurredAt: new Date(Date.UTC(2026, 10, 21, 9, 0, n)).toISOString() }) as unknown as LoggedRequest;

test('a live log asks again for as long before its last answer as a line can be late, without the lines that it has', () => {
  const { requestTimeout } = serverLimits;
  const { usageWaitingTime, usageBatchDelay } = usageLimits;
  const late = (secondsSince(0, 0) ?? 0) * 1_000;
  expect(late).toBeGreaterThan(requestTimeout + usageWaitingTime + usageBatchDelay + askedHolds);
  expect(secondsSince(1_000, 4_000)).toBe(3 + late / 1_000);
  expect([secondsSince(0, usageLimits.liveLogReach - late), secondsSince(0, usageLimits.liveLogReach - late + 1)]).toEqual([3_600, null]);
  const shown = [170, 125, 103, 101].map(line);
  // One that began 45 seconds before the newest line and has ended now is asked for: there is no bound but the seconds.
  expect(askedAfter(shown, { earliest: null, within: 68, full: false })).toEqual({ from: null, known: ['req_170', 'req_125', 'req_103'] });
  expect(askedAfter(shown, { earliest: line(60).occurredAt, within: 68, full: false }).from).toBe(line(60).occurredAt);
});

test('a live log that shows nothing asks no further back than one that does', () => {
  expect(askedAfter([], { earliest: null, within: 68, full: false })).toEqual({ from: null, known: [] });
});

test('a live log does not ask for what stands on the next page', () => {
  const asked = { earliest: null, within: 68, full: true };
  expect(askedAfter([70, 50].map(line), asked).from).toBe(line(50).occurredAt);
  expect(askedAfter([170, 50].map(line), asked).from).toBeNull();
  const many = Array.from({ length: 150 }, () => line(70));
  expect(askedAfter(many, { ...asked, full: false })).toMatchObject({ from: line(70).occurredAt, known: { length: 100 } });
});

test('a line that was written late takes its place among the others, and none is there twice', () => {
  expect(joined([line(5), line(3)], [line(4), line(3), line(1)]).map(({ id }) => id)).toEqual(['req_5', 'req_4', 'req_3', 'req_1']);
});

test('what an address says and no filter means is left out', () => {
  const given = { answer: '404', operation: 'getSync', problem: 'not_found', serial: 'ab12', from: '2026-11-21T09:00:00Z', to: '' };
  expect(meaningful(given)).toEqual({ ...given, from: '2026-11-21T09:00:00.000Z' });
  const nonsense = { answer: '900', operation: '/v1', problem: 'A', serial: 'X', from: 'yesterday', to: '2026-13-01T00:00:00Z' };
  expect(meaningful(nonsense)).toEqual(noFilters);
  expect(meaningful({ ...given, to: '2026-11-21T08:00:00Z' }).to).toBe('');
});

test('a time means the same in every zone, and has its day only where that is another one', () => {
  const [at, now] = [new Date('2026-11-21T23:14:07.112Z'), new Date('2026-11-21T23:30:00Z')];
  expect(momentWords('utc').exact(at, now)).toBe('23:14:07.112');
  expect(momentWords('local', 'Asia/Kathmandu').exact(at, now)).toBe('04:59:07.112');
  expect(momentWords('utc').exact(at, new Date('2026-11-22T12:00:00Z'))).toBe('21 Nov, 23:14:07.112');
});

test('a deadline has its day, its time and its zone', () => {
  const at = new Date('2026-12-05T18:47:00Z');
  expect(momentWords('utc').deadline(at)).toBe('5 Dec 2026, 18:47 UTC');
  expect(momentWords('local', 'Europe/Oslo').deadline(at)).toBe('5 Dec 2026, 19:47 CET');
});

test('a quota that is nearly used up is told apart, and one that nobody uses is left out', () => {
  const quota = (name: Quota['name'], limit: number, left: number) => ({
    name,
    limit,
    left,
    resetsAt: null,
    overridden: false,
    overrideExpiresAt: null,
  });
  expect(shownQuotas([quota('minute', 20, 20), quota('est', 10, 10), quota('redeem', 60, 59)]).map(quotaLeftWords)).toEqual([
    '20 of 20 requests left this minute',
    '59 of 60 link codes left this hour',
  ]);
  // Its window begins with its first request, so calls of this hour of the clock may have counted in the one before.
  expect(quotaLeftWords(quota('hour', 600, 600))).toBe('600 of 600 hourly requests left');
  expect([5, 4, 0].map((left) => isTight(quota('minute', 20, left)))).toEqual([false, true, true]);
});

describe('the requests of an integration', () => {
  let application: PortalWorld;
  let browser: Browser;
  let operator: PortalClient;
  let watched: WatchedPage;
  let page: Page;
  let integration: Awaited<ReturnType<PortalClient['createIntegration']>>;
  let certificate: CertificateData;
  let replaced: CertificateData;
  let clientNumber: number;
  let refusedId: string;

  beforeAll(async () => {
    [application, browser] = await Promise.all([openWorld({ portal: true }), launchBrowser()]);
    operator = await application.operator();
    integration = await operator.createIntegration({ publicName: 'Nordlys Tracker' });
    replaced = await operator.issuedCertificate(integration);
    certificate = await operator.issuedCertificate(integration);
    [{ number: clientNumber } = { number: 0 }] = await application.rows<{ number: number }>('select number from client where id = $1', [
      integration.clientId,
    ]);
    watched = await openPageAs(browser, operator);
    ({ page } = watched);
  });
  afterAll(async () => {
    await browser?.close();
    await application?.close();
  });

  const path = () => `/integrations/${integration.slug}/requests`;
  const write = (requests: Partial<FinishedRequest>[]) =>
    writeRequests(application.databaseUrl, { clientNumber, commonName: integration.commonName, certificate }, requests);
  const log = () => page.getByRole('table', { name: 'Requests', exact: true });
  const causes = () => page.getByRole('region', { name: 'Refused and failed calls' });

  test('before the first call the page shows how to make it and waits for it', async () => {
    await page.goto(`/integrations/${integration.slug}`);
    await page.getByRole('navigation', { name: 'Integration' }).getByRole('link', { name: 'Requests', exact: true }).click();
    await page.getByText('Waiting for your first call…').waitFor();
    expect(await page.locator('pre').innerText()).toContain('npx svc init \\\n  --base-url https://localhost:8443/v1 --portal-url ');
    await page.getByText('20 of 20 requests left this minute').waitFor();
    await page.getByText('We have not received a call yet.').waitFor();
    // No room is kept for a chart of calls.
    const room = await causes().evaluate((said) => {
      const top = said.parentElement?.parentElement ?? said;
      return top.getBoundingClientRect().bottom - said.getBoundingClientRect().bottom;
    });
    expect(room).toBeLessThan(8);
  });

  test('a call shows without a reload, and the page asks for nothing but what is new, without keeping the session alive', async () => {
    const answered = page.waitForResponse(async (response) => (response.request().postData() ?? '').includes('"facts":false'));
    const [first] = await write([{ operation: 'getCapabilities' }]);
    await log().getByRole('link').first().waitFor();
    const response = await answered;
    expect(response.request().headers()['x-svc-background']).toBe('1');
    const quiet = await page.waitForResponse((each) => (each.request().postData() ?? '').includes(first?.requestId ?? ''));
    const { requestBodySize, responseBodySize, responseHeadersSize } = await quiet.request().sizes();
    expect(requestBodySize).toBeLessThan(2_000);
    expect(responseBodySize + responseHeadersSize).toBeLessThan(2_000);
  });

  test('what is refused stands above the log by cause with what to mend, and leads to its requests', async () => {
    await application.rows('update certificate set not_before = $2, usable_until = $3 where id = $1', [
      replaced.id,
      new Date(Date.now() - 72 * hour),
      new Date(Date.now() - hour),
    ]);
    const expired = {
      status: 401,
      problem: 'client_certificate_expired',
      client: { number: clientNumber, certificateId: replaced.id },
    } as const;
    const ago = (milliseconds: number) => ({ occurredAt: new Date(Date.now() - milliseconds) });
    const [, refused] = await write([
      { ...expired, ...ago(300) },
      { ...expired, ...ago(200) },
      { operation: 'getOrder', status: 403, problem: 'scope_required', ...ago(100) },
    ]);
    refusedId = refused?.requestId ?? '';
    await page.goto(path());
    await causes().getByText('401 Client certificate expired').waitFor();
    await causes()
      .getByText(
        'Install the newer certificate, which the Certificates tab has for download. If its private key is lost, request another one.',
      )
      .waitFor();
    // The figures of the chart beside it, and no others.
    await causes().getByText('3 of 4 calls refused or failed in 24 hours.').waitFor();
    await causes()
      .getByRole('button', { name: /^What to do: Scope required, / })
      .click();
    await causes().getByText('missing_in says where the scope is missing').waitFor();
    await causes().getByRole('link', { name: '2 requests, 50% of all in 24 hours' }).click();
    await page.getByText('Problem: client_certificate_expired').waitFor();
    await log().locator('tbody tr').nth(1).waitFor();
    expect(await log().locator('tbody tr').count()).toBe(2);
    await keepScreenshot(page, 'requests-filtered');
    await page.getByRole('button', { name: 'Remove the filter Problem' }).click();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await log().getByText('403 Scope required').waitFor();
  });

  test('a request opens beside the log with its cure, is left by Escape and by Back, and has an address of its own', async () => {
    await page.goto(`${path()}?request=${refusedId}`);
    const panel = page.getByRole('complementary', { name: 'GET /v1/sync' });
    await panel
      .getByText(
        'Install the newer certificate, which the Certificates tab has for download. If its private key is lost, request another one.',
      )
      .waitFor();
    expect(await panel.getByRole('link', { name: 'about this problem' }).getAttribute('href')).toBe('/problems/client_certificate_expired');
    expect(await panel.getByRole('link', { name: replaced.id }).getAttribute('href')).toContain(
      `/integrations/${integration.slug}/certificates`,
    );
    await panel.getByRole('button', { name: 'Previous request' }).click();
    await page.waitForURL((url) => url.searchParams.get('request') !== refusedId);
    await page.getByRole('button', { name: 'Next request' }).click();
    await page.waitForURL((url) => url.searchParams.get('request') === refusedId);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    // Of a row, the time says least: it is no bolder than the rest, and underlined only where the reader is.
    const time = log().getByRole('link').first();
    const look = () =>
      time.evaluate((link) => {
        const { fontWeight, textDecorationLine } = link.ownerDocument.defaultView?.getComputedStyle(link) ?? {};
        return [fontWeight, textDecorationLine];
      });
    await page.mouse.move(0, 0);
    expect(await look()).toEqual(['400', 'none']);
    await time.hover();
    expect(await look()).toEqual(['400', 'underline']);
    await log().getByRole('link').first().click();
    await page.getByRole('complementary').waitFor();
    expect(await log().locator('tr[aria-current]').count()).toBe(1);
    await page.goBack();
    await page.getByRole('complementary').waitFor({ state: 'detached' });
  });

  test('a row and a tab are marked as soon as they are clicked, however long it takes until they have opened', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/assets/IntegrationDeletionsPage-*.js', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(path());
    await log().locator('tbody tr').first().waitFor();
    expect(await log().getByRole('columnheader', { name: 'Certificate' }).count()).toBe(1);
    // What opens is drawn in tasks of its own.
    const marked = await page.evaluate(`(async () => {
      const link = document.querySelector('tbody a[href^="?request="]');
      link.click();
      await Promise.resolve();
      const row = link.closest('tr');
      return [row.hasAttribute('data-opening'), row.hasAttribute('aria-current')];
    })()`);
    expect(marked).toEqual([true, false]);
    await page.getByRole('complementary').waitFor();
    expect(await log().locator('tr[aria-current]').count()).toBe(1);
    expect(await log().locator('[data-opening]').count()).toBe(0);
    expect(await log().getByRole('columnheader', { name: 'Certificate' }).count()).toBe(0);

    const tabs = page.getByRole('navigation', { name: 'Integration' });
    await tabs.getByRole('link', { name: 'Deletions' }).click();
    await tabs.locator('a[data-opening]', { hasText: 'Deletions' }).waitFor();
    release();
    await tabs.locator('a[aria-current=page]', { hasText: 'Deletions' }).waitFor();
    expect(await tabs.locator('[data-opening]').count()).toBe(0);
    await page.unroute('**/assets/IntegrationDeletionsPage-*.js');
  });

  test('an id that nobody knows is answered in words', async () => {
    await page.goto(`${path()}?request=req_${'0'.repeat(26)}`);
    await page.getByText(`This client has no request with the ID req_${'0'.repeat(26)}.`).waitFor();
    await page.goto(`${path()}?request=req_12`);
    await page.getByText('A request ID is req_ followed by 26 characters.').waitFor();
  });

  test('nothing moves under a reader: what comes meanwhile is counted, and shown when they ask', async () => {
    await page.goto(path());
    const lines = log().locator('tbody tr');
    await lines.first().waitFor();
    const before = await lines.count();
    await lines.first().hover();
    await write([{ operation: 'getVehicle' }, { operation: 'getOrder' }]);
    await page.getByRole('button', { name: '2 new', exact: true }).click();
    await lines.nth(before + 1).waitFor();
    await page.mouse.move(5, 5);
    await write([{ operation: 'getVehicle' }]);
    await lines.nth(before + 2).waitFor();
  });

  test('live updates end with a sentence when nobody looks, and go on when asked', async () => {
    const { page: other } = await openPageAs(browser, operator);
    await other.clock.install();
    await other.goto(path());
    await other.getByRole('table', { name: 'Requests', exact: true }).waitFor();
    await other.clock.fastForward(31 * 60_000);
    await other.getByText('after half an hour without activity.').waitFor();
    await other.getByRole('button', { name: 'Go on' }).click();
    await other.getByText('after half an hour without activity.').waitFor({ state: 'detached' });
    await other.context().close();
  });

  test('problems are told apart from answers, times are in the zone that the reader chooses, and older requests are pages further back', async () => {
    const now = Date.now();
    await write(
      Array.from({ length: 300 }, (_, n) => ({
        occurredAt: new Date(now - n * 280_000 - 1_000),
        ...(n % 9 === 0 ? { operation: 'getOrder' } : {}),
        ...(n % 4 === 0 ? { status: 304 } : {}),
        ...(n % 25 === 0 ? { status: 429, problem: 'rate_limit_exceeded' as const } : {}),
        ...(n % 80 === 79 ? { status: 503, problem: 'temporarily_unavailable' as const } : {}),
      })),
    );
    await page.goto(path());
    await page.getByRole('combobox', { name: 'Answer' }).selectOption('problems');
    await log().getByText('429 Rate limit exceeded').first().waitFor();
    await log().getByText('200 Answered').first().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByText('UTC', { exact: true }).click();
    const [first] = await log().locator('tbody th time').all();
    expect(await first?.innerText()).toMatch(/^(\d+ \w+, )?\d\d:\d\d:\d\d\.\d{3}$/);
    expect(await first?.innerText()).toContain((await first?.getAttribute('datetime'))?.slice(11, 23));
    await page.getByText('Local', { exact: true }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Time' }).selectOption('last hour');
    await page.waitForURL((url) => Math.abs(Date.parse(url.searchParams.get('from') ?? '') - Date.now() + hour) < 60_000);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('link', { name: 'Next page' }).click();
    await page.getByText('Older requests. This page does not change').waitFor();
    await page.goBack();
    await page.getByText('Older requests. This page does not change').waitFor({ state: 'detached' });
  });

  test('the first row of the log stands high on the page, also with three causes above it', async () => {
    await page.goto('/integrations');
    await page.goto(path());
    const rows = log().locator('tbody tr');
    await rows.nth(49).waitFor();
    await keepScreenshot(page, 'requests-log');
    expect((await rows.first().boundingBox())?.y).toBeLessThanOrEqual(420);
  });

  test('on a phone, a row of the log takes two or three lines, in which its values stand side by side', async () => {
    await page.setViewportSize({ width: 360, height: 800 });
    await page.goto(path());
    const rows = log().locator('tbody tr');
    await rows.nth(49).waitFor();
    await keepScreenshot(page, 'requests-log-360');
    const heights = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
    expect(Math.max(...heights)).toBeLessThanOrEqual(84);
    expect(heights.filter((height) => height <= 64).length).toBeGreaterThan(25);
    // The answer stands beside the time, and the duration beside the operation, in every row alike.
    const places = await rows.evaluateAll((all) =>
      all.map((row) => {
        const [time, answer, operation, , took] = [...row.children].map((cell) => cell.getBoundingClientRect());
        return [
          answer && time && Math.abs(answer.top - time.top) < 6,
          took && operation && took.top >= operation.top - 1 && took.top < operation.bottom,
        ];
      }),
    );
    expect(places).toEqual(places.map(() => [true, true]));
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test('reaching the log by a click shows all rows of its page, the lower ones right after the upper ones', async () => {
    const tab = (name: string) => page.getByRole('navigation', { name: 'Integration' }).getByRole('link', { name });
    await tab('Overview').click();
    await log().waitFor({ state: 'detached' });
    await tab('Requests').click();
    await log().locator('tbody tr').nth(49).waitFor();
  });

  test('nothing moves while the log is read and drawn, whatever its causes and its lower rows say', async () => {
    await write(Array.from({ length: 20 }, () => ({})));
    await page.goto(`/integrations/${integration.slug}`);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('"operationName":"Requests"')) await released;
      await route.continue();
    });
    await page.getByRole('navigation', { name: 'Integration' }).getByRole('link', { name: 'Requests', exact: true }).click();
    await page.getByRole('status', { name: 'Loading' }).first().waitFor();
    // What moves within half a second of a click counts as what the click does.
    await page.waitForTimeout(600);
    const shifts = await watchShifts(page);
    release();
    await log().locator('tbody tr').nth(49).waitFor();
    expect(await shifts()).toEqual([]);
    await page.unroute('**/graphql');
  });

  test('the bars have their sums in words and every figure in tables, which sort by the column that the reader chooses', async () => {
    const chart = page.getByRole('img', { name: /^Requests in the last 24 hours: \d+(, \d+ refused)?(, \d+ failed)?$/ });
    const peak = page.getByText(/^peak: [\d,]+ per hour$/);
    await peak.waitFor();
    // A bar says its value to the pointer, and to the keyboard.
    const value = page.getByText(/^\d+ \w+, \d\d:00 UTC: [\d,]+(, [\d,]+ refused)?(, [\d,]+ failed)?$/);
    await chart.locator('div').first().hover();
    const ofFirst = await value.innerText();
    await chart.press('Home');
    expect(await value.innerText()).toBe(ofFirst);
    await page.mouse.move(0, 0);
    await chart.press('ArrowRight');
    expect(await value.innerText()).not.toBe(ofFirst);
    await chart.blur();
    await peak.waitFor();
    await page.getByText('Figures by operation and by hour').click();
    const table = page.getByRole('table', { name: 'Requests by operation' });
    await page.getByText(/^\d+% \(\d+ of \d+\)$/).waitFor();
    const refused = table.getByRole('columnheader', { name: '4xx' });
    const counts = async () => (await table.locator('tbody td:nth-child(4)').allInnerTexts()).map(Number);
    expect(await refused.getAttribute('aria-sort')).toBe('none');
    await refused.getByRole('button').click();
    expect(await refused.getAttribute('aria-sort')).toBe('ascending');
    expect(await counts()).toEqual((await counts()).toSorted((one, other) => one - other));
    await refused.getByRole('button').click();
    expect(await counts()).toEqual((await counts()).toSorted((one, other) => other - one));
  });

  test('on a narrow screen a table is sorted by a visible control, figures stand beside their column’s name, and the keyboard meets nothing invisible', async () => {
    await page.setViewportSize({ width: 360, height: 900 });
    const table = page.getByRole('table', { name: 'Requests by operation' });
    const cell = table.locator('tbody td').first();
    expect(await cell.evaluate((td) => td.ownerDocument.defaultView.getComputedStyle(td, '::before').content)).toContain('2xx');
    expect(await table.locator('thead button').filter({ visible: true }).count()).toBe(0);
    const sortBy = page.getByRole('combobox', { name: 'Sort by: Requests by operation' });
    await sortBy.selectOption('4xx, ascending');
    const counts = (await table.locator('tbody td:nth-child(4)').allInnerTexts()).map(Number);
    expect(counts).toEqual(counts.toSorted((one, other) => one - other));
    await page.setViewportSize({ width: 1280, height: 900 });
    expect(await sortBy.filter({ visible: true }).count()).toBe(0);
  });

  test('sandbox and production are switched between, once there are both', async () => {
    await numberOfClient(application, integration.slug, 'production');
    await page.reload();
    await page.getByRole('radiogroup', { name: 'Environment' }).getByText('Production').click();
    await page.getByText('Every call is refused until you activate production access.').waitFor();
    // Nothing is on record, so there is no region without words.
    expect(await page.getByRole('region', { name: 'Refused and failed calls' }).count()).toBe(0);
    expect(new URL(page.url()).searchParams.get('environment')).toBe('production');
  });

  test.each(['light', 'dark'] as const)(
    'has no serious accessibility finding in %s colours, and nothing runs over between 360 and 1600 pixels',
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width: 1600, height: 1400 });
      await page.goto(`${path()}?request=${refusedId}`);
      await page.getByRole('switch', { name: 'Live' }).uncheck();
      for (const width of [1600, 768, 360]) {
        await page.setViewportSize({ width, height: 1400 });
        await page.getByText('This certificate was replaced').last().waitFor();
        expect(await overflow(page)).toBe(0);
        await keepScreenshot(page, `requests-${colorScheme}-${width}`);
      }
      // Dark differs from light in its colours alone.
      expect(await accessibilityFindings(page, colorScheme === 'dark' ? ['color-contrast'] : undefined)).toEqual([]);
    },
    120_000,
  );

  test('nothing on the way broke the content security policy or any script', () => {
    expect(watched.complaints).toEqual([]);
  });
});

/** Where a person wants to look at the pages: a folder named by SCREENSHOTS. */
async function keepScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` });
}
