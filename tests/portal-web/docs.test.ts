import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { parse } from 'yaml';
import { guideParts, guides } from '../../portal-web/src/features/docs/guides.ts';
import { withAddresses } from '../../portal-web/src/features/docs/withAddresses.ts';
import { anchorOf, parseMarkdown, type MarkdownNode } from '../../portal-web/src/features/markdown/parseMarkdown.ts';
import { errorCatalogue } from '../../server/domain/shared/errorCatalogue.ts';
import { limits } from '../../server/domain/shared/limits.ts';
import { webhookEventTypes } from '../../server/domain/outbox/eventTypes.ts';
import { allScopes } from '../../server/domain/shared/scopes.ts';
import { accessibilityFindings, launchBrowser, openPage, stayInBackground, type WatchedPage } from '../support/browser/browser.ts';
import { keepScreenshot } from '../support/browser/keepScreenshot.ts';
import { openPageAs } from '../support/browser/signedInBrowser.ts';
import { writeRequests } from '../support/world/usageFixtures.ts';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';
import { overflow } from '../support/browser/overflow.ts';

const contract = parse(await readFile('rest-api/contract/openapi.yaml', 'utf8')) as { paths: Record<string, unknown> };
const sources = new Map(
  await Promise.all(guides.map(async ({ name }) => [name as string, await readFile(`docs/guides/${name}.md`, 'utf8')] as const)),
);
const textOf = (name: string) => sources.get(name) ?? '';
const anchorsOf = (name: string) =>
  parseMarkdown(textOf(name)).flatMap((node) => (node.kind === 'element' && /^h\d$/.test(node.tag) ? [anchorOf(node.children)] : []));
const element = (tag: string, ...children: MarkdownNode[]): MarkdownNode => ({ kind: 'element', tag, children });
const words = (said: string): MarkdownNode => ({ kind: 'text', text: said });
/** What a reader sees of a document, without its code. */
const shownOf = (nodes: readonly MarkdownNode[]): string =>
  nodes.map((node) => (node.kind === 'text' ? node.text : 'children' in node ? shownOf(node.children) : '')).join('');

test('code, tables and markers are read as such, and what is in code stays as it is', () => {
  const blocks = parseMarkdown(
    'Text\n```sh\n# not a heading\n\n| not | a table |\n```\n\n| A | B |\n|---|---|\n| `x` | y |\n\nBelow\n<!-- here -->\nEnd',
  );
  expect(blocks).toEqual([
    element('p', words('Text')),
    { kind: 'fence', text: '# not a heading\n\n| not | a table |' },
    element(
      'table',
      element('thead', element('tr', element('th', words('A')), element('th', words('B')))),
      element('tbody', element('tr', element('td', { kind: 'code', text: 'x' }), element('td', words('y')))),
    ),
    element('p', words('Below')),
    { kind: 'marker', name: 'here' },
    element('p', words('End')),
  ]);
});

test('a fence that nobody closes, and stars in code, break nothing', () => {
  expect(parseMarkdown('```\na\nb')).toEqual([{ kind: 'fence', text: 'a\nb' }]);
  expect(parseMarkdown('`a*b` and *c*')).toEqual([element('p', { kind: 'code', text: 'a*b' }, words(' and '), element('em', words('c')))]);
});

