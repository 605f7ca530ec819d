import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page, Request } from 'playwright-core';
import { launchBrowser, openPage } from '../support/browser/browser.ts';
import { countQuestions } from '../support/browser/countQuestions.ts';
import { populate, type PopulatedPortal } from '../support/portals/populatedPortal.ts';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';
import { openPageAs } from '../support/browser/signedInBrowser.ts';

const kilobytes = 1_000;
const mostInitialScript = 200 * kilobytes;
/** “Good” is at most 0.1 (web.dev, Cumulative Layout Shift); the portal's pages are to stay still. */
const mostLayoutShift = 0.01;

let application: PortalWorld;
let browser: Browser;
let portal: PopulatedPortal;

beforeAll(async () => {
  [application, browser] = await Promise.all([openWorld({ portal: true }), launchBrowser()]);
  portal = await populate(application);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await application?.close();
});

test('signing in loads at most 200 kB of JavaScript, compressed as it travels', async () => {
  const { page, complaints } = await openPage(browser, { baseURL: application.portalUrl });
  const sizes = new Map<string, number>();
  page.on('requestfinished', (request) => {
    if (request.resourceType() !== 'script') return;
    void request.sizes().then(({ responseBodySize }) => sizes.set(new URL(request.url()).pathname, responseBodySize));
  });
  await page.goto('/sign-in', { waitUntil: 'networkidle' });
  await page.getByRole('button', { name: /passkey/i }).waitFor();
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  expect(sizes.size).toBeGreaterThan(2);
  expect(total).toBeGreaterThan(20 * kilobytes);
  expect(total).toBeLessThanOrEqual(mostInitialScript);
  expect(complaints).toEqual([]);
  await page.context().close();
});

test.each(['br', 'gzip', 'identity'])(
  'scripts come encoded as %s where the browser asks for it, and caches tell them apart',
  async (encoding) => {
    const html = await (await fetch(`${application.portalUrl}/sign-in`)).text();
    const script = /src="(\/assets\/index-[^"]+\.js)"/.exec(html)?.[1] ?? '';
    const answer = await fetch(`${application.portalUrl}${script}`, { headers: { 'accept-encoding': encoding } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding);
    expect(answer.headers.get('content-type')).toMatch(/^text\/javascript|^application\/javascript/);
    expect(answer.headers.get('vary')).toMatch(/accept-encoding/i);
    expect((await answer.text()).length).toBeGreaterThan(10 * kilobytes);
  },
);

type Reader = 'owner' | 'reviewer' | 'administrator';

/** The main pages, each with something to show, and who looks at them. */
const pages: Readonly<Record<string, readonly [as: Reader | null, path: () => string]>> = {
  'the landing page': [null, () => '/'],
  'sign-in': [null, () => '/sign-in'],
  registration: [null, () => '/register'],
  'the guides': [null, () => '/docs'],
  'a guide': [null, () => '/docs/quickstart'],
  'the integrations': ['owner', () => '/integrations'],
  'a new integration': ['owner', () => '/integrations/new'],
  'the inbox': ['owner', () => '/inbox'],
  'an overview': ['owner', () => `/integrations/${portal.slug}`],
  'a sandbox': ['owner', () => `/integrations/${portal.slug}/sandbox`],
  'the certificates': ['owner', () => `/integrations/${portal.slug}/certificates`],
  'the requests': ['owner', () => `/integrations/${portal.slug}/requests`],
  'the requests before the first call': ['owner', () => `/integrations/${portal.submittedSlug}/requests`],
  'the webhooks': ['owner', () => `/integrations/${portal.slug}/webhooks`],
  'an endpoint': ['owner', () => `/integrations/${portal.slug}/webhooks/${portal.endpointId}`],
  'tests of a receiver': ['owner', () => `/integrations/${portal.slug}/webhooks/${portal.endpointId}/test`],
  'a delivery': ['owner', () => `/integrations/${portal.slug}/webhooks/${portal.endpointId}/deliveries/${portal.deliveryId}`],
  'the deletions': ['owner', () => `/integrations/${portal.slug}/deletions`],
  'a profile': ['owner', () => `/integrations/${portal.slug}/profile`],
  'the production page': ['owner', () => `/integrations/${portal.slug}/production`],
  'a review that goes on': ['owner', () => `/integrations/${portal.submittedSlug}/production`],
  'the account': ['owner', () => '/account'],
  'the activity': ['owner', () => '/activity'],
  'the guides, signed in': ['owner', () => '/docs'],
  'a guide, signed in': ['owner', () => '/docs/quickstart'],
  'an operation, signed in': ['owner', () => '/docs/reference/getSync'],
  'the review queue': ['reviewer', () => '/review'],
  'a submission': ['reviewer', () => `/review/${portal.submissionId}`],
  'minor revisions': ['reviewer', () => '/review/revisions'],
  'business models': ['reviewer', () => '/review/business-models'],
  'all operators': ['administrator', () => '/admin/operators'],
  'an operator': ['administrator', () => `/admin/operators/${portal.ownerId}`],
  'all integrations': ['administrator', () => '/admin/integrations'],
  'an integration': ['administrator', () => `/admin/integrations/${portal.slug}`],
  'all certificates': ['administrator', () => '/admin/certificates'],
  'failing endpoints': ['administrator', () => '/admin/webhooks'],
  'the gate': ['administrator', () => '/admin/gate'],
  'the terms': ['administrator', () => '/admin/terms'],
  'the tokens': ['administrator', () => '/admin/tokens'],
  'the jobs': ['administrator', () => '/admin/jobs'],
  'the audit trail': ['administrator', () => '/admin/audit'],
};

