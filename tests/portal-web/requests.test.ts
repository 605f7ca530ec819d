import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { hoursOf } from '../../portal-web/src/features/usage/hoursOf.ts';
import { scaleEnd } from '../../portal-web/src/ui/charts/scaleEnd.ts';
import { operationPaths } from '../../portal-web/src/features/usage/operationPaths.ts';
import { operations } from '../../rest-api/operations.ts';
import type { FinishedRequest } from '../../server/domain/usage/FinishedRequest.ts';
import { accessibilityFindings, launchBrowser, type WatchedPage } from '../support/browser/browser.ts';
import { keepEveryScreenshot } from '../support/browser/keepScreenshot.ts';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';
import type { CertificateData, PortalClient } from '../support/clients/portalClient.ts';
import { openPageAs } from '../support/browser/signedInBrowser.ts';
import { writeRequests } from '../support/world/usageFixtures.ts';
import { clientNumber } from '../support/world/revocationFixtures.ts';
import { overflow } from '../support/browser/overflow.ts';

const hour = 60 * 60 * 1000;

test('the page knows every operation of the machine API by its path', () => {
  expect(operationPaths).toEqual(Object.fromEntries(operations.map(({ name, path }) => [name, path])));
});

test('the chart has every hour, empty ones too, and a scale that ends at a round number', () => {
  const counts = [
    { hour: '2026-11-21T10:00:00.000Z', operation: 'getSync', status: 200, count: 3 },
    { hour: '2026-11-21T10:00:00.000Z', operation: 'getSync', status: 304, count: 4 },
    { hour: '2026-11-21T10:00:00.000Z', operation: 'getOrder', status: 499, count: 1 },
  ];
  const hours = hoursOf({ from: '2026-11-21T09:00:00.000Z', hours: 3, counts });
  expect(hours.map(({ sum }) => sum)).toEqual([0, 8, 0]);
  expect(hours[1]?.totals).toEqual({ succeeded: 3, unchanged: 4, refused: 1, failed: 0 });
  expect([0, 4, 5, 11, 60, 61, 999].map(scaleEnd)).toEqual([4, 4, 6, 20, 60, 80, 1000]);
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
  let clientNo: number;
  let refusedId: string;

  beforeAll(async () => {
    [application, browser] = await Promise.all([openWorld({ portal: true }), launchBrowser()]);
    operator = await application.operator();
    integration = await operator.createIntegration({ publicName: 'Nordlys Tracker' });
    replaced = await operator.issuedCertificate(integration);
    certificate = await operator.issuedCertificate(integration);
    [{ no: clientNo } = { no: 0 }] = await application.rows<{ no: number }>('select no from client where id = $1', [integration.clientId]);
    watched = await openPageAs(browser, operator);
    ({ page } = watched);
    page.setDefaultTimeout(15_000);
  });
  afterAll(async () => {
    await browser?.close();
    await application?.close();
  });

  const path = () => `/integrations/${integration.slug}/requests`;
  const write = (requests: Partial<FinishedRequest>[]) =>
    writeRequests(application.databaseUrl, { clientNo, commonName: integration.commonName, certificate }, requests);
  const row = (id: string) => page.getByRole('rowgroup').filter({ hasText: id });

  test('before the first call the page shows how to make it', async () => {
    await page.goto(`/integrations/${integration.slug}`);
    await page.getByRole('link', { name: 'Requests', exact: true }).click();
    await page.getByText('Your first call appears here a second or two after its response').waitFor();
    expect(await page.locator('pre').innerText()).toContain('https://localhost:8443/v1/capabilities');
    await page.getByText('20 of 20 requests left').waitFor();
    await page.getByText('No syncs in this period').waitFor();
  });

  test('a call shows without a reload, with what is left of the quota', async () => {
    await application.rows(
      'update client_quota set minute_start = $2, minute_count = 6, hour_start = $2, hour_count = 480 where client_no = $1',
      [clientNo, new Date()],
    );
    const [first] = await write([{ operation: 'getCapabilities' }]);
    await row(first?.requestId ?? '').waitFor();
    await page.getByText('14 of 20 requests left').waitFor();
    await page.getByText('120 of 600 requests left').waitFor();
  });

  test('asking again and again does not keep the session alive', async () => {
    const sent = page.waitForRequest(
      (request) => request.url().endsWith('/graphql') && request.postData()?.includes('query Requests') === true,
    );
    expect((await sent).headers()['x-svc-background']).toBe('1');
  });

  test('a refused call is found by its request id and explained: which certificate, why, what to do', async () => {
    await application.rows('update certificate set not_before = $2, usable_until = $3 where id = $1', [
      replaced.id,
      new Date(Date.now() - 72 * hour),
      new Date(Date.now() - hour),
    ]);
    const [refused] = await write([
      { status: 401, problem: 'client_certificate_expired', client: { no: clientNo, certificateId: replaced.id } },
      { operation: 'getOrder', status: 403, problem: 'scope_required' },
    ]);
    const id = refused?.requestId ?? '';
    refusedId = id;
    await page.getByRole('textbox', { name: 'Request ID' }).fill('req_123');
    await page.getByText('A request ID is req_ followed by 26 characters.').waitFor();
    await page.getByRole('textbox', { name: 'Request ID' }).press('Home');
    await page.keyboard.type('abc');
    expect(await page.getByRole('textbox', { name: 'Request ID' }).inputValue()).toBe('abcreq_123');
    await page.getByRole('textbox', { name: 'Request ID' }).fill(` ${id} `);
    await page.getByText('This certificate was replaced by a newer one; the overlap of 14 days ended on').waitFor();
    await page.getByText('Request a new certificate in the portal and install it.').waitFor();
    expect(await page.getByRole('link', { name: 'about this problem' }).getAttribute('href')).toBe('/problems/client_certificate_expired');
    expect(await row(id).getByRole('link', { name: replaced.id }).getAttribute('href')).toBe(
      `/integrations/${integration.slug}/certificates`,
    );
    expect(await page.getByRole('table', { name: 'Requests', exact: true }).locator('tbody').count()).toBe(1);
    expect(new URL(page.url()).search).toBe(`?request=${id}`);
    await page.reload();
    await row(id).getByText('401 Client certificate expired').waitFor();
    await page.getByRole('button', { name: 'Clear: Request ID' }).click();
    await page.getByText('403 Scope required').click();
    await page.getByText('missing_in says where the scope is missing').waitFor();
  });

  test('an id that nobody knows is answered in words, and all requests are one click away', async () => {
    await page.goto(`${path()}?request=req_${'0'.repeat(26)}`);
    await page.getByText('This client has no request with this ID.').waitFor();
    await page.getByRole('button', { name: 'Show all requests' }).click();
    await page.getByText('403 Scope required').waitFor();
  });

  test('problems are told apart from answers, and older requests are pages further back', async () => {
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
    await page.getByText('429 Rate limit exceeded').first().waitFor();
    await page.getByText('200 Answered').first().waitFor({ state: 'detached' });
    await page.getByRole('combobox', { name: 'Answer' }).selectOption('');
    await page.getByRole('link', { name: 'Next page' }).click();
    await page.getByText('Older requests. This page does not change').waitFor();
    await page.goBack();
    await page.getByText('Older requests. This page does not change').waitFor({ state: 'detached' });
  });

  test('the chart has its figures in words and as a table', async () => {
    await page.goto(path());
    const chart = page.getByRole('img', { name: /requests in the last 24 hours/ });
    expect(await chart.getAttribute('aria-label')).toMatch(
      /^\d+ requests in the last 24 hours: \d+ answered, \d+ unchanged, \d+ refused, \d+ failed\./,
    );
    await page.getByText('Read the chart as a table').click();
    await page.getByRole('table', { name: 'Requests per hour' }).getByText('429').first().waitFor();
    await page.getByRole('table', { name: 'Requests by operation' }).getByRole('rowheader', { name: '/v1/orders/{order_id}' }).waitFor();
    await page.getByText('7 days', { exact: true }).click();
    await page.getByRole('img', { name: /requests in the last 7 days/ }).waitFor();
    await page.locator('canvas').waitFor();
  });

  test('a table that is shown whole is sorted by the column that the reader chooses, and back', async () => {
    const table = page.getByRole('table', { name: 'Requests by operation' });
    const refused = table.getByRole('columnheader', { name: '4xx' });
    const counts = async () => (await table.locator('tbody td:nth-child(4)').allInnerTexts()).map(Number);
    expect(await refused.getAttribute('aria-sort')).toBe('none');
    await refused.getByRole('button').click();
    expect(await refused.getAttribute('aria-sort')).toBe('ascending');
    expect(await counts()).toEqual((await counts()).toSorted((one, other) => one - other));
    await refused.getByRole('button').click();
    expect(await refused.getAttribute('aria-sort')).toBe('descending');
    expect(await counts()).toEqual((await counts()).toSorted((one, other) => other - one));
  });

  test('on a narrow screen every figure of a table stands beside the name of its column', async () => {
    await page.setViewportSize({ width: 360, height: 900 });
    const cell = page.getByRole('table', { name: 'Requests by operation' }).locator('tbody td').first();
    const label = async () => cell.evaluate((td) => td.ownerDocument.defaultView.getComputedStyle(td, '::before').content);
    expect(await label()).toContain('2xx');
    await page.setViewportSize({ width: 1280, height: 900 });
    expect(await label()).toBe('none');
  });

  test('on a narrow screen a table is sorted by a visible control, and the keyboard meets nothing invisible', async () => {
    await page.setViewportSize({ width: 360, height: 900 });
    const table = page.getByRole('table', { name: 'Requests by operation' });
    expect(await table.locator('thead button').count()).toBeGreaterThan(0);
    expect(await table.locator('thead button').filter({ visible: true }).count()).toBe(0);
    expect(await table.getByRole('columnheader', { name: '4xx' }).getAttribute('aria-sort')).toBe('descending');
    const sortBy = page.getByRole('combobox', { name: 'Sort by: Requests by operation' });
    await sortBy.selectOption('4xx, ascending');
    const counts = (await table.locator('tbody td:nth-child(4)').allInnerTexts()).map(Number);
    expect(counts).toEqual(counts.toSorted((one, other) => one - other));
    expect(await table.getByRole('columnheader', { name: '4xx' }).getAttribute('aria-sort')).toBe('ascending');
    await keepEveryScreenshot(page, 'sort-by');
    await page.setViewportSize({ width: 1280, height: 900 });
    expect(await sortBy.filter({ visible: true }).count()).toBe(0);
    await page.emulateMedia({ colorScheme: 'light' });
  });

  test('whoever cannot load the chart reads the same figures', async () => {
    const { page: other } = await openPageAs(browser, operator);
    await other.route(/\/assets\/StackedBars-[^/]*\.js$/, (route) => route.abort());
    await other.goto(path());
    await other.getByText('The chart could not be loaded. The table below has the same figures.').waitFor();
    await other.getByRole('table', { name: 'Requests by operation' }).waitFor();
    await other.context().close();
  });

  test('a low share of 304 is explained', async () => {
    await page.goto(path());
    await page.getByText(/^\d+% \(\d+ of \d+\)$/).waitFor();
    await application.rows("update usage_counter set status = 206 where status = 304 and route = 'getSync'");
    await page.getByText('That is low. Send the').waitFor();
    await application.rows('update usage_counter set status = 304 where status = 206');
  });

  test('the overview says when the client was last heard of', async () => {
    await page.goto(`/integrations/${integration.slug}`);
    await page.getByText('Last sync').waitFor();
    await page.getByRole('link', { name: 'all requests' }).click();
    await page.getByRole('heading', { name: 'Recent requests' }).waitFor();
  });

  test('sandbox and production are switched between, once there are both', async () => {
    await clientNumber(application, integration.slug, 'production');
    await page.reload();
    await page.getByRole('radiogroup', { name: 'Environment' }).getByText('Production').click();
    await page.getByText('Your first call appears here').waitFor();
    expect(new URL(page.url()).search).toBe('?environment=production');
  });

  test.each(['light', 'dark'] as const)(
    'has no serious accessibility finding in %s colours, and nothing runs over between 360 and 1600 pixels',
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.goto(`${path()}?request=${refusedId}`);
      await page.getByRole('switch', { name: 'Update automatically' }).uncheck();
      await page.getByText('Read the chart as a table').click();
      for (const width of [1600, 768, 360]) {
        await page.setViewportSize({ width, height: 1400 });
        await page.getByText('This certificate was replaced').waitFor();
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
