import { isIP } from 'node:net';

/** Where a request goes. */
export type Target = { readonly host: string; readonly path: string };

/** Scheme, host and what follows, as written; with neither user info nor a port other than 443. */
const registered = /^https:\/\/([a-z0-9_-]+(?:\.[a-z0-9_-]+)+)(?::443)?([/?][\x21-\x7e]*)?$/;

/**
 * Takes a registered URL apart without changing any of it; null for what may never be sent to. Registration refuses these with the reason; this
 * is what holds if something else has written the URL.
 */
export function targetOf(url: string): Target | null {
  const [, host, rest = '/'] = registered.exec(url) ?? [];
  if (host === undefined || rest.includes('#') || host.length > 253 || isIP(host)) return null;
  // URL parsers take a name that ends in a number for an IPv4 address, and fail if it is none.
  if (/^(\d+|0x[\da-f]*)$/.test(host.slice(host.lastIndexOf('.') + 1))) return null;
  return { host, path: rest.startsWith('?') ? `/${rest}` : rest };
}
