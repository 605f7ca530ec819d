import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { allProfileFields, typedInto } from '../../server/domain/integration/profile/profileFields.ts';
import {
  accessibilityFindings,
  addVirtualAuthenticator,
  launchBrowser,
  openPage,
  stayInBackground,
  untilPainted,
  type WatchedPage,
} from '../support/browser/browser.ts';
import { keepScreenshot } from '../support/browser/keepScreenshot.ts';
import { populate, type PopulatedPortal } from '../support/portals/populatedPortal.ts';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';
import { profileRevision, type PortalClient } from '../support/clients/portalClient.ts';
import { routePatterns } from '../support/browser/routeTable.ts';
import { openPageAs } from '../support/browser/signedInBrowser.ts';
import { overflow } from '../support/browser/overflow.ts';
import { brokenNames, buttonHeights, faintButtons, strayCorners, strayType } from '../support/browser/typeScale.ts';
import { unreachedByTab } from '../support/browser/keyboard.ts';

type Reader = 'visitor' | 'newcomer' | 'owner' | 'behind' | 'reviewer' | 'administrator';
type Visit = {
  readonly as: Reader;
  /** The address, where it is not the route itself. */
  readonly at?: (portal: PopulatedPortal) => string;
  readonly heading: string;
  /** Words that stand there once everything is read. */
  readonly shows: string | RegExp;
  /** What is done before the page is there. */
  readonly first?: (page: Page) => Promise<void>;
};

const ofIntegration = (tab: string) => (portal: PopulatedPortal) => `/integrations/${portal.slug}${tab}`;

