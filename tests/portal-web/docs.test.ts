import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { parse } from 'yaml';
import { guides } from '../../portal-web/src/features/docs/guides.ts';
import { withAddresses } from '../../portal-web/src/features/docs/withAddresses.ts';
import { anchorOf, parseMarkdown, type MarkdownNode } from '../../portal-web/src/features/markdown/parseMarkdown.ts';
import { errorCatalogue } from '../../server/domain/shared/errorCatalogue.ts';
import { limits } from '../../server/domain/shared/limits.ts';
import { webhookEventTypes } from '../../server/domain/webhook/eventTypes.ts';
import { allScopes } from '../../server/domain/shared/scopes.ts';
import { accessibilityFindings, launchBrowser, openPage, type WatchedPage } from '../support/browser/browser.ts';
import { keepScreenshot } from '../support/browser/keepScreenshot.ts';
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
      expect(Object.keys(contract.paths)).toContain(`/v1${path.replace('rev_…', '{revocation_id}')}`);
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
      'redemptions from one source address': `${limits.linkCodeRedemptionsPerIpPer15Minutes} in 15 minutes`,
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
    const facts = { machineApiUrl: 'https://api.example/v1', portalUrl: 'https://portal.example' };
    for (const text of sources.values()) expect(withAddresses(text, facts)).not.toMatch(/\{(base|portal)_url\}/);
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
    page.setDefaultTimeout(15_000);
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
    for (const { title } of guides) await page.getByRole('link', { name: title, exact: true }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'YAML' }).waitFor();
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
      for (const path of ['/docs', '/docs/quickstart', '/docs/errors']) {
        await page.setViewportSize({ width: 1440, height: 900 });
        await page.goto(path);
        await page
          .locator(path === '/docs/errors' ? '#scope_required' : 'main li')
          .first()
          .waitFor();
        // Dark differs from light in its colours alone.
        expect(await accessibilityFindings(page, colorScheme === 'dark' ? ['color-contrast'] : undefined)).toEqual([]);
        await keepScreenshot(page, `${path.slice(1).replace('/', '-')}-${colorScheme}-1440`);
        await page.setViewportSize({ width: 360, height: 900 });
        expect(await overflow(page)).toBe(0);
        await keepScreenshot(page, `${path.slice(1).replace('/', '-')}-${colorScheme}-360`);
      }
    },
    120_000,
  );

  test('nothing on the way broke the content security policy or any script', () => {
    // The browser itself complains of the one guide that is not found.
    expect(watched.complaints).toEqual([expect.stringContaining('404 (Not Found)')]);
  });
});
