import type { Browser, BrowserContextOptions } from 'playwright-core';
import { openPage, type WatchedPage } from './browser.ts';
import type { PortalClient } from './portalClient.ts';

/** A page of a real browser with the session of an operator who has registered over HTTP. */
export async function openPageAs(browser: Browser, operator: PortalClient, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const watched = await openPage(browser, { baseURL: operator.origin, ...options });
  await watched.page.context().addCookies([
    {
      name: operator.cookieName,
      value: operator.cookie ?? '',
      domain: new URL(operator.origin).hostname,
      path: '/',
      httpOnly: true,
      secure: true,
      sameSite: 'Strict',
    },
  ]);
  return watched;
}