/** How far a page moves while it loads, what moved, and the names of the questions that it asks the service until it is read, if it is signed in. */
type Load = Shifts & { readonly asked: readonly string[] | null };
type Shifts = { readonly shift: number; readonly moved: readonly string[] };

/** The loads at each width. */
const loads = new Map<number, Promise<Readonly<Record<string, Load>>>>();

function loadsAt(width: number): Promise<Readonly<Record<string, Load>>> {
  const known = loads.get(width) ?? loadPagesAt(width);
  loads.set(width, known);
  return known;
}

async function loadPagesAt(width: number): Promise<Readonly<Record<string, Load>>> {
  const viewport = { width, height: 800 };
  const found: Record<string, Load> = {};
  const loadPagesOf = async (reader: Reader | null) => {
    const { page } = reader
      ? await openPageAs(browser, portal[reader], { viewport })
      : await openPage(browser, { baseURL: application.portalUrl, viewport });
    // A countdown that goes from "1 day" to "23 hours 59 minutes" takes a line more, which is not what loading moves.
    await page.clock.setFixedTime(new Date());
    await forgetAllBeforeEachLoad(page);
    await countLayoutShifts(page);
    for (const [name, [as, path]] of Object.entries(pages)) {
      if (as !== reader) continue;
      const open = () => openUntilQuiet(page, path());
      const asked = reader ? await countQuestions(page, open) : await open();
      found[name] = { ...(await page.evaluate(() => (globalThis as unknown as { shifts: Shifts }).shifts)), asked };
    }
    await page.context().close();
  };
  // Much of a load is waiting for the network to stay quiet, so all readers look at once.
  await Promise.all(([null, 'owner', 'reviewer', 'administrator'] as const).map(loadPagesOf));
  expect(Object.keys(found).sort()).toEqual(Object.keys(pages).sort());
  return found;
}

test.each([360, 1280])(
  'at %i px nothing on the main pages of operators, reviewers and administrators moves while they load',
  async (width) => {
    const shifts = Object.entries(await loadsAt(width)).map(([name, { shift, moved }]) => ({ name, shift, moved }));
    expect(shifts.filter(({ shift }) => shift > mostLayoutShift)).toEqual([]);
  },
  240_000,
);

/** Pages that ask more: the reader’s clients, then their last call; the integration, then the traffic of its environment. */
const questionsOf: Readonly<Record<string, number>> = {
  'an operation, signed in': 3,
  'an integration': 3,
};

test('opening a page asks the service at most twice: for its frame and for the page', async () => {
  const asked = Object.entries(await loadsAt(1280)).flatMap(([name, load]) => (load.asked ? [[name, load.asked] as const] : []));
  expect(asked.length).toBeGreaterThan(30);
  expect(asked.filter(([name, questions]) => questions.length > (questionsOf[name] ?? 2))).toEqual([]);
}, 240_000);

const tabs = ['Requests', 'Webhooks', 'Certificates', 'Deletions', 'Test data', 'Go live', 'Profile', 'Overview'] as const;

const askedAhead = new Set<string>(['Requests', 'Webhooks', 'Certificates', 'Deletions']);
const isQuestion = (request: Request) => request.url().endsWith('/graphql') && !request.headers()['x-svc-background'];

test('going from tab to tab asks for the integration and the tab, before the click where the tab says what it will ask', async () => {
  const { page } = await openPageAs(browser, portal.owner);
  await page.goto(`/integrations/${portal.slug}`, { waitUntil: 'networkidle' });
  const asked: Record<string, readonly string[]> = {};
  for (const tab of tabs) {
    asked[tab] = await countQuestions(page, async () => {
      const ahead = askedAhead.has(tab) && page.waitForResponse((response) => isQuestion(response.request()));
      await page.getByRole('navigation', { name: 'Integration' }).getByRole('link', { name: tab }).hover();
      if (ahead) await (await ahead).finished();
      await changeTo(page, tab);
    });
  }
  const others = Object.values(asked).map((questions) => questions.filter((name) => name !== 'Integration'));
  expect(Object.values(asked).map(({ length }) => length)).toEqual(tabs.map(() => 2));
  expect(others.map(({ length }) => length)).toEqual(tabs.map(() => 1));
  await page.context().close();
});

