import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, openPage } from '../support/browser/browser.ts';
import { populate, type PopulatedPortal } from '../support/portals/populatedPortal.ts';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';
import { openPageAs } from '../support/browser/signedInBrowser.ts';

const kilobytes = 1_000;
const mostInitialScript = 200 * kilobytes;
/** “Good” is at most 0.1 (web.dev, Cumulative Layout Shift); the portal's pages are to stay still. */
const mostLayoutShift = 0.02;

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
  'an overview': ['owner', () => `/integrations/${portal.slug}`],
  'a sandbox': ['owner', () => `/integrations/${portal.slug}/sandbox`],
  'the certificates': ['owner', () => `/integrations/${portal.slug}/certificates`],
  'the requests': ['owner', () => `/integrations/${portal.slug}/requests`],
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
  'the review queue': ['reviewer', () => '/review'],
  'a submission': ['reviewer', () => `/review/${portal.submissionId}`],
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

test.each([360, 1280])(
  'at %i px nothing on the main pages of operators, reviewers and administrators moves while they load',
  async (width) => {
    const viewport = { width, height: 800 };
    const shifts: Record<string, number> = {};
    const loadPagesOf = async (reader: Reader | null) => {
      for (const [name, [as, path]] of Object.entries(pages)) {
        if (as !== reader) continue;
        const { page } = as
          ? await openPageAs(browser, portal[as], { viewport })
          : await openPage(browser, { baseURL: application.portalUrl, viewport });
        shifts[name] = await layoutShift(page, path());
        await page.context().close();
      }
    };
    // Much of a load is waiting for the network to stay quiet, so all readers look at once.
    await Promise.all(([null, 'owner', 'reviewer', 'administrator'] as const).map(loadPagesOf));
    expect(Object.keys(shifts).sort()).toEqual(Object.keys(pages).sort());
    expect(Object.entries(shifts).filter(([, shift]) => shift > mostLayoutShift)).toEqual([]);
  },
  240_000,
);

/** The layout shifts of a load summed up (Layout Instability API), until the network is quiet. */
async function layoutShift(page: Page, path: string): Promise<number> {
  await page.addInitScript(() => {
    const counted = globalThis as unknown as { shift: number };
    counted.shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) counted.shift += (entry as unknown as { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true } as unknown as Parameters<PerformanceObserver['observe']>[0]);
  });
  await page.goto(path, { waitUntil: 'networkidle' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page.evaluate(() => (globalThis as unknown as { shift: number }).shift);
}