/** What the guides name and has to exist. */
const named = {
  link: /\]\(([a-z-]+)\.md(?:#([a-z0-9-]+))?\)/g,
  problem: /\/problems\/([a-z_]+)/g,
  path: /\{base_url\}(\/[^\s`?]*)/g,
  code: /`(?:4\d\d )?((?:client_certificate|link_code|rate_limit|access|acknowledgement|invalid|concurrency)_[a-z_]+)`/g,
  scope: /`((?:orders|vehicles|shipping|statistics|revocations)\.[a-z.]+)`/g,
};

describe('the guides', () => {
  test('that exist are those that the portal lists, under the same titles', async () => {
    expect((await readdir('docs/guides')).sort()).toEqual(guides.map(({ name }) => `${name}.md`).sort());
    for (const { name, title } of guides) expect(textOf(name).split('\n')[0]).toBe(`# ${title}`);
  });

  test('hold what is looked at below: links, problems, paths, codes and scopes', () => {
    const text = [...sources.values()].join('\n');
    for (const pattern of Object.values(named)) expect(text).toMatch(pattern);
  });

  test.each([...sources])('%s links to guides, headings, problems and paths that exist', (_name, text) => {
    for (const [, guide = '', anchor] of text.matchAll(named.link)) {
      expect([...sources.keys()]).toContain(guide);
      if (anchor) expect(anchorsOf(guide)).toContain(anchor);
    }
    for (const [, code = ''] of text.matchAll(named.problem)) expect(Object.keys(errorCatalogue)).toContain(code);
    for (const [, path = ''] of text.matchAll(named.path))
      expect(Object.keys(contract.paths)).toContain(`/v1${path.replace(/rev_…|\$revocation/, '{revocation_id}')}`);
  });

  test.each([...sources])('%s shows no link as its source', (_name, text) => {
    // An address that the portal does not follow stays text.
    expect(shownOf(parseMarkdown(text))).not.toContain('](');
  });

  test.each([...sources])('%s names only codes, scopes and types of events that exist', (_name, text) => {
    for (const [, code = ''] of text.matchAll(named.code)) expect(Object.keys(errorCatalogue)).toContain(code);
    for (const [, scope = ''] of text.matchAll(named.scope)) expect([...allScopes, ...webhookEventTypes]).toContain(scope);
  });

  test('tell the limits that hold', () => {
    const rows = Object.fromEntries(
      [...textOf('quotas').matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)].map(([, what = '', value = '']) => [what, value]),
    );
    expect(rows).toMatchObject({
      'pull and detail requests': `${limits.requestsPerHour} an hour`,
      'all requests': `${limits.requestsPerMinute} a minute`,
      'requests at the same time': `${limits.concurrentRequests}`,
      statistics: `${limits.statisticsRequestsPerHour} an hour`,
      'redemptions of link codes': `${limits.linkCodeRedemptionsPerHour} an hour`,
      'redemptions from one source address, malformed ones left out': `${limits.linkCodeRedemptionsPerIpPer15Minutes} in 15 minutes`,
      'requests for the renewal of certificates': `${limits.estRequestsPerHour} an hour`,
      'records in a response': `${limits.recordsPerResponse}`,
      'a response': `${limits.responseBytes / 1024 ** 2} MiB`,
      'a statistics response': `${limits.statisticsResponseBytes / 1024 ** 2} MiB`,
      "a request's body": `${limits.requestBodyBytes / 1024} KiB`,
      'polling interval': `${limits.pollingIntervalSeconds / 60} minutes`,
    });
    expect(textOf('link-codes')).toContain(`| failed attempts until a code is blocked | ${limits.failedAttemptsPerCode} |`);
    expect(textOf('link-codes')).toContain(`| lifetime of a code | ${limits.linkCodeLifetime / 60_000} minutes |`);
    expect(textOf('statistics')).toContain(`with ${limits.minimumGroupSize} as the smallest group`);
  });

  test('carry the service’s own addresses when they are shown', () => {
    const supportContact = { text: 'help@service.example' };
    const facts = { machineApiUrl: 'https://api.example/v1', portalUrl: 'https://portal.example', supportContact };
    for (const text of sources.values()) expect(withAddresses(text, facts)).not.toMatch(/\{(base_url|portal_url|support)\}/);
    expect(withAddresses(textOf('syncing'), facts)).toContain('https://api.example/v1/sync');
  });
});

