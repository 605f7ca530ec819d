import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page, Request } from 'playwright-core';
import { listen } from '../../server/platform/listen.ts';
import { accessibilityFindings, launchBrowser, openPage } from '../support/browser/browser.ts';
import { keepScreenshot } from '../support/browser/keepScreenshot.ts';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';

/** Operators' pages check this value. Another script is another version, with a name of its own. */
const integrity = 'sha384-hs0QVCa9oOAotvRU9PVFmNCCVePj9fOGuBzXEkoXaBdDX9B+zKyDBoZKTUnh05YO';
const words = 'Data provided by the order-tracking service with user consent';
const strictPolicy = (nonce: string) =>
  `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; base-uri 'none'; require-trusted-types-for 'script'`;

let application: PortalWorld;
let browser: Browser;
let site: Server;
let siteUrl: string;
/** The operator's page as the site serves it next. */
let served = { html: '', policy: '' };
beforeAll(async () => {
  [application, browser] = await Promise.all([openWorld({ portal: true }), launchBrowser()]);
  site = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    if (served.policy) response.setHeader('Content-Security-Policy', served.policy);
    response.end(served.html);
  });
  siteUrl = `http://localhost:${await listen(site, { host: '127.0.0.1', port: 0, variables: { host: 'HOST', port: 'PORT' } })}/`;
});
afterAll(async () => {
  await browser?.close();
  site?.close();
  await application?.close();
});

const script = ({ value = integrity, nonce = '' } = {}) =>
  `<script defer src="${application.portalUrl}/assets/svc-data-credit-v1.js" integrity="${value}" crossorigin="anonymous" ` +
  `referrerpolicy="no-referrer"${nonce && ` nonce="${nonce}"`}></script>`;
const place = (theme = 'auto') => `<span data-svc-attribution data-svc-theme="${theme}"></span>`;
const html = (body: string, head = '') =>
  `<!doctype html><html lang="en"><head><title>Orders</title><link rel="icon" href="data:,">${head}</head><body><main><h1>Orders</h1>${body}</main></body></html>`;

/** Runs in the page before anything else: notes by name what is asked for that could store or send something. */
const watchEverything = `
  globalThis.touched = [];
  for (const [owner, ...names] of [
    [globalThis, 'localStorage', 'sessionStorage', 'indexedDB', 'caches', 'fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource', 'Image'],
    [Document.prototype, 'cookie'],
    [Navigator.prototype, 'sendBeacon'],
  ]) {
    for (const name of names) {
      const original = Object.getOwnPropertyDescriptor(owner, name);
      Object.defineProperty(owner, name, {
        configurable: true,
        get() { touched.push(name); return original.get ? original.get.call(this) : original.value; },
        set(value) { touched.push(name); original.set?.call(this, value); },
      });
    }
  }`;

type Opened = { page: Page; complaints: string[]; requests: Request[]; portalRequests: () => Request[] };

/** An operator's page in a browser that has visited nothing, on which every way to store or to send something is watched. */
async function visit(
  body: string,
  { head = '', policy = '', ...options }: { head?: string; policy?: string } & BrowserContextOptions = {},
) {
  served = { html: html(body, head), policy };
  const { page, complaints } = await openPage(browser, options);
  const requests: Request[] = [];
  page.on('request', (request) => requests.push(request));
  await page.addInitScript({ content: watchEverything });
  await page.goto(siteUrl, { waitUntil: 'load' });
  return {
    page,
    complaints,
    requests,
    portalRequests: () => requests.filter((request) => request.url().startsWith(application.portalUrl)),
  } satisfies Opened;
}

type Badge = { words: string[]; href?: string; ground?: string; size?: string; after?: string; parent?: string };

/** The badges of a page: their words, their link, their colours and where they stand. */
const badges = (page: Page): Promise<Badge[]> =>
  page.evaluate(`[...document.querySelectorAll('[data-svc-attribution]')].map((each) => {
    const links = [...(each.shadowRoot?.querySelectorAll('a') ?? [])];
    const style = links[0] && getComputedStyle(links[0]);
    return { words: links.map(({ textContent }) => textContent), href: links[0]?.href, ground: style?.backgroundColor, size: style?.fontSize,
      after: each.previousElementSibling?.tagName, parent: each.parentElement?.tagName };
  })`);
const light = 'rgb(246, 247, 249)';
const dark = 'rgb(27, 30, 35)';

test('a placeholder is filled with the credit and the link to the app', async () => {
  const { page, complaints } = await visit(place() + script());
  expect(await badges(page)).toEqual([
    expect.objectContaining({ words: [words], href: `${application.portalUrl}/app`, ground: light, size: '14px' }),
  ]);
  expect(complaints).toEqual([]);
  await page.context().close();
});