/** Written by hand: every route with a reader and an address at which it has something to show. */
const visits: Readonly<Record<string, Visit>> = {
  '/': { as: 'visitor', heading: 'Build on order data that people choose to share', shows: 'Register' },
  '/register': { as: 'visitor', heading: 'Register', shows: 'Send the link' },
  '/verify': { as: 'visitor', at: () => '/verify#token=abc', heading: 'Confirm your address', shows: 'Confirm this address' },
  '/confirm-address': {
    as: 'visitor',
    at: () => '/confirm-address#token=abc',
    heading: 'Confirm the change of address',
    shows: 'Confirm from this address',
  },
  '/account-deleted': { as: 'visitor', heading: 'Your account has been deleted', shows: 'register again' },
  '/enrol': { as: 'newcomer', heading: 'Create a passkey', shows: 'Passkey name' },
  '/recovery-codes': {
    as: 'newcomer',
    at: () => '/enrol',
    heading: 'Save your recovery codes',
    shows: 'I have saved them',
    first: async (page) => {
      await page.getByLabel('Passkey name').fill('Test laptop');
      await page.getByRole('button', { name: 'Create passkey' }).click();
    },
  },
  '/sign-in': { as: 'visitor', heading: 'Sign in', shows: 'Sign in with a passkey' },
  '/recover': { as: 'visitor', heading: 'Recover your account', shows: 'Use this code' },
  '/docs': { as: 'visitor', heading: 'Documentation', shows: 'API reference' },
  '/docs/:guide': { as: 'visitor', at: () => '/docs/quickstart', heading: 'Quickstart', shows: 'For each thing that is wrong' },
  '/docs/reference': { as: 'visitor', heading: 'API reference', shows: 'Problems of every call' },
  '/docs/reference/:operation': {
    as: 'visitor',
    at: () => '/docs/reference/getSync',
    heading: 'Changed resources and tombstones',
    shows: 'updated_since',
  },
  '/docs/reference/events/:type': {
    as: 'visitor',
    at: () => '/docs/reference/events/resource.granted',
    heading: 'resource.granted',
    shows: 'Payload in full-payload mode',
  },
  '/problems': { as: 'visitor', heading: 'Problems', shows: 'access_ended' },
  '/problems/:code': { as: 'visitor', at: () => '/problems/rate_limit_exceeded', heading: 'Rate limit exceeded', shows: 'What to do' },
  '/terms/:version': { as: 'visitor', at: () => '/terms/2', heading: 'Integration Terms', shows: 'Still' },
  '/integrations': { as: 'owner', heading: 'Integrations', shows: 'Order Board' },
  '/inbox': { as: 'owner', heading: 'Inbox', shows: 'News' },
  '/integrations/new': { as: 'owner', heading: 'New integration', shows: 'Plan for the reviewers' },
  '/account': { as: 'owner', heading: 'Account', shows: 'Delete' },
  '/accept-terms': { as: 'behind', heading: 'Accept version 2 of the Integration Terms', shows: 'Version 1' },
  '/review': { as: 'reviewer', at: () => '/review?tab=waitingForOwner', heading: 'Review', shows: 'Order Board' },
  '/review/revisions': { as: 'reviewer', heading: 'Review', shows: 'support@example.com' },
  '/review/business-models': { as: 'reviewer', heading: 'Review', shows: 'We will show adverts from May on.' },
  '/review/:id': {
    as: 'reviewer',
    at: ({ submissionId }) => `/review/${submissionId}`,
    heading: 'Order Board',
    shows: 'Version 1 when it was submitted. The owner has accepted version 2 since.',
  },
  '/activity': { as: 'owner', heading: 'Activity', shows: 'Integration created' },
  '/admin/': { as: 'administrator', at: () => '/admin', heading: 'Service', shows: /jobs? failed$/ },
  '/admin/operators': { as: 'administrator', heading: 'Operators', shows: /^2$/ },
  '/admin/operators/:id': {
    as: 'administrator',
    at: ({ ownerId }) => `/admin/operators/${ownerId}`,
    heading: 'the owner’s address',
    shows: 'Nordlys Tracker',
  },
  '/admin/integrations': { as: 'administrator', heading: 'Integrations of all operators', shows: 'Nordlys Tracker' },
  '/admin/integrations/:slug': {
    as: 'administrator',
    at: ({ slug }) => `/admin/integrations/${slug}`,
    heading: 'Nordlys Tracker',
    shows: 'Requests per hour: 1,200',
  },
  '/admin/certificates': { as: 'administrator', heading: 'Certificates of all operators', shows: 'Nordlys Tracker' },
  '/admin/webhooks': { as: 'administrator', heading: 'Failing webhook endpoints', shows: 'backup.example.com' },
  '/admin/terms': { as: 'administrator', heading: 'Integration Terms', shows: 'Version 2: Integration Terms' },
  '/admin/gate': { as: 'administrator', heading: 'Production gate', shows: 'The rollout begins.' },
  '/admin/tokens': { as: 'administrator', heading: 'Service tokens', shows: 'Order feed' },
  '/admin/jobs': { as: 'administrator', heading: 'Failed jobs', shows: /^25 of 25 attempts/ },
  '/admin/audit': { as: 'administrator', heading: 'Audit trail', shows: 'Terms published' },
  '/integrations/:slug/': { as: 'owner', at: ofIntegration(''), heading: 'Nordlys Tracker', shows: /^History/ },
  '/integrations/:slug/sandbox': { as: 'owner', at: ofIntegration('/sandbox'), heading: 'Nordlys Tracker', shows: /^ord_/ },
  '/integrations/:slug/certificates': {
    as: 'owner',
    at: ofIntegration('/certificates'),
    heading: 'Nordlys Tracker',
    shows: 'New certificate',
  },
  '/integrations/:slug/requests': {
    as: 'owner',
    at: ofIntegration('/requests?environment=sandbox'),
    heading: 'Nordlys Tracker',
    shows: 'GET /v1/sync',
  },
  '/integrations/:slug/webhooks': {
    as: 'owner',
    at: ofIntegration('/webhooks'),
    heading: 'Nordlys Tracker',
    shows: 'https://hooks.example.com/orders?from=svc',
  },
  '/integrations/:slug/webhooks/:endpointId': {
    as: 'owner',
    at: (portal) => `/integrations/${portal.slug}/webhooks/${portal.endpointId}`,
    heading: 'Nordlys Tracker',
    shows: 'Half of all answers take this or less (p50)',
  },
  '/integrations/:slug/webhooks/:endpointId/test': {
    as: 'owner',
    at: (portal) => `/integrations/${portal.slug}/webhooks/${portal.endpointId}/test`,
    heading: 'Nordlys Tracker',
    shows: 'Check the receiver',
  },
  '/integrations/:slug/webhooks/:endpointId/deliveries/:deliveryId': {
    as: 'owner',
    at: (portal) => `/integrations/${portal.slug}/webhooks/${portal.endpointId}/deliveries/${portal.deliveryId}`,
    heading: 'Nordlys Tracker',
    shows: 'Check its signature',
  },
  '/integrations/:slug/deletions': { as: 'owner', at: ofIntegration('/deletions'), heading: 'Nordlys Tracker', shows: /^con_/ },
  '/integrations/:slug/profile': { as: 'owner', at: ofIntegration('/profile'), heading: 'Nordlys Tracker', shows: 'Version 3' },
  '/integrations/:slug/kit': { as: 'owner', at: ofIntegration('/kit'), heading: 'Nordlys Tracker', shows: 'data-svc-attribution' },
  '/integrations/:slug/production': {
    as: 'owner',
    at: ofIntegration('/production'),
    heading: 'Nordlys Tracker',
    shows: 'Get a production certificate',
  },
  '*': { as: 'visitor', at: () => '/no/such/page', heading: 'Page not found', shows: 'the home page' },
};

