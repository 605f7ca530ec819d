import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { badgeHtml, linkingPage } from '../../../portal-web/src/pages/integration/profile/kitSnippets.ts';
import { accessibilityFindings, launchBrowser, openPage, type WatchedPage } from '../../support/browser/browser.ts';
import { keepScreenshot } from '../../support/browser/keepScreenshot.ts';
import { oneByteTooLarge } from '../../support/logo-files/badLogos.ts';
import { picture } from '../../support/logo-files/pictures.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import type { PortalClient } from '../../support/clients/portalClient.ts';
import { openPageAs } from '../../support/browser/signedInBrowser.ts';
import { overflow } from '../../support/browser/overflow.ts';

const facts = {
  publicName: 'Nordlys & <b>Friends</b>',
  purpose: 'Shows "your" order.',
  legalOperatorName: 'Nordlys AS',
  privacyPolicyUrl: 'https://nordlys-tracker.com/privacy?a=1&b=2',
  termsOfServiceUrl: 'https://nordlys-tracker.com/terms',
  supportEmail: 'help@nordlys-tracker.com',
  orderLinkingUrl: 'https://nordlys-tracker.com/orders/link',
};
const service = {
  machineApiUrl: 'https://api.example/v1',
  attribution: {
    text: 'Data provided by the order-tracking service with user consent',
    link: 'https://portal.example/app',
    badgeUrl: 'https://portal.example/assets/svc-data-credit-v1.js',
    badgeIntegrity: 'sha384-x',
  },
};

test('the badge’s snippet is what operators undertake to show: a span with its theme, a deferred script without referrer', () => {
  expect(badgeHtml(service.attribution, 'dark')).toBe(
    `<span data-svc-attribution data-svc-theme="dark"></span>
<script defer src="https://portal.example/assets/svc-data-credit-v1.js"
  integrity="sha384-x"
  crossorigin="anonymous" referrerpolicy="no-referrer"></script>`,
  );
});

test.each([
  ['https://nordlys-tracker.com/orders/link?lang=en', '/orders/link'],
  ['https://nordlys-tracker.com', '/'],
  ['https://nordlys-tracker.com//other.example/link', 'https://nordlys-tracker.com//other.example/link'],
  ['https://nordlys-tracker.com/a"onsubmit="x', '/a%22onsubmit=%22x'],
])('the sample linking page for %s sends the code to that host alone', (orderLinkingUrl, action) => {
  const html = linkingPage({ ...facts, orderLinkingUrl }, service);
  expect(html.match(/<form[^>]*>/)?.[0]).toBe(`<form method="post" action="${action}" autocomplete="off">`);
});

