import { randomBytes } from 'node:crypto';
import type { Context } from 'koa';
import { accountLimits } from '../../domain/account/accountLimits.ts';
import type { Browser } from '../../portal-api/context.ts';
import { hostCookieName, readCookie, setCookie } from './cookies.ts';

/** The name of the cookie with a browser's secret. */
const browserCookieName = (portalUrl: string): string => hostCookieName('browser', portalUrl);

/** Reads and gives the browsers' secrets of one portal. */
export function createBrowsers(portalUrl: string): (ctx: Context) => Browser {
  const name = browserCookieName(portalUrl);
  return (ctx) => {
    const presented = readCookie(ctx, name) ?? '';
    let secret = /^[\w-]{22}$/.test(presented) ? presented : null;
    return {
      get secret() {
        return secret;
      },
      remember() {
        secret ??= randomBytes(16).toString('base64url');
        setCookie(ctx, name, secret, `; Max-Age=${accountLimits.browserSecretLifetime / 1000}`);
        return secret;
      },
    };
  };
}
