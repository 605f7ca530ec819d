import { reviewLimits } from '../reviewLimits.ts';
import type { OutboundAnswer, OutboundErrorKind, PageTransport } from '../../webhook/WebhookTransport.ts';

/** How a visit of a page ended. */
export type Visit = {
  /** The status of the last answer, after redirects within the host. */
  readonly status: number | null;
  readonly error: OutboundErrorKind | null;
  /** Where a redirect leads that is not followed: to another host, without HTTPS, or after too many others. Null if it leads to an address that was visited already. */
  readonly ledTo: string | null;
  /** The address that answered last. */
  readonly url: string;
  /** The HTML that came back, or why there is none to read. */
  readonly html: string | null;
  readonly unread: 'too_large' | 'compressed' | 'not_html' | null;
};

const redirects = new Set([301, 302, 303, 307, 308]);
const headers = {
  Accept: 'text/html,application/xhtml+xml',
  'Accept-Encoding': 'identity',
  'User-Agent': 'Svc-Page-Check/1.0',
};

/**
 * Asks for a page as a stranger would, through the guarded way out, and follows redirects within its host. All of it together takes no longer
 * than the limit.
 */
export async function visitPage(transport: PageTransport, address: string): Promise<Visit> {
  const { totalMs } = reviewLimits.pageCheck;
  const started = performance.now();
  let url = sendable(address);
  const visited = new Set([url]);
  for (let followed = 0; ; followed += 1) {
    const left = Math.max(1, Math.round(totalMs - (performance.now() - started)));
    const answer = await transport.getGuarded({ url, headers, limits: { ...reviewLimits.pageCheck, totalMs: left } });
    const { status = null, error = null } = answer;
    const target = error === null && status !== null && redirects.has(status) ? targetOf(answer, url) : null;
    if (target === null) return { status, error, ledTo: null, url, ...htmlOf(answer) };
    if (!staysAt(target, url) || followed === reviewLimits.pageRedirects) {
      return { status, error, ledTo: shown(target), url, html: null, unread: null };
    }
    url = sendable(target.href);
    // Anyone who keeps no cookies never arrives there, which says nothing about what a person sees.
    if (visited.has(url)) return { status, error, ledTo: null, url, html: null, unread: null };
    visited.add(url);
  }
}

/** Without the part that only browsers use, and in the spelling that the way out asks for. */
function sendable(address: string): string {
  const url = new URL(address);
  url.hash = '';
  return url.href;
}

function targetOf({ headers: answered }: OutboundAnswer, from: string): URL | null {
  const location = answered?.['location'];
  return typeof location === 'string' && URL.canParse(location, from) ? new URL(location, from) : null;
}

/** Whether a redirect stays on the host that the profile names, by HTTPS. */
function staysAt(target: URL, from: string): boolean {
  return target.origin === new URL(from).origin && target.username === '' && target.password === '';
}

/** Enough to recognise it. What follows the path may be a secret. */
function shown({ origin, protocol, pathname }: URL): string {
  return (origin === 'null' ? protocol : `${origin}${pathname}`).slice(0, 200);
}

function htmlOf({ status, error, headers: answered = {}, body }: OutboundAnswer): Pick<Visit, 'html' | 'unread'> {
  if (error === 'response_too_large') return { html: null, unread: 'too_large' };
  if (error !== undefined || status !== 200 || !body) return { html: null, unread: null };
  const encoding = String(answered['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding !== 'identity') return { html: null, unread: 'compressed' };
  const isHtml = /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i.test(String(answered['content-type'] ?? ''));
  return isHtml ? { html: body.toString('utf8'), unread: null } : { html: null, unread: 'not_html' };
}