test('resting on a tab that has been open asks for nothing, and on another one for what it shows', async () => {
  const { page } = await openPageAs(browser, portal.owner);
  await page.clock.install();
  await page.goto(`/integrations/${portal.slug}/requests?environment=production`, { waitUntil: 'networkidle' });
  const asked: string[] = [];
  page.on('request', (request) => isQuestion(request) && asked.push((request.postDataJSON() as { operationName: string }).operationName));
  const restOn = async (tab: string) => {
    await page.getByRole('navigation', { name: 'Integration' }).getByRole('link', { name: tab }).hover();
    await page.clock.runFor(100);
  };
  await restOn('Requests');
  const other = page.waitForRequest((request) => isQuestion(request) && (request.postData() ?? '').includes('WebhookEndpoints'));
  await restOn('Webhooks');
  await other;
  expect(asked.filter((name) => name !== 'Integration')).toEqual(['WebhookEndpoints']);
  await page.context().close();
});

test.each([
  ['Reports', 'BusinessModelReports'],
  ['Minor revisions', 'MinorRevisions'],
])('resting on the reviewers’ list of %s asks for it before the click', async (tab, question) => {
  const { page } = await openPageAs(browser, portal.reviewer);
  await page.goto('/review', { waitUntil: 'networkidle' });
  const asked = page.waitForRequest((request) => isQuestion(request) && (request.postData() ?? '').includes(question));
  await page.getByRole('navigation', { name: 'Reviews' }).getByRole('link', { name: tab }).hover();
  await asked;
  expect(new URL(page.url()).pathname).toBe('/review');
  await page.context().close();
});

test('the scripts of an integration’s tabs are loaded while its reader looks, but not for one who saves data', async () => {
  const isScriptOfTab = (url: string) =>
    /Integration(?:Certificates|Deletions|Production|Profile|Requests|Sandbox|Webhooks)Page-.*\.js$/.test(url);
  const tabsLoaded = async (savesData: boolean) => {
    const { page } = await openPageAs(browser, portal.owner, { savesData });
    await page.clock.install();
    const scripts: string[] = [];
    page.on('request', (request) => isScriptOfTab(request.url()) && scripts.push(request.url()));
    const last = savesData ? null : page.waitForRequest(/IntegrationProfilePage-.*\.js$/);
    await page.goto(`/integrations/${portal.slug}`, { waitUntil: 'networkidle' });
    await page.clock.runFor(1_000);
    await last;
    await page.evaluate('document.title');
    await page.context().close();
    return scripts.length;
  };
  expect(await tabsLoaded(false)).toBe(7);
  expect(await tabsLoaded(true)).toBe(0);
});

async function changeTo(page: Page, tab: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Integration' }).getByRole('link', { name: tab }).click();
  await page.locator(`nav[aria-label=Integration] a[aria-current=page]`, { hasText: tab }).waitFor();
  await page.waitForLoadState('networkidle');
}

/** Each load is a first visit's: nothing is cached or stored but the session. One page does them all, because a new one costs as much as two loads. */
async function forgetAllBeforeEachLoad(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await page.addInitScript("if (location.protocol !== 'about:') [localStorage, sessionStorage].forEach((each) => each.clear())");
}

/** Sums up the layout shifts of each load (Layout Instability API) and keeps what moved, so that a failure names it. */
async function countLayoutShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: { shift: number; moved: string[] } = { shift: 0, moved: [] };
    Object.assign(globalThis, { shifts });
    // The types of this project are Node's, whose observers know nothing of layout.
    type Rect = { readonly y: number; readonly height: number };
    type Source = { node: { nodeName: string; textContent: string | null } | null; previousRect: Rect; currentRect: Rect };
    type Entry = PerformanceEntry & { value: number; sources: readonly Source[] };
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as Entry[]) {
        shifts.shift += value;
        for (const { node, previousRect, currentRect } of sources) {
          const words = (node?.textContent ?? '').slice(0, 60);
          shifts.moved.push(
            `${node?.nodeName ?? 'gone'} "${words}" from ${previousRect.y} to ${currentRect.y}, ${currentRect.height} high`,
          );
        }
      }
    }).observe({ type: 'layout-shift' as 'measure', buffered: true });
  });
}

async function openUntilQuiet(page: Page, path: string): Promise<null> {
  await page.goto(path, { waitUntil: 'networkidle' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  return null;
}