test('it stores nothing, watches nobody, and asks for nothing but itself, without telling from where', async () => {
  const { page, portalRequests, requests } = await visit(place() + script());
  await page.waitForTimeout(500);
  expect(requests.map((request) => request.url())).toEqual([siteUrl, `${application.portalUrl}/assets/svc-data-credit-v1.js`]);
  const [request] = portalRequests();
  const headers = await request?.allHeaders();
  expect([headers?.['referer'], headers?.['cookie']]).toEqual([undefined, undefined]);
  expect((await (await request?.response())?.headersArray())?.filter(({ name }) => name.toLowerCase() === 'set-cookie')).toEqual([]);
  expect(await page.evaluate('touched')).toEqual([]);
  // The watch itself works.
  expect(await page.evaluate('void document.cookie, touched')).toEqual(['cookie']);
  expect(await page.context().cookies()).toEqual([]);
  const stored =
    'Promise.all([indexedDB.databases(), caches.keys()]).then(([d, c]) => d.length + c.length + localStorage.length + sessionStorage.length)';
  expect(await page.evaluate(stored)).toBe(0);
  await page.context().close();
});

describe('is shown once in each place', () => {
  test('placed twice and loaded twice', async () => {
    const { page, complaints } = await visit(place() + script() + place('dark') + script());
    expect((await badges(page)).map((badge) => badge.words)).toEqual([[words], [words]]);
    await page.addScriptTag({ url: `${application.portalUrl}/assets/svc-data-credit-v1.js` });
    expect((await badges(page)).map((badge) => badge.words)).toEqual([[words], [words]]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('without a place it stands beside the script', async () => {
    const { page } = await visit(`<footer>${script()}</footer>`);
    expect(await badges(page)).toEqual([expect.objectContaining({ words: [words], after: 'SCRIPT', parent: 'FOOTER', ground: light })]);
    await page.context().close();
  });

  test('without a place, loaded twice, there is one', async () => {
    const { page } = await visit(script() + script());
    expect((await badges(page)).map((badge) => badge.words)).toEqual([[words]]);
    await page.context().close();
  });

  test('without a place, from the head of the page, it stands at the end', async () => {
    const { page } = await visit('<p>Words</p>', { head: script() });
    expect(await badges(page)).toEqual([expect.objectContaining({ words: [words], after: 'MAIN', parent: 'BODY' })]);
    await page.context().close();
  });

  test('loaded as a module, which does not know its own place, it finds it', async () => {
    const { page, complaints } = await visit(`<footer>${script().replace('defer ', 'type="module" ')}</footer>`);
    expect(await badges(page)).toEqual([
      expect.objectContaining({ words: [words], after: 'SCRIPT', parent: 'FOOTER', href: `${application.portalUrl}/app` }),
    ]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('a place that a page’s own script inserts, replaces or marks later is filled at once, once, also when the badge is loaded again', async () => {
    const { page, complaints } = await visit(place() + script({ nonce: 'r4nd0m' }), { policy: strictPolicy('r4nd0m') });
    const run = (code: string) => page.evaluate(`(() => { const main = document.querySelector('main'); ${code} })()`);
    const make = `const made = document.createElement('span'); made.setAttribute('data-svc-attribution', ''); made.setAttribute('data-svc-theme', 'dark');`;
    await run(`${make} const part = document.createElement('section'); part.append(made); main.append(part);`);
    expect((await badges(page)).map((badge) => [badge.words, badge.ground])).toEqual([
      [[words], light],
      [[words], dark],
    ]);
    await run(`${make} document.querySelector('[data-svc-attribution]').replaceWith(made);`);
    await run(
      `const made = document.createElement('span'); main.append(made); setTimeout(() => made.setAttribute('data-svc-attribution', ''));`,
    );
    await page.waitForFunction(`document.querySelectorAll('[data-svc-attribution]').length === 3`);
    await run(`const again = document.createElement('script'); again.nonce = 'r4nd0m';
      const policy = trustedTypes.createPolicy('page', { createScriptURL: (url) => url });
      again.src = policy.createScriptURL('${application.portalUrl}/assets/svc-data-credit-v1.js'); main.append(again);
      return new Promise((resolve) => again.addEventListener('load', resolve));`);
    expect((await badges(page)).map((badge) => badge.words)).toEqual([[words], [words], [words]]);
    expect(complaints.filter((complaint) => !complaint.includes('data:,'))).toEqual([]);
    expect(await page.evaluate('touched')).toEqual([]);
    await page.context().close();
  });

  test('what stands in for a place leaves when the page’s own script has made one', async () => {
    const { page } = await visit(`<footer>${script()}</footer>`);
    expect(await badges(page)).toEqual([expect.objectContaining({ words: [words], parent: 'FOOTER' })]);
    await page.evaluate(`document.querySelector('main').insertAdjacentHTML('beforeend', '${place('dark')}')`);
    expect(await badges(page)).toEqual([expect.objectContaining({ words: [words], parent: 'MAIN', ground: dark })]);
    await page.context().close();
  });

  test('loaded without defer it waits for the places below it', async () => {
    const { page } = await visit(place(), { head: script().replace('defer ', '') });
    expect((await badges(page)).map((badge) => badge.words)).toEqual([[words]]);
    await page.context().close();
  });
});

test('a strict content security policy with a nonce has nothing to complain of, and the badge looks the same', async () => {
  const { page, complaints } = await visit(place() + place('dark') + script({ nonce: 'r4nd0m' }), { policy: strictPolicy('r4nd0m') });
  expect((await badges(page)).map(({ ground, size }) => [ground, size])).toEqual([
    [light, '14px'],
    [dark, '14px'],
  ]);
  // The page's own icon is the only thing that its policy keeps out.
  expect(complaints.filter((complaint) => !complaint.includes('data:,'))).toEqual([]);
  await page.context().close();
});

test('a policy that allows the portal’s address, and no styles at all, is enough', async () => {
  const policy = `default-src 'none'; script-src ${application.portalUrl}; style-src 'none'`;
  const { page, complaints } = await visit(place('dark') + script(), { policy });
  expect((await badges(page)).map(({ ground, size }) => [ground, size])).toEqual([[dark, '14px']]);
  expect(complaints.filter((complaint) => !complaint.includes('data:,'))).toEqual([]);
  await page.context().close();
});

test('an altered script is not run', async () => {
  const { page, complaints } = await visit(place() + script({ value: `sha384-${'A'.repeat(64)}` }));
  expect((await badges(page)).map((badge) => badge.words)).toEqual([[]]);
  expect(complaints.join()).toContain('integrity');
  await page.context().close();
});

test.each([
  ['light', ['light', 'dark', 'light', 'light']],
  ['dark', ['light', 'dark', 'dark', 'dark']],
] as const)('on a %s system the themes light, dark, auto and an unknown one are %p', async (colorScheme, expected) => {
  const { page } = await visit(`${place('light')} ${place('DARK')} ${place('auto')} ${place('blue')}${script()}`, { colorScheme });
  expect((await badges(page)).map(({ ground }) => ground)).toEqual(expected.map((each) => (each === 'dark' ? dark : light)));
  expect(await accessibilityFindings(page)).toEqual([]);
  await keepScreenshot(page, `credit-badge-${colorScheme}`);
  await page.context().close();
});

test('without a theme, and without a place, it follows the system, and a theme that is set later at once', async () => {
  const { page } = await visit(`<span data-svc-attribution></span>${script()}`, { colorScheme: 'dark' });
  expect((await badges(page)).map(({ ground }) => ground)).toEqual([dark]);
  await page.evaluate(`document.querySelector('[data-svc-attribution]').setAttribute('data-svc-theme', 'light')`);
  expect((await badges(page)).map(({ ground }) => ground)).toEqual([light]);
  await page.context().close();
  const { page: bare } = await visit(script(), { colorScheme: 'dark' });
  expect((await badges(bare)).map(({ ground }) => ground)).toEqual([dark]);
  await bare.emulateMedia({ colorScheme: 'light' });
  expect((await badges(bare)).map(({ ground }) => ground)).toEqual([light]);
  await bare.context().close();
});

test('what stands in the attributes of a place is never more than an attribute', async () => {
  const hostile = '&quot;]){}a{display:none}&lt;img src=x onerror=alert(1)&gt;';
  const { page, complaints } = await visit(`<span data-svc-attribution="${hostile}" data-svc-theme="${hostile}"></span>${script()}`);
  expect(await badges(page)).toEqual([expect.objectContaining({ words: [words], ground: light, size: '14px' })]);
  const link = `document.querySelector('[data-svc-attribution]').shadowRoot.querySelector('a')`;
  expect(await page.evaluate(`[${link}.rel, ${link}.target, ${link}.referrerPolicy, ${link}.getRootNode().childNodes.length]`)).toEqual([
    'noopener noreferrer',
    '_blank',
    'no-referrer',
    1,
  ]);
  expect(complaints).toEqual([]);
  await page.context().close();
});

describe('what the portal says and serves', () => {
  test('the script is what the integrity value says, small, and kept for ever', async () => {
    const response = await fetch(`${application.portalUrl}/assets/svc-data-credit-v1.js`, {
      headers: { origin: 'https://operator.example' },
    });
    const source = await response.text();
    expect(source.length).toBeLessThan(3000);
    expect(source).not.toMatch(/cookie\b|localStorage|sessionStorage|indexedDB|fetch|XMLHttp|sendBeacon|innerHTML|eval|style=/);
    expect(source).toContain(words);
    const headers = Object.fromEntries(response.headers);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
    const { data } = await application.browser().graphql('{ service { attribution { text link badgeUrl badgeIntegrity } } }');
    expect(data).toEqual({
      service: {
        attribution: {
          text: words,
          link: `${application.portalUrl}/app`,
          badgeUrl: `${application.portalUrl}/assets/svc-data-credit-v1.js`,
          badgeIntegrity: integrity,
        },
      },
    });
  });

  test('the app link leads to the portal where no app is configured', async () => {
    const response = await fetch(`${application.portalUrl}/app`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([302, `${application.portalUrl}/`]);
  });
});
