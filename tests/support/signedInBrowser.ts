import type { Browser, BrowserContextOptions } from 'playwright-core';
import { openPage, type WatchedPage } from './browser.ts';
import type { PortalClient } from './portalClient.ts';

/**
 * A page of a real browser in which an operator who has registered over HTTP is signed in, and freshly confirmed if the operator is. It has
 * a session of its own, but for an enrolment's: a confirmation changes the cookie, and of two browsers with one session one would hold an outdated copy.
 */
export async function openPageAs(browser: Browser, operator: PortalClient, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const { kind, confirmedUntil } = (await operator.viewer()).data ?? {};
  const { cookie } = kind === 'full' ? await operator.elsewhere({ confirmed: Boolean(confirmedUntil) }) : operator;
  const watched = await openPage(browser, { baseURL: operator.origin, ...options });
  await watched.page.context().addCookies([
    {
      name: operator.cookieName,
      value: cookie ?? '',
      domain: new URL(operator.origin).hostname,
      path: '/',
      httpOnly: true,
      secure: true,
      sameSite: 'Strict',
    },
  ]);
  return watched;
}