test('nothing that an operator writes leaves its place in the sample linking page', () => {
  const hostile = '--><script>alert(1)</script>"\'&';
  const html = linkingPage(
    {
      ...facts,
      publicName: hostile,
      purpose: hostile,
      legalOperatorName: hostile,
      orderLinkingUrl: 'https://example.com/x--!>--><script>',
    },
    service,
  );
  expect(html.match(/<script|alert\(1\)<\//g)).toBeNull();
  expect(html.match(/-->/g)).toHaveLength(1);
});

describe('the logo and the kit of an integration', () => {
  let application: PortalWorld;
  let browser: Browser;
  let operator: PortalClient;
  let watched: WatchedPage;
  let page: Page;
  let integration: { id: string; slug: string };

  beforeAll(async () => {
    [application, browser] = await Promise.all([openWorld({ portal: true }), launchBrowser()]);
    operator = await application.operator();
    integration = await operator.createIntegration({ publicName: 'Nordlys Tracker' });
    watched = await openPageAs(browser, operator, { acceptDownloads: true });
    ({ page } = watched);
  });
  afterAll(async () => {
    await browser?.close();
    await application?.close();
  });

  const unfoldKit = () => page.locator('summary').filter({ hasText: 'For your own pages' }).click();
  const panel = (name: string) => page.getByRole('region', { name, exact: true });
  const choose = (name: string, buffer: Buffer, mimeType = 'image/png') =>
    page.getByLabel('Logo file').setInputFiles({ name, mimeType, buffer });
  const attributes = async (locator: Locator, name: string) => Promise.all((await locator.all()).map((each) => each.getAttribute(name)));
  const shown = () => attributes(panel('Logo').getByRole('img'), 'src');
  /** Asks until the page answers so; the page's own policy forbids Playwright's way of waiting for it. */
  const becomes = async (expression: string, expected: unknown) => {
    for (let tries = 0; tries < 60; tries += 1) {
      if (JSON.stringify(await page.evaluate(expression)) === JSON.stringify(expected)) return;
      await page.waitForTimeout(100);
    }
    expect(await page.evaluate(expression)).toEqual(expected);
  };

  test('an operator uploads a logo and sees both sizes of it', async () => {
    await page.goto(`/integrations/${integration.slug}`);
    await page.getByRole('link', { name: 'Profile', exact: true }).click();
    await panel('Logo').getByText('No logo yet.').waitFor();
    await choose('logo.png', await picture(900, 600, { transparent: true }).png().toBuffer());
    await panel('Logo').getByText('512 × 512 pixels, on a light background').waitFor();
    await panel('Logo').getByText('256 × 256 pixels, on a dark background').waitFor();
    const sources = await shown();
    expect(sources.map((source) => source?.slice(-4))).toEqual(['/512', '/256', '/256']);
    const natural = "[...document.querySelectorAll('figure img')].map((image) => image.decode().then(() => image.naturalWidth))";
    expect(await page.evaluate(`Promise.all(${natural})`)).toEqual([512, 256, 256]);
    await panel('Logo').getByText('The upload makes version 3 of the profile.').waitFor();
  });

  test.each([
    ['an SVG that is called a PNG', 'logo.png', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'This is an SVG drawing'],
    ['one that is too small', 'logo.png', () => picture(255).png().toBuffer(), 'The image is 255 × 255 pixels.'],
    [
      'one that was cut short',
      'logo.jpg',
      async () => (await picture().jpeg().toBuffer()).subarray(0, 500),
      'ends in the middle of the image',
    ],
    ['one that is too large, which is not even sent', 'logo.png', oneByteTooLarge, 'The file is larger than 2 MiB'],
  ])('a refused file, %s, is explained, and the logo stays', async (_what, name, make, words) => {
    const before = await shown();
    await choose(name, await make());
    await panel('Logo').getByRole('alert').getByText(words).waitFor();
    expect(await shown()).toEqual(before);
  });

  test('another picture takes its place under another address, and the words of the refusal go', async () => {
    const before = await shown();
    await choose('logo.webp', await picture(512).webp().toBuffer(), 'image/webp');
    await becomes(`document.querySelector('figure img').src !== ${JSON.stringify(before[0])}`, true);
    expect(await panel('Logo').getByRole('alert').count()).toBe(0);
  });

  test.each(['light', 'dark'] as const)(
    'logo and kit have no serious accessibility finding in %s colours, and nothing runs over at 360 pixels',
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.goto(`/integrations/${integration.slug}/kit`);
      await page.getByText('512 × 512 pixels, on a light background').waitFor();
      await page.getByText('Download linking-page.html').waitFor();
      expect(await accessibilityFindings(page, colorScheme === 'dark' ? ['color-contrast'] : undefined)).toEqual([]);
      await keepScreenshot(page, `profile-${colorScheme}-1280`);
      await page.setViewportSize({ width: 360, height: 900 });
      expect(await overflow(page)).toBe(0);
      await keepScreenshot(page, `profile-${colorScheme}-360`);
    },
    120_000,
  );

  test('the kit shows the credit and this service’s own snippet, which follows the chosen theme', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`/integrations/${integration.slug}`);
    await page.getByRole('link', { name: 'Profile', exact: true }).click();
    await unfoldKit();
    expect(await page.getByText('For your own pages').count()).toBe(1);
    await panel('Credit next to the data').getByText(`${operator.origin}/app`, { exact: true }).waitFor();
    const snippet = panel('Footer badge').locator('pre');
    expect(await snippet.innerText()).toContain(`src="${operator.origin}/assets/svc-data-credit-v1.js"`);
    await panel('Footer badge').getByText('dark', { exact: true }).first().click();
    expect(await snippet.innerText()).toContain('data-svc-theme="dark"');
    await panel('Mixed sources').getByText('A footer is not enough.').waitFor();
  });

  test('the preview is the very badge, in three themes, also after coming back to the page', async () => {
    const grounds = `[...document.querySelectorAll('figure [data-svc-attribution]')].map((place) => place.shadowRoot && getComputedStyle(place.shadowRoot.querySelector('a')).backgroundColor)`;
    const [light, dark] = ['rgb(246, 247, 249)', 'rgb(27, 30, 35)'];
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await becomes(grounds, [light, light, dark]);
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page.getByRole('link', { name: 'Profile', exact: true }).click();
    await unfoldKit();
    await becomes(grounds, [light, light, dark]);
    expect(await page.evaluate(`document.querySelectorAll('[data-svc-attribution]').length`)).toBe(3);
  });

  test('the downloaded linking page is the integration’s own', async () => {
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download linking-page.html' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('linking-page.html');
    const html = await readFile(await download.path(), 'utf8');
    expect(html).toContain('<h1>Link your order to Nordlys Tracker</h1>');
    expect(html).toContain('href="https://example.com/privacy"');
    expect(html).toContain(`href="${operator.origin}/app"`);
  });

  test('while the profile is under review the logo is shown, and why it stays', async () => {
    await application.rows("update integration set status = 'submitted' where id = $1", [integration.id]);
    await page.goto(`/integrations/${integration.slug}/profile`);
    await panel('Logo').getByText('This logo is under review').waitFor();
    expect(await page.getByLabel('Logo file').count()).toBe(0);
    await application.rows("update integration set status = 'sandbox' where id = $1", [integration.id]);
  });

  test('an operator removes the logo after being asked once more', async () => {
    await page.goto(`/integrations/${integration.slug}/profile`);
    await panel('Logo').getByRole('button', { name: 'Remove the logo' }).click();
    await page.getByRole('dialog').getByText('Nordlys Tracker').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove logo' }).click();
    await panel('Logo').getByText('No logo yet.').waitFor();
  });

  test('nothing on the way broke the content security policy or any script', () => {
    // A refused upload is an answer of 400, which the browser's console notes.
    expect(watched.complaints.filter((complaint) => !complaint.includes('the server responded with a status of 400'))).toEqual([]);
  });

  describe('the sample linking page', () => {
    let sample: WatchedPage;
    let posted: string | undefined;
    beforeAll(async () => {
      sample = await openPage(browser);
      await sample.page.route('https://nordlys-tracker.com/**', (route) => {
        posted = route.request().postData() ?? posted;
        return route.fulfill({ contentType: 'text/html; charset=utf-8', body: linkingPage(facts, service) });
      });
      await sample.page.goto(facts.orderLinkingUrl);
    });
    afterAll(() => sample.page.context().close());

    test('asks for the code alone, and says that it needs nothing else', async () => {
      expect(await attributes(sample.page.locator('input, select, textarea'), 'name')).toEqual(['code']);
      await sample.page.getByText('Never enter a login, an account, an order number or a vehicle identification number here.').waitFor();
    });

    test('sends ten digits as text, zeroes in front included, and no less', async () => {
      const code = sample.page.getByLabel('Link code');
      await code.fill('042881590');
      await sample.page.getByRole('button', { name: 'Link my order' }).click();
      expect(posted).toBeUndefined();
      await code.fill('0428815903');
      await sample.page.getByRole('button', { name: 'Link my order' }).click();
      await sample.page.waitForURL(facts.orderLinkingUrl);
      expect(posted).toBe('code=0428815903');
    });

    test.each(['042 881 5903', ' 0428-815-903 ', '042\u00a0881\u00a05903', 'Code: 0428815903'])(
      'takes a code as people paste it: “%s”',
      async (pasted) => {
        posted = undefined;
        await sample.page.getByLabel('Link code').fill(pasted);
        await sample.page.getByRole('button', { name: 'Link my order' }).click();
        await sample.page.waitForURL(facts.orderLinkingUrl);
        expect(new URLSearchParams(posted).get('code')?.replaceAll(/\D/g, '')).toBe('0428815903');
      },
    );

    test('links to privacy, terms, support and the credit, and takes the operator’s words as words', async () => {
      const links = await attributes(sample.page.getByRole('link'), 'href');
      expect(links).toEqual([facts.privacyPolicyUrl, facts.termsOfServiceUrl, `mailto:${facts.supportEmail}`, service.attribution.link]);
      await sample.page.getByRole('heading', { name: 'Link your order to Nordlys & <b>Friends</b>' }).waitFor();
      expect(await sample.page.locator('h1 b').count()).toBe(0);
    });

    test.each(['light', 'dark'] as const)('has no serious accessibility finding in %s colours', async (colorScheme) => {
      await sample.page.emulateMedia({ colorScheme });
      await sample.page.setViewportSize({ width: 360, height: 800 });
      expect(await accessibilityFindings(sample.page)).toEqual([]);
      expect(await overflow(sample.page)).toBe(0);
      await keepScreenshot(sample.page, `linking-page-${colorScheme}`);
    });
  });
});