describe('the documentation in the portal', () => {
  let application: PortalWorld;
  let browser: Browser;
  let watched: WatchedPage;
  let page: Page;

  beforeAll(async () => {
    [application, browser] = await Promise.all([openWorld({ portal: true }), launchBrowser()]);
    watched = await openPage(browser, { baseURL: application.portalUrl });
    ({ page } = watched);
  });
  afterAll(async () => {
    await browser?.close();
    await application?.close();
  });

  test('is found from the first page, by anybody', async () => {
    await page.goto('/');
    await page.getByRole('link', { name: 'Read the quickstart' }).click();
    await page.getByRole('heading', { name: 'Quickstart', level: 1 }).waitFor();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Docs' }).click();
    await page.getByRole('heading', { name: 'Documentation', level: 1 }).waitFor();
    for (const { title } of guides) await page.getByRole('heading', { name: title, exact: true }).getByRole('link').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'YAML' }).waitFor();
  });

  test.each(['glossary', 'deletions', 'production'])('breaks no word in two in the first column of a table of %s', async (guide) => {
    await page.goto(`/docs/${guide}`);
    await page.locator('main table').first().waitFor();
    const broken = `[...document.querySelectorAll('main table td:first-child')].flatMap((cell) => {
      const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      const found = [];
      while (walker.nextNode()) {
        for (const { index, 0: word } of walker.currentNode.data.matchAll(/[a-z]+/gi)) {
          const range = document.createRange();
          range.setStart(walker.currentNode, index);
          range.setEnd(walker.currentNode, index + word.length);
          if (range.getClientRects().length > 1) found.push(word);
        }
      }
      return found;
    })`;
    for (const width of [1280, 768]) {
      await page.setViewportSize({ width, height: 900 });
      expect([width, await page.evaluate(broken)]).toEqual([width, []]);
    }
  });

  test('begins with where to start, then what to build, the way to production, and what runs from then on', async () => {
    await page.goto('/docs');
    const main = page.getByRole('main');
    await main.getByRole('heading', { name: 'API reference', level: 2 }).waitFor();
    expect(await main.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual([...guideParts, 'API reference']);
    expect(await main.getByRole('region', { name: 'Start here' }).getByRole('link').first().innerText()).toBe('Quickstart');
    expect(await main.locator('article, section').getByRole('heading', { level: 3 }).count()).toBe(guides.length);
  });

  test('shows commands with this service’s addresses, each with a copy button', async () => {
    await page.goto('/docs/syncing');
    const first = page.locator('pre').first();
    expect(await first.innerText()).toContain('https://localhost:8443/v1/sync');
    expect(await page.getByRole('button', { name: /^Copy the lines/ }).count()).toBe(await page.locator('pre').count());
    await page.getByRole('link', { name: 'acknowledge', exact: true }).click();
    await page.getByRole('heading', { name: 'Deletions', level: 1 }).waitFor();
  });

  test('lists every problem code of the machine contract, from the catalogue of the problem pages', async () => {
    const inContract = [...new Set([...JSON.stringify(contract).matchAll(/"code":"([a-z_]+)"/g)].map(([, code]) => code))].sort();
    await page.goto('/docs/errors');
    await page.getByRole('rowheader', { name: 'scope_required' }).waitFor();
    const shown = await page.locator('tr[id]').evaluateAll((rows) => rows.map(({ id }) => id));
    expect(shown.sort()).toEqual(inContract);
    await page.getByRole('link', { name: 'access_ended' }).click();
    await page.getByRole('heading', { name: 'Access ended' }).waitFor();
  });

  test('finds a code, a header and a task in the one search, which visitors open from the list of pages or by Ctrl K', async () => {
    await page.goto('/docs/quickstart');
    await page.getByRole('button', { name: 'Search the docs' }).click();
    const field = page.getByRole('combobox', { name: 'Search the docs' });
    const results = page.getByRole('listbox', { name: 'Results' }).getByRole('option');
    await field.fill('link_code_not_redeemable');
    await results.first().getByText('404 Link code not redeemable').waitFor();
    await keepScreenshot(page, 'docs-search');
    expect(await accessibilityFindings(page)).toEqual([]);
    await field.fill('nothing new');
    await results.first().getByText('Nothing new: 304').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/syncing#nothing-new-304');
    await page.getByRole('heading', { name: 'Syncing', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await field.fill('switch to dark');
    await page.getByRole('group', { name: 'Actions' }).getByText('Switch to dark').waitFor();
    await field.fill('certificaat renewaal');
    await results.first().waitFor();
    await field.fill('zzzqqq');
    await page.getByText('No matches for “zzzqqq”').waitFor();
    await page.getByRole('group', { name: 'You may be looking for' }).getByText('Tools and help').waitFor();
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
  });

  test('where there is no keyboard, the search of the docs names no key', async () => {
    const { page: phone } = await openPage(browser, {
      baseURL: application.portalUrl,
      hasTouch: true,
      isMobile: true,
      viewport: { width: 360, height: 800 },
    });
    await phone.goto('/docs');
    const box = phone.getByRole('button', { name: 'Search the docs' });
    await box.waitFor();
    expect((await box.innerText()).trim()).toBe('Search the docs');
    await phone.context().close();
  });

  test.each([1280, 1440])('the hits of the search lie above the page at %i pixels: a click on a hit meets that hit', async (width) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/docs');
    await page.getByRole('button', { name: 'Search the docs' }).click();
    await page.getByRole('combobox', { name: 'Search the docs' }).fill('certificate renewal');
    const results = page.getByRole('listbox', { name: 'Results' }).getByRole('option');
    await results.nth(5).waitFor();
    for (const hit of await results.all()) {
      await hit.scrollIntoViewIfNeeded();
      const met = await hit.evaluate((line) => {
        const { left, right, top, bottom } = line.getBoundingClientRect();
        const { ownerDocument } = line;
        return [left + 8, (left + right) / 2, right - 40].map((x) => line.contains(ownerDocument.elementFromPoint(x, (top + bottom) / 2)));
      });
      expect([await hit.innerText(), ...met]).toEqual([await hit.innerText(), true, true, true]);
    }
  });

  test('shows visitors a sample in their language with placeholders, and says so; the language stays', async () => {
    await page.goto('/docs');
    await page.getByRole('navigation', { name: 'Documentation' }).getByRole('link', { name: 'GET /orders/{id}', exact: true }).click();
    await page.getByRole('heading', { name: 'One order', level: 1 }).waitFor();
    const sample = page.getByRole('complementary', { name: 'Sample' });
    await sample.getByText('The marked names and identifiers are placeholders.').waitFor();
    expect(await sample.locator('pre').innerText()).toContain('curl -sS --cert sandbox.pem \\\n  --key sandbox.key');
    expect(await sample.locator('pre').innerText()).toContain('"https://localhost:8443/v1/orders/ord_…"');
    await sample.getByText('Python', { exact: true }).click();
    await sample.getByText('context.load_cert_chain(').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'POST /link-codes/redeem', exact: true }).click();
    await page.getByRole('heading', { name: 'Exchange a link code for a connection' }).waitFor();
    await sample.getByText('"POST", "/v1/link-codes/redeem"').waitFor();
    await page.reload();
    await sample.getByText('"POST", "/v1/link-codes/redeem"').waitFor();
    expect(await sample.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe(
      '/sign-in?returnTo=%2Fdocs%2Freference%2FredeemLinkCode',
    );
    await sample.getByText('curl', { exact: true }).click();
  });

  test('shows operators a sample with their own values, and their last call of the operation, two clicks from the documentation', async () => {
    const operator = await application.operator();
    const integration = await operator.createIntegration({ publicName: 'Nordlys Tracker' });
    await operator.issuedCertificate(integration);
    const certificate = await operator.issuedCertificate(integration);
    const [client] = await application.rows<{ number: number }>('select number from client where id = $1', [integration.clientId]);
    await writeRequests(application.databaseUrl, { clientNumber: client?.number ?? 0, commonName: integration.commonName, certificate }, [
      { operation: 'getSync', status: 200, occurredAt: new Date(Date.now() - 60_000) },
      { operation: 'getOrder', status: 404, problem: 'not_found' },
    ]);
    const signedIn = await openPageAs(browser, operator);
    const own = signedIn.page;
    await own.goto('/docs');
    await own.getByRole('link', { name: 'GET /orders/{id}', exact: true }).click();
    const sample = own.getByRole('complementary', { name: 'Sample' });
    await sample.getByText(integration.commonName).waitFor();
    expect(await sample.getByLabel('Values of').locator('option').allInnerTexts()).toEqual(['Nordlys Tracker, sandbox']);
    await sample.getByText('404 Not found').waitFor();
    expect(await sample.getByRole('link', { name: 'What not_found means' }).getAttribute('href')).toBe('/problems/not_found');
    expect(await sample.getByRole('link', { name: 'Open in the request log' }).getAttribute('href')).toMatch(
      new RegExp(`^/integrations/${integration.slug}/requests\\?environment=sandbox&request=req_\\w{26}$`),
    );
    await own.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await sample.getByRole('button', { name: 'Copy the sample' }).click();
    const command = await own.evaluate('navigator.clipboard.readText()');
    expect(command).toMatch(
      /^# svc:sandbox:cli_\w{26}\ncurl -sS --cert (sandbox-\d{4}-\d\d(?:-\d+)?)\.pem \\\n {2}--key \1\.key \\\n {2}"https:\/\/localhost:8443\/v1\/orders\/ord_/,
    );
    await keepScreenshot(own, 'docs-own-values');
    await own.getByRole('link', { name: 'GET /capabilities', exact: true }).click();
    await sample.getByText('None in the last 7 days').waitFor();
    expect(await accessibilityFindings(own)).toEqual([]);
    expect(signedIn.complaints).toEqual([]);
    await own.context().close();
  });

  test('says what of the operator could not be read, and reads it again', async () => {
    const operator = await application.operator();
    await operator.createIntegration({ publicName: 'Nordlys Tracker' });
    const { page: own } = await openPageAs(browser, operator);
    await own.addInitScript(stayInBackground);
    let unread = 'query ReaderClients';
    await own.route('**/graphql', (route) => (route.request().postData()?.includes(unread) ? route.abort() : route.continue()));
    await own.goto('/docs/reference/getOrder');
    const sample = own.getByRole('complementary', { name: 'Sample' });
    await sample.getByText('Your integrations could not be read, so the sample has placeholders.').waitFor();
    unread = 'query LastCall';
    await sample.getByRole('button', { name: 'Try again' }).click();
    const last = sample.getByRole('region', { name: 'Your last call' });
    await last.getByText('It could not be read.').waitFor();
    await own.unroute('**/graphql');
    await last.getByRole('button', { name: 'Try again' }).click();
    await last.getByText('None in the last 7 days').waitFor();
    await own.context().close();
  });

  test('describes parameters, answers and problems of an operation, and the forms of an event', async () => {
    await page.goto('/docs/reference/getSync');
    await page.getByRole('heading', { name: 'Parameters' }).waitFor();
    await page.getByText('The next_cursor of the previous page, unchanged.').waitFor();
    // A field stands below the object that it belongs to, and has an address of its own.
    const tombstones = page.getByRole('listitem').and(page.locator('[id="answer-200.tombstones"]'));
    const revocation = tombstones.getByRole('listitem').and(page.locator('[id="answer-200.tombstones.revocation_id"]'));
    expect(await revocation.locator('code').first().innerText()).toBe('revocation_id');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await revocation.getByRole('link', { name: 'Link to “revocation_id”' }).click();
    await page.waitForURL('**/docs/reference/getSync#answer-200.tombstones.revocation_id');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(page.url());
    await page.getByRole('link', { name: 'getVehicle' }).first().click();
    await page.getByRole('heading', { name: 'One stock vehicle' }).waitFor();
    expect(await page.getByRole('link', { name: 'access_ended' }).getAttribute('href')).toBe('/problems/access_ended');
    await page.goto('/docs/reference/events/resource.granted');
    await page.getByRole('heading', { name: 'Payload in full-payload mode' }).waitFor();
    await page.getByRole('main').getByText('"specversion": "1.0"').first().waitFor();
  });

  test.each([1280, 1440])(
    'at %i pixels the example of an answer is beside its fields, in colours, and stays there while they are read',
    async (width) => {
      await page.setViewportSize({ width, height: 900 });
      await page.goto('/docs/reference/getSync');
      const field = page.locator('[id="answer-200.tombstones.revocation_id"]');
      await field.scrollIntoViewIfNeeded();
      const example = page.locator('pre').filter({ hasText: '"tombstones"' });
      const [said, code] = [await field.boundingBox(), await example.boundingBox()];
      expect(said && code && code.x >= said.x + said.width).toBe(true);
      expect(await example.isVisible()).toBe(true);
      expect(code && code.y >= 0 && code.y < 900).toBe(true);
      expect(await example.locator('span[class]').count()).toBeGreaterThan(20);
    },
  );

  test('leads through a guide: its parts beside it, a link to each, and the guides before and after', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto('/docs/syncing');
    const parts = page.getByRole('navigation', { name: 'On this page' });
    await parts.getByRole('link', { name: 'Recovery sync' }).click();
    await page.waitForURL('**/docs/syncing#recovery-sync');
    // The part that is being read is marked: the one that was asked for, and the one that the reader scrolls to.
    const read = (part: string) => parts.locator('a[aria-current="location"]').getByText(part, { exact: true }).waitFor();
    await read('Recovery sync');
    await page.getByRole('heading', { name: 'Tombstones', exact: true }).evaluate((heading) => heading.scrollIntoView());
    await read('Tombstones');
    expect(await parts.locator('[aria-current]').count()).toBe(1);
    await page.evaluate('scrollTo(0, 0)');
    await parts.locator('[aria-current]').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Link to “Tombstones”' }).click();
    await page.waitForURL('**/docs/syncing#tombstones');
    const steps = page.getByRole('navigation', { name: 'Previous and next guide' });
    expect(await steps.getByRole('link').allInnerTexts()).toEqual(['Previous\nQuickstart', 'Next\nSandbox and test data']);
    await steps.getByRole('link', { name: 'Next' }).click();
    await page.getByRole('heading', { name: 'Sandbox and test data', level: 1 }).waitFor();
    await page.setViewportSize({ width: 360, height: 900 });
    // A phone has no keys for it.
    expect(await page.getByRole('button', { name: 'Search the docs' }).locator('kbd').isVisible()).toBe(false);
    await page.getByRole('navigation', { name: 'On this page' }).getByText('On this page').click();
    await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Start over' }).click();
    await page.waitForURL('**/docs/sandbox#start-over');
    await page.getByRole('combobox', { name: 'Page of the documentation' }).selectOption('GET /.well-known/est/cacerts');
    await page.waitForURL('**/docs/reference/getCaCertificates');
  });

  test('shows the open page in the list beside it, which moves by itself, however low the window', async () => {
    await page.setViewportSize({ width: 1280, height: 480 });
    await page.goto('/problems');
    const link = page.getByRole('navigation', { name: 'Documentation' }).getByRole('link', { name: 'All problem codes' });
    await page.getByRole('rowheader', { name: 'scope_required' }).waitFor();
    const { list, shown } = await link.evaluate((anchor) => {
      const nav = anchor.closest('nav');
      return { list: nav?.scrollTop, shown: anchor.getBoundingClientRect().bottom <= (nav?.getBoundingClientRect().bottom ?? 0) };
    });
    expect(list).toBeGreaterThan(0);
    expect(shown).toBe(true);
    expect(await page.evaluate('scrollY')).toBe(0);
  });

  test('explains a problem inside its frame, what to do first, and leads to the guide of it', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto('/problems');
    expect(await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Docs' }).getAttribute('aria-current')).toBe(
      'page',
    );
    await page.getByRole('link', { name: 'rate_limit_exceeded' }).click();
    await page.getByRole('heading', { name: 'Rate limit exceeded', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Search the docs' }).waitFor();
    expect((await page.getByRole('heading', { level: 2 }).allInnerTexts()).slice(0, 2)).toEqual(['What to do', 'What it means']);
    await page.getByRole('main').getByRole('article').getByRole('link', { name: 'Quotas and rate-limit headers' }).waitFor();
    await page.setViewportSize({ width: 360, height: 900 });
    expect(await page.locator('pre').evaluate((pre) => pre.scrollWidth - pre.clientWidth)).toBe(0);
  });

  test('fades an example that goes on below the window', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto('/docs/reference/getSync');
    await page.getByText('"upserts"').first().waitFor();
    const faded = await page.evaluate<string[]>(`[...document.querySelectorAll('main div:has(> div > pre)')]
      .filter((each) => each.scrollHeight > each.clientHeight).map((each) => getComputedStyle(each).maskImage)`);
    expect(faded).toEqual([expect.stringContaining('linear-gradient')]);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test('is copied as Markdown', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/docs/syncing');
    await page.getByRole('button', { name: 'Copy page' }).click();
    await page.getByText('Copied.', { exact: true }).waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toBe(await (await application.browser().fetch('/docs/syncing.md')).text());
    expect(copied).toContain('# Syncing');
  });

  test('is readable without scripts, with links from page to page', async () => {
    const { page: plain } = await openPage(browser, { baseURL: application.portalUrl, javaScriptEnabled: false });
    await plain.goto('/docs/syncing');
    await plain.getByRole('heading', { name: 'Syncing', level: 1 }).waitFor();
    expect(await plain.title()).toBe('Syncing · Operator portal');
    await plain.getByRole('heading', { name: 'Recovery sync' }).waitFor();
    await plain.getByRole('link', { name: 'Changed resources and tombstones' }).click();
    await plain.getByRole('heading', { name: 'Changed resources and tombstones', level: 1 }).waitFor();
    expect(await plain.locator('pre').allInnerTexts()).toContainEqual(expect.stringContaining('connection.request("GET", "/v1/sync")'));
    await plain.context().close();
  });

  test('is not part of what the first page loads', async () => {
    const loaded: string[] = [];
    page.on('response', (response) => {
      if (response.url().endsWith('.js')) loaded.push(response.url());
    });
    await page.goto('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    const scripts = await Promise.all(loaded.map(async (url) => (await application.browser().fetch(new URL(url).pathname)).text()));
    expect(scripts.length).toBeGreaterThan(1);
    for (const script of scripts) expect(script).not.toContain('The commit rule');
  });

  test('says so when there is no such guide', async () => {
    await page.goto('/docs/none');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  });

  test.each(['light', 'dark'] as const)(
    'has no serious accessibility finding in %s colours, and nothing runs over at 360 pixels',
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      for (const path of [
        '/docs',
        '/docs/quickstart',
        '/docs/errors',
        '/docs/reference/acknowledgeRevocation',
        '/problems/rate_limit_exceeded',
      ]) {
        await page.setViewportSize({ width: 1440, height: 900 });
        await page.goto(path);
        await page
          .locator(path === '/docs/errors' ? '#scope_required' : 'main li')
          .first()
          .waitFor();
        // Dark differs from light in its colours alone.
        expect(await accessibilityFindings(page, colorScheme === 'dark' ? ['color-contrast'] : undefined)).toEqual([]);
        await keepScreenshot(page, `${path.slice(1).replaceAll('/', '-')}-${colorScheme}-1440`);
        await page.setViewportSize({ width: 360, height: 900 });
        expect(await overflow(page)).toBe(0);
        await keepScreenshot(page, `${path.slice(1).replaceAll('/', '-')}-${colorScheme}-360`);
      }
    },
    120_000,
  );

  test('nothing on the way broke the content security policy or any script', () => {
    // The browser itself complains of the one guide that is not found.
    expect(watched.complaints).toEqual([expect.stringContaining('404 (Not Found)')]);
  });
});
