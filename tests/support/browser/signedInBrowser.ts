import type { Browser, Page } from 'playwright-core';
import { openPage, type PageOptions, type WatchedPage } from './browser.ts';
import type { PortalClient } from '../clients/portalClient.ts';

/**
 * A page of a real browser in which an operator who has registered over HTTP is signed in, and freshly confirmed if the operator is. It has
 * a session of its own, except during an enrolment: a confirmation changes the cookie, so of two browsers that share a session, one would
 * hold an outdated copy.
 */
export async function openPageAs(browser: Browser, operator: PortalClient, options: PageOptions = {}): Promise<WatchedPage> {
  const { kind, confirmedUntil } = (await operator.viewer()).data ?? {};
  const { cookie } = kind === 'full' ? await operator.elsewhere({ confirmed: Boolean(confirmedUntil) }) : operator;
  const watched = await openPage(browser, { baseURL: operator.origin, ...options });
  await giveCookie(watched.page, operator, cookie);
  return watched;
}

/** A fresh confirmation of the page's own session with the operator's passkey: the operator's HTTP client has another session. */
export async function confirmInBrowser(page: Page, operator: PortalClient): Promise<void> {
  const cookies = await page.context().cookies();
  const session = operator.copy(cookies.find(({ name }) => name === operator.cookieName)?.value);
  session.passkey = operator.passkey;
  await session.confirmFreshly();
  await giveCookie(page, operator, session.cookie);
}

/** Signs the page in as this client is. */
export async function giveCookie(page: Page, { origin, cookieName }: PortalClient, cookie: string | undefined): Promise<void> {
  await page.context().addCookies([
    {
      name: cookieName,
      value: cookie ?? '',
      domain: new URL(origin).hostname,
      path: '/',
      httpOnly: true,
      secure: true,
      sameSite: 'Strict',
    },
  ]);
}