/** The owner's pages as administrators look at them. */
const lookedAt = /^\/admin\/integrations\/:slug\//;

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

test('every route of the portal’s router is visited', () => {
  expect(routePatterns().length).toBeGreaterThan(30);
  // Administrators look at the owner's own pages below an address of theirs, which a test of its own opens.
  const patterns = routePatterns().filter((pattern) => !lookedAt.test(pattern));
  expect(Object.keys(visits).sort()).toEqual(patterns.sort());
});

const pictures: Readonly<Record<string, string>> = { '/': 'landing', '*': 'not-found' };

/** The name of a page’s picture, as in “page-integrations-slug-requests”. */
function pictureOf(pattern: string): string {
  return `page-${pictures[pattern] ?? (pattern.match(/[a-z]+/gi) ?? []).join('-')}`;
}

test('each page has a picture of its own', () => {
  const names = Object.keys(visits).map(pictureOf);
  expect(names.filter((name, place) => names.indexOf(name) !== place || name === 'page-')).toEqual([]);
});

async function readerOf(as: Reader): Promise<PortalClient | null> {
  if (as === 'visitor') return null;
  if (as !== 'newcomer') return portal[as];
  const newcomer = application.browser();
  await newcomer.beginEnrolment();
  return newcomer;
}

async function openFor(as: Reader): Promise<WatchedPage> {
  const reader = await readerOf(as);
  const watched = reader ? await openPageAs(browser, reader) : await openPage(browser, { baseURL: application.portalUrl });
  await addVirtualAuthenticator(watched.page);
  return watched;
}

/** A page of each reader's that the next visit takes over: opening one costs as much as looking at it. */
const waiting = new Map<Reader, WatchedPage>();

async function takePageOf(as: Reader): Promise<WatchedPage> {
  const watched = as === 'newcomer' ? undefined : waiting.get(as);
  waiting.delete(as);
  return watched ?? openFor(as);
}

async function leavePageTo(as: Reader, watched: WatchedPage): Promise<void> {
  if (as === 'newcomer') await watched.page.context().close();
  else waiting.set(as, watched);
}

const headingNow = (page: Page) => page.getByRole('heading', { level: 1 });

async function settled(page: Page, { shows }: Visit): Promise<void> {
  await page.getByText(shows).first().waitFor();
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
}

