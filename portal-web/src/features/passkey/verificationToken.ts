import { paths } from '../../paths.ts';

/** The pages that links in emails lead to. */
const pagesWithToken: ReadonlySet<string> = new Set([paths.verify, paths.confirmAddress]);

let taken: string | null = null;

/**
 * The one-time token of the address bar's fragment, which it removes at once so that it stays in no history and on no
 * screen. Asked again it gives the same token, until the page is left.
 */
export function takeVerificationToken(): string | null {
  const { pathname, search, hash } = window.location;
  if (!pagesWithToken.has(pathname) || hash === '') return taken;
  const token = new URLSearchParams(hash.slice(1)).get('token');
  if (token) taken = token;
  window.history.replaceState(window.history.state, '', pathname + search);
  return taken;
}

/** Forgets the token after its use. */
export function forgetVerificationToken(): void {
  taken = null;
}
