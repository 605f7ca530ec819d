import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../support/browser/browser.ts';
import { countQuestions } from '../../support/browser/countQuestions.ts';
import { openPageAs } from '../../support/browser/signedInBrowser.ts';
import { populate, type PopulatedPortal } from '../../support/portals/populatedPortal.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';

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

const tabs = ['Requests', 'Webhooks', 'Certificates', 'Deletions', 'Sandbox', 'Production', 'Profile', 'Overview'] as const;

test('whoever goes from tab to tab waits for one answer of the service at a time', async () => {
  const { page } = await openPageAs(browser, portal.owner);
  await page.goto(`/integrations/${portal.slug}`, { waitUntil: 'networkidle' });
  const asked: Record<string, readonly string[]> = {};
  for (const tab of tabs) asked[tab] = await countQuestions(page, () => changeTo(page, tab));
  expect(Object.entries(asked).filter(([, questions]) => questions.length !== 1)).toEqual([]);
  await page.context().close();
});

async function changeTo(page: Page, tab: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Integration' }).getByRole('link', { name: tab }).click();
  await page.locator(`nav[aria-label=Integration] a[aria-current=page]`, { hasText: tab }).waitFor();
  await page.waitForLoadState('networkidle');
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: 'networkidle' });
  await page.getByRole('heading', { level: 1 }).waitFor();
}

type Reader = 'owner' | 'reviewer' | 'administrator';

const pages: Readonly<Record<string, readonly [as: Reader, path: () => string]>> = {
  home: ['owner', () => '/integrations'],
  'a new integration': ['owner', () => '/integrations/new'],
  inbox: ['owner', () => '/inbox'],
  account: ['owner', () => '/account'],
  activity: ['owner', () => '/activity'],
  ...Object.fromEntries(
    tabs.map((tab) => [tab, ['owner', () => `/integrations/${portal.slug}${tab === 'Overview' ? '' : `/${tab.toLowerCase()}`}`]] as const),
  ),
  'an endpoint': ['owner', () => `/integrations/${portal.slug}/webhooks/${portal.endpointId}`],
  'tests of a receiver': ['owner', () => `/integrations/${portal.slug}/webhooks/${portal.endpointId}/test`],
  'a delivery': ['owner', () => `/integrations/${portal.slug}/webhooks/${portal.endpointId}/deliveries/${portal.deliveryId}`],
  'a review that goes on': ['owner', () => `/integrations/${portal.submittedSlug}/production`],
  documentation: ['owner', () => '/docs'],
  'a guide': ['owner', () => '/docs/quickstart'],
  'an operation': ['owner', () => '/docs/reference/getSync'],
  'review queue': ['reviewer', () => '/review'],
  'a submission': ['reviewer', () => `/review/${portal.submissionId}`],
  'minor revisions': ['reviewer', () => '/review/revisions'],
  'business models': ['reviewer', () => '/review/business-models'],
  'all operators': ['administrator', () => '/admin/operators'],
  'an operator': ['administrator', () => `/admin/operators/${portal.ownerId}`],
  'all integrations': ['administrator', () => '/admin/integrations'],
  'an integration': ['administrator', () => `/admin/integrations/${portal.slug}`],
  'all certificates': ['administrator', () => '/admin/certificates'],
  'failing endpoints': ['administrator', () => '/admin/webhooks'],
  gate: ['administrator', () => '/admin/gate'],
  terms: ['administrator', () => '/admin/terms'],
  tokens: ['administrator', () => '/admin/tokens'],
  jobs: ['administrator', () => '/admin/jobs'],
  'audit trail': ['administrator', () => '/admin/audit'],
};

/**
 * Pages that wait longer: the reader’s clients, then their last call; the integration, then the traffic of its environment. The home page and an
 * overview are asked for together with their frame.
 */
const answers: Readonly<Record<string, number>> = { 'an operation': 3, 'an integration': 4, home: 1, Overview: 1 };

test('whoever opens a page waits for at most two answers of the service, one after the other', async () => {
  const asked: Record<string, readonly string[]> = {};
  for (const reader of ['owner', 'reviewer', 'administrator'] as const) {
    const { page } = await openPageAs(browser, portal[reader]);
    for (const [name, [as, path]] of Object.entries(pages)) {
      if (as === reader) asked[name] = await countQuestions(page, () => open(page, path()));
    }
    await page.context().close();
  }
  expect(Object.entries(asked).filter(([name, questions]) => questions.length > (answers[name] ?? 2))).toEqual([]);
}, 240_000);