/** The tables that are lists of their rows on a tablet, where all have room, that are none on a phone, where none has, or that run over their place. */
const strayTables = (page: Page, width: number) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('main table[role="table"]')]
    .filter((each) => each.checkVisibility())
    .filter((each) => (getComputedStyle(each).display === 'table') !== (${width} >= 768) || each.scrollWidth > each.parentElement.clientWidth)
    .map((each) => each.caption.textContent)`);

/** The times and the buttons in the cells of tables whose words stand on two lines. Lists of rows have room for them. */
const brokenCells = (page: Page) =>
  page.evaluate<string[]>(`{
    const lines = (each) => each.getBoundingClientRect().height / parseFloat(getComputedStyle(each).lineHeight);
    [...document.querySelectorAll('main td > time, main td[data-actions] .mantine-Button-label')]
      .filter((each) => getComputedStyle(each.closest('table')).display === 'table' && lines(each) > 1.75)
      .map((each) => each.textContent);
  }`);

/** Frames within frames, by their names: what is framed stands on the page itself. */
const framesInFrames = (page: Page) =>
  page.evaluate<string[]>(`{
    const isFramed = (each) => {
      const { borderTopWidth, borderLeftWidth, borderTopStyle, borderTopLeftRadius } = getComputedStyle(each);
      return parseFloat(borderTopWidth) > 0 && parseFloat(borderLeftWidth) > 0 && borderTopStyle === 'solid' && parseFloat(borderTopLeftRadius) > 0;
    };
    const frames = [...document.querySelectorAll('main :is(section, article)')].filter((each) => each.checkVisibility() && isFramed(each));
    frames.filter((each) => frames.some((other) => other !== each && other.contains(each))).map((each) => each.innerText.slice(0, 60));
  }`);

/** Dark differs from light in its colours alone, so only they are looked at there. */
async function looksRight(page: Page, name: string): Promise<void> {
  const look = async (colorScheme: 'light' | 'dark', width: number, ...rules: [only?: string[], always?: string[]]) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 900 });
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
    expect([width, await accessibilityFindings(page, ...rules)]).toEqual([width, []]);
    expect([colorScheme, await faintButtons(page)]).toEqual([colorScheme, []]);
    await keepScreenshot(page, `${name}-${colorScheme}-${width}`);
  };
  for (const width of [1600, 768, 360, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect([width, await overflow(page)]).toEqual([width, 0]);
    expect([width, await strayType(page)]).toEqual([width, []]);
    expect([width, await strayCorners(page)]).toEqual([width, []]);
    expect([width, await brokenNames(page)]).toEqual([width, []]);
    expect([width, await strayTables(page, width)]).toEqual([width, []]);
    expect([width, await brokenCells(page)]).toEqual([width, []]);
    expect([30, 36]).toEqual(expect.arrayContaining(await buttonHeights(page)));
  }
  expect(await framesInFrames(page)).toEqual([]);
  // A circle of dashes would say that something is under way.
  expect(await page.locator('main :is(.tabler-icon-circle-dashed, .tabler-icon-progress)').count()).toBe(0);
  await look('light', 1280, undefined, ['heading-order', 'landmark-unique']);
  await look('dark', 360, ['color-contrast', 'link-in-text-block']);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 1280, height: 900 });
}

/** The pages that are nothing but a form, whose reader types next. */
const beginWithAField: ReadonlySet<string> = new Set(['/register', '/integrations/new']);

/** Goes on to another page by a link and comes back, all without reloading the document. `begins`: what has the focus on this page. */
async function movesFocus(page: Page, heading: string, begins: 'H1' | 'INPUT'): Promise<void> {
  const footer = page.getByRole('contentinfo').getByRole('link', { name: 'Documentation' });
  const inBanner = (name: string) => page.getByRole('banner').getByRole('link', { name });
  // A page that is as tall as the window has no footer.
  const onwards = (await footer.isVisible()) ? footer : inBanner('Docs');
  const link = heading === 'Documentation' ? inBanner('Operator portal') : onwards;
  await link.click();
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor({ state: 'detached' });
  await headingNow(page).waitFor();
  expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
  expect(await page.evaluate('document.activeElement.tagName')).toBe(begins);
}

test.each(Object.entries(visits))(
  '%s has a title, one heading that takes the focus unless a field does, room and the theme’s type and buttons at every width, a way for the keyboard to every control, and no serious accessibility finding',
  async (pattern, visit) => {
    const watched = await takePageOf(visit.as);
    const { page, complaints } = watched;
    await page.goto(visit.at?.(portal) ?? pattern);
    await visit.first?.(page);
    const heading = pattern === '/admin/operators/:id' ? portal.owner.email : visit.heading;
    await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
    await settled(page, visit);
    expect(await page.title()).toMatch(/^\S.* · Operator portal$/);
    expect(await headingNow(page).count()).toBe(1);
    expect(await page.getByRole('main').count()).toBe(1);
    await looksRight(page, pictureOf(pattern));
    expect(await unreachedByTab(page)).toEqual([]);
    await movesFocus(page, heading, beginWithAField.has(pattern) ? 'INPUT' : 'H1');
    await settled(page, visit);
    expect(await headingNow(page).count()).toBe(1);
    // An unknown path is answered 404, with the page that says so; the browser notes the status.
    const expected = pattern === '*' ? [expect.stringContaining('404 (Not Found)')] : [];
    expect(complaints.splice(0)).toEqual(expected);
    await leavePageTo(visit.as, watched);
  },
  120_000,
);

/** What stands on an owner's page once it is read, where it is not what its owner waits for. */
const shownToLooker: Readonly<Record<string, Pick<Visit, 'at' | 'shows'>>> = {
  certificates: { at: ofIntegration('/certificates?environment=sandbox'), shows: 'Last call' },
  webhooks: { at: ofIntegration('/webhooks'), shows: 'Last success' },
  'webhooks/:endpointId/deliveries/:deliveryId': { shows: 'are for the owner alone' },
};
/** What copies, narrows, turns or opens something. Each other button is an act. */
const harmless =
  /^(Copy |Actions for |Details of |Download |Show |Sort |Filter|Next|Previous|Older|Newer|Clear |All$|Dead letters$|What to do: )/;
const buttonsNow = (page: Page) =>
  page.evaluate<string[]>(
    "[...document.querySelectorAll('main button')].filter((each) => each.checkVisibility()).map((each) => each.ariaLabel ?? each.innerText)",
  );

test('an administrator who looks as the owner finds no act on any tab', async () => {
  const { page, complaints } = await openFor('administrator');
  const found: Record<string, readonly string[]> = {};
  const patterns = routePatterns().filter((pattern) => lookedAt.test(pattern));
  expect(patterns.length).toBeGreaterThan(8);
  for (const pattern of patterns) {
    const tab = pattern.replace(lookedAt, '');
    const visit = { ...visits[`/integrations/:slug/${tab}`], ...shownToLooker[tab] } as Visit;
    await page.goto(`/admin${visit.at?.(portal)}`);
    await page.getByRole('note').getByText('You see this page as its owner sees it.').waitFor();
    // One row of tabs, those of the integration.
    expect([tab, await page.getByRole('navigation', { name: 'Administration' }).count()]).toEqual([tab, 0]);
    await settled(page, visit);
    found[tab] = (await buttonsNow(page)).filter((name) => !harmless.test(name));
    expect([tab, await page.locator('main form, main [aria-label^="Choose "], main a[href$="/test"]').count()]).toEqual([tab, 0]);
    const menu = page.getByRole('button', { name: /^Actions for / }).first();
    if (!(await menu.isVisible())) continue;
    await menu.click();
    await page.getByRole('menuitem').first().waitFor();
    const items = await page.getByRole('menuitem').allInnerTexts();
    expect([tab, items.filter((item) => !harmless.test(item))]).toEqual([tab, []]);
    await page.keyboard.press('Escape');
  }
  await page.goto(`/admin/integrations/${portal.submittedSlug}/production`);
  await page.getByRole('heading', { name: 'Answer the reviewers' }).waitFor();
  found['a review'] = (await buttonsNow(page)).filter((name) => !harmless.test(name));
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((tab) => [tab, []])));
  expect(complaints).toEqual([]);
  await page.context().close();
}, 120_000);

test('the check of accessibility finds headings out of order, landmarks of one name and unreadable colours, in light and in dark', async () => {
  const { page } = await openFor('visitor');
  await page.goto('/terms/2');
  await page.getByText('Still').first().waitFor();
  await page.evaluate(`
    document.body.append(document.createElement('h5'), document.createElement('nav'), document.createElement('nav'));
    document.querySelector('h5').textContent = 'Too deep';
    document.querySelector('h5').style.color = 'light-dark(#eee, #222)';
  `);
  const found = async (...rules: [only?: string[], always?: string[]]) =>
    (await accessibilityFindings(page, ...rules)).map((finding) => finding.split(':', 1)[0]);
  expect(await found()).toEqual(['color-contrast']);
  expect(await found(undefined, ['heading-order', 'landmark-unique'])).toEqual(['color-contrast', 'heading-order', 'landmark-unique']);
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
  expect(await found(['color-contrast', 'link-in-text-block'])).toEqual(['color-contrast']);
  await page.context().close();
}, 60_000);

test('a reader who prefers reduced motion sees all colours change at once', async () => {
  const { page } = await openFor('visitor');
  await page.goto('/docs/quickstart');
  await page.getByText('For each thing that is wrong').first().waitFor();
  await page.evaluate("globalThis.moved = 0; addEventListener('transitionrun', () => (moved += 1))");
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
  await page.evaluate(untilPainted);
  expect(await page.evaluate('moved')).toBe(0);
  await page.context().close();
}, 60_000);

test('a reader who types into a filter on the page that was opened first keeps the focus in it', async () => {
  const { page, complaints } = await openFor('administrator');
  await page.goto('/admin/integrations');
  const field = page.getByRole('textbox', { name: 'Search' });
  await field.pressSequentially('nordlys');
  await page.waitForURL('**/admin/integrations?search=nordlys');
  await page.getByRole('table', { name: 'Integrations' }).getByText('order-board').waitFor({ state: 'detached' });
  expect(await page.evaluate('document.activeElement.tagName')).toBe('INPUT');
  expect(await field.inputValue()).toBe('nordlys');
  expect(complaints).toEqual([]);
  await page.context().close();
}, 60_000);

test('a page opened by its address begins at its top, and Back finds the place where it was left', async () => {
  const { page, complaints } = await openFor('visitor');
  const scrolled = async () => Number(await page.evaluate('Math.round(scrollY)'));
  await page.goto('/docs/syncing');
  await page.getByRole('heading', { name: 'Recovery sync' }).waitFor();
  await page.evaluate('scrollTo(0, 900)');
  await page.goto('/docs/errors');
  await page.getByRole('rowheader', { name: 'link_code_not_redeemable' }).waitFor();
  expect(await scrolled()).toBe(0);
  await page.evaluate('scrollTo(0, 700)');
  await page.getByRole('navigation', { name: 'Documentation' }).getByRole('link', { name: 'Quotas' }).click();
  await page.getByRole('heading', { name: 'Staying within the limits' }).waitFor();
  expect(await scrolled()).toBe(0);
  await page.goBack();
  await page.getByRole('rowheader', { name: 'link_code_not_redeemable' }).waitFor();
  expect(await scrolled()).toBe(700);
  expect(complaints).toEqual([]);
  await page.context().close();
}, 60_000);

test('a reader who has turned to the next page of a list finds it again after another page and Back, and a new visit begins with the first page', async () => {
  const slug = 'eleven-versions';
  const { data } = await portal.owner.tryCreateIntegration({ slug, termsVersion: 2 });
  const id = data?.id ?? '';
  for (let version = 1; version <= 10; version += 1) {
    await portal.owner.must('reviseProfile', { input: profileRevision(id, version, { purpose: `Purpose ${version}.` }) });
  }
  const { page, complaints } = await openFor('owner');
  const versions = page.getByRole('article', { name: /^Version/ });
  const unfold = () => page.locator('summary').filter({ hasText: 'Version history' }).click();
  await page.goto(`/integrations/${slug}/profile`);
  await unfold();
  await versions.nth(9).waitFor();
  expect(await versions.count()).toBe(10);
  const oldest = page.getByRole('article', { name: 'Version 1', exact: true });
  await page.getByRole('link', { name: 'Next page' }).click();
  await oldest.waitFor();
  // Readers who turn the page with the keyboard or a screen reader go on at its beginning.
  await page.locator('[role="group"][aria-label="Versions, page 2"]:focus').waitFor();
  const linked = page.url();
  await page.getByRole('navigation', { name: 'Integration' }).getByRole('link', { name: 'Go live' }).click();
  await page.getByText('What we look for in your sandbox').waitFor();
  await page.goBack();
  await oldest.waitFor();
  await page.reload();
  await oldest.waitFor();
  await page.getByRole('group', { name: 'Versions, page 2' }).waitFor();
  expect(await page.getByRole('link', { name: 'First page' }).count()).toBe(1);
  await page.getByRole('link', { name: 'Previous page' }).click();
  await versions.nth(9).waitFor();
  expect(await versions.count()).toBe(10);
  // An edit of the profile survives turning pages, also when a page cannot be read.
  await page.reload();
  await unfold();
  await page.getByRole('button', { name: 'Edit profile' }).click();
  await page.getByRole('textbox', { name: 'Purpose' }).fill('Being written.');
  await page.evaluate(stayInBackground);
  await page.route('**/graphql', (route) =>
    route.request().postData()?.includes('"after":"')
      ? route.fulfill({ json: { errors: [{ message: 'No.', extensions: { code: 'INTERNAL_SERVER_ERROR' } }] } })
      : route.fallback(),
  );
  await page.getByRole('link', { name: 'Next page' }).click();
  await page.getByText('Something went wrong on our side.').waitFor();
  expect(await versions.count()).toBe(10);
  await page.unroute('**/graphql');
  await page.getByRole('button', { name: 'Try again' }).click();
  await oldest.waitFor();
  expect(await page.getByRole('textbox', { name: 'Purpose' }).inputValue()).toBe('Being written.');
  await page.getByRole('link', { name: 'First page' }).click();
  await versions.nth(9).waitFor();
  // A reader who was sent the page has no way back to pages that they have not seen, but one to the beginning.
  await page.goto(linked);
  await oldest.waitFor();
  expect(await page.getByRole('link', { name: 'Previous page' }).count()).toBe(0);
  await page.getByRole('link', { name: 'First page' }).click();
  await versions.nth(9).waitFor();
  await page.getByRole('navigation', { name: 'Integration' }).getByRole('link', { name: 'Go live' }).click();
  await page.getByText('What we look for in your sandbox').waitFor();
  await page.getByRole('link', { name: 'Profile', exact: true }).click();
  await unfold();
  await versions.nth(9).waitFor();
  expect(await versions.count()).toBe(10);
  expect(complaints).toEqual([]);
  await page.context().close();
}, 60_000);

/** Columns with what people write, and how much of it is allowed. */
test('the pages of a profile show what is in each of its fields', async () => {
  const samples = { line: 'The NAME', paragraphs: 'The NAME', email: 'NAME@own.example', url: 'https://own.example/NAME' };
  const own = allProfileFields.flatMap((field) => {
    const typed = typedInto(field);
    return typed ? [{ field, as: typed.as, value: samples[typed.as].replace('NAME', field.toLowerCase()) }] : [];
  });
  const columns = own.map(({ field, value }) => `${field.replaceAll(/[A-Z]/g, '_$&').toLowerCase()} = '${value}'`);
  await application.rows(`update profile_version set ${columns.join(', ')}`);
  const missing = async (as: Reader, pattern: string, shown: typeof own) => {
    const { page } = await openFor(as);
    await page.goto(visits[pattern]?.at?.(portal) ?? '');
    await page.getByRole('heading', { level: 1, name: own.find(({ field }) => field === 'publicName')?.value ?? '' }).waitFor();
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
    const text = await page.locator('body').textContent();
    await page.context().close();
    return shown.filter(({ value }) => !text?.includes(value)).map(({ field }) => `${pattern} has to show ${field}`);
  };
  const contacts = own.filter(({ field, as }) => as === 'email' || field === 'legalOperatorName');
  expect([
    ...(await missing('owner', '/integrations/:slug/profile', own)),
    ...(await missing('reviewer', '/review/:id', own)),
    ...(await missing('administrator', '/admin/integrations/:slug', contacts)),
  ]).toEqual([]);
}, 60_000);

const writtenByPeople: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  profile_version: {
    public_name: 60,
    public_description: 500,
    purpose: 1000,
    legal_operator_name: 120,
    website_url: 400,
    privacy_policy_url: 400,
  },
  passkey: { name: 60 },
  webhook_endpoint: { url: 400, description: 200, pause_reason: 500 },
  webhook_attempt: { response: 400 },
  service_token: { name: 100 },
  service_gate: { reason: 500 },
  integration: { status_reason: 500, production_gate_reason: 500 },
  quota_override: { reason: 500 },
  business_model_report: { description: 500 },
  commercial_agreement: { reference: 100, summary: 500 },
  review_submission: { decision_notes: 500, review_url: 400 },
  review_verdict: { note: 500 },
  review_message: { body: 500 },
  terms_version: { title: 100, markdown: 500 },
};

/** Makes every text that people write one long word. */
async function writeLongWords(): Promise<void> {
  for (const [table, columns] of Object.entries(writtenByPeople)) {
    const changes = Object.entries(columns).map(([column, length]) => {
      const start = column.endsWith('_url') ? 'https://example.com/' : '';
      return `${column} = case when ${column} is null then null else '${start}' || repeat('W', ${length - start.length}) end`;
    });
    await application.rows(`update ${table} set ${changes.join(', ')}`);
  }
}

test('no word is so long that a page moves sideways on a phone', async () => {
  await writeLongWords();
  const wide: [string, number][] = [];
  const lookAs = async (as: Reader) => {
    const { page } = await openFor(as);
    await page.setViewportSize({ width: 360, height: 800 });
    for (const [pattern, visit] of Object.entries(visits)) {
      if (visit.as !== as && !(as === 'owner' && pattern === '/terms/:version')) continue;
      await page.goto(visit.at?.(portal) ?? pattern);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
      await page.waitForLoadState('networkidle');
      await keepScreenshot(page, `long-words-${pictureOf(pattern)}`);
      const beyond = await overflow(page);
      if (beyond > 0) wide.push([pattern, 360 + beyond]);
    }
    await page.context().close();
  };
  await Promise.all((['owner', 'behind', 'reviewer', 'administrator'] as const).map(lookAs));
  expect(wide).toEqual([]);
}, 240_000);

test('on a phone, a reviewer goes to the checklist past all the claims, and the decision stays in view', async () => {
  const { page } = await openFor('reviewer');
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`/review/${portal.submissionId}`);
  const decision = page.getByRole('group', { name: 'Decision' });
  await decision.getByRole('link', { name: 'Go to the checklist' }).waitFor();
  const places: number[] = [];
  const look = async () =>
    places.push(Math.round(((await decision.boundingBox())?.y ?? 0) + ((await decision.boundingBox())?.height ?? 0)));
  await look();
  const scrolled = page.evaluate("new Promise((done) => addEventListener('scroll', () => done(true), { once: true }))");
  await decision.getByRole('link', { name: 'Go to the checklist' }).click();
  await scrolled;
  const checklist = await page.getByRole('list', { name: 'Points' }).boundingBox();
  expect(checklist && checklist.y >= 0 && checklist.y < 400).toBe(true);
  await look();
  expect(places).toEqual([740, 740]);
  for (const width of [360, 768]) {
    await page.setViewportSize({ width, height: 740 });
    const height = (await decision.boundingBox())?.height ?? 0;
    expect([width, height >= 48 && height <= 96 ? 'a row or two' : height]).toEqual([width, 'a row or two']);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  expect(await decision.getByRole('link').count()).toBe(0);
  await page.context().close();
}, 60_000);

test('no word is so long that a dialog, or the page of what is suspended, moves sideways on a phone', async () => {
  await writeLongWords();
  await application.rows(`update integration set status = 'suspended', status_reason = repeat('W', 500) where slug = $1`, [portal.slug]);
  const watched = await Promise.all([openFor('owner'), openFor('administrator'), openFor('reviewer')]);
  const [page, desk, reviewing] = watched.map((each) => each.page) as [Page, Page, Page];
  for (const each of [page, desk, reviewing]) await each.setViewportSize({ width: 360, height: 800 });
  await page.goto(`/integrations/${portal.slug}/production`);
  await page.getByRole('heading', { name: 'How to get reactivated' }).waitFor();
  const wide = { page: await overflow(page), agreement: -1, gate: -1, decision: -1 };
  const beyond = async (on: Page) => {
    await on.getByRole('dialog').waitFor();
    await on.evaluate(untilPainted);
    await keepScreenshot(on, `long-words-dialog-${on === desk ? 'desk' : 'review'}`);
    return Number(
      await on.evaluate('(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector("[role=dialog]"))'),
    );
  };
  await desk.goto(`/admin/integrations/${portal.slug}`);
  for (const [act, name] of [
    ['agreement', 'Record an agreement'],
    ['gate', 'Close the gate'],
  ] as const) {
    await desk
      .getByRole('button', { name: /^Actions for / })
      .first()
      .click();
    await desk.getByRole('menuitem', { name }).click();
    wide[act] = await beyond(desk);
    await desk.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  }
  await reviewing.goto(`/review/${portal.submissionId}`);
  await reviewing.getByRole('button', { name: /^Reject/ }).click();
  wide.decision = await beyond(reviewing);
  expect(wide).toEqual({ page: 0, agreement: 0, gate: 0, decision: 0 });
  for (const each of [page, desk, reviewing]) await each.context().close();
}, 120_000);
