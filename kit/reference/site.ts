import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { KitError, type OperatorClient, Problem, RateLimited } from 'svc-operator-kit';
import { contentSecurityPolicy, linkingPage, ordersPage, plainPage } from './pages.ts';
import { exportOf, report } from './rounds.ts';
import { operator } from './settings.ts';
import type { Store } from './store.ts';

type Parts = { readonly client: OperatorClient; readonly store: Store; readonly soon: () => Promise<void> };
type Answer = { readonly status: number; readonly body?: string | Buffer; readonly headers?: Readonly<Record<string, string>> };

const largestForm = 1024;
const longestWaitMs = 10_000;
const limit = { attempts: 10, windowMs: 15 * 60 * 1000 };
const headers = {
  'Content-Security-Policy': contentSecurityPolicy,
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'Strict-Transport-Security': 'max-age=31536000',
  'X-Content-Type-Options': 'nosniff',
};

/** What the user can mend. One message for every reason why a code is refused: the service does not tell them apart, and neither do we. */
const refusals: Readonly<Record<string, readonly [status: number, problem: string]>> = {
  invalid_argument: [422, 'A link code has ten digits.'],
  link_code_not_redeemable: [422, 'This code cannot be used. Get a new one and enter it within ten minutes.'],
};
const busy = [429, 'Too many codes are being linked just now. Try again later.'] as const;
const failed = [503, 'The code could not be linked. Try a new one in a few minutes, and write to us if that fails.'] as const;

/** The pages for users. A visitor is a random cookie; your own accounts take its place. */
export function site({ client, store, soon }: Parts): (request: IncomingMessage, response: ServerResponse) => void {
  const attempts = new Map<string, number[]>();

  /** Codes that are guessed here would use up our quota of redemptions. */
  function mayTry(request: IncomingMessage): boolean {
    // The last one is what our own proxy has seen.
    const [forwarded] = operator.tls ? [] : (/[^,\s]+$/.exec(String(request.headers['x-forwarded-for'] ?? '')) ?? []);
    const from = forwarded ?? request.socket.remoteAddress ?? '';
    const since = Date.now() - limit.windowMs;
    for (const [each, times] of attempts) if ((times.at(-1) ?? 0) < since) attempts.delete(each);
    const recent = (attempts.get(from) ?? []).filter((at) => at > since);
    if (recent.length < limit.attempts) attempts.set(from, [...recent, Date.now()]);
    return recent.length < limit.attempts;
  }

  async function answer(request: IncomingMessage): Promise<Answer> {
    const { method = '' } = request;
    const path = (request.url ?? '').replace(/\?.*/s, '');
    const cookie =
      /(?:^|; )__Host-visitor=([\w-]{43})(?:;|$)/.exec(request.headers.cookie ?? '')?.[1] ?? randomBytes(32).toString('base64url');
    const visitor = createHash('sha256').update(cookie).digest('base64url');
    // Only this visitor's own browser can know it.
    const token = createHmac('sha256', cookie).update('link').digest('base64url');
    const keep = { 'Set-Cookie': `__Host-visitor=${cookie}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=31536000` };
    const [, exported] = /^\/exports\/((?:ord|veh)_\w{1,64})\.csv$/.exec(path) ?? [];
    const allowed = path === '/link' ? ['GET', 'HEAD', 'POST'] : path === '/' || exported ? ['GET', 'HEAD'] : [];
    if (allowed.length === 0) return { status: 404, body: plainPage('There is no such page') };
    if (!allowed.includes(method)) return { status: 405, body: plainPage('Not possible here'), headers: { Allow: allowed.join(', ') } };
    if (method === 'POST') return { headers: keep, ...(await link(request, { visitor, token })) };
    if (path === '/link') return { status: 200, body: linkingPage(token), headers: keep };
    const notices = await store.noticesOf(visitor);
    if (!exported) return { status: 200, body: ordersPage(notices) };
    const file = notices.some(({ resource_id: id }) => id === exported) && (await readFile(exportOf(exported)).catch(() => null));
    if (!file) return { status: 404, body: plainPage('There is no such export') };
    return { status: 200, body: file, headers: { 'Content-Type': 'text/csv; charset=utf-8', 'Content-Disposition': 'attachment' } };
  }

  async function link(request: IncomingMessage, { visitor, token }: { visitor: string; token: string }): Promise<Answer> {
    const again = (status: number, problem: string): Answer => ({ status, body: linkingPage(token, problem) });
    const form = await formIn(request);
    if (!form) return again(413, 'Enter the link code alone.');
    const given = Buffer.from(form.get('token') ?? '');
    if (given.length !== token.length || !timingSafeEqual(given, Buffer.from(token))) {
      return again(403, 'This page had expired, or your browser takes no cookies. Open the page again.');
    }
    if (!mayTry(request)) return again(429, 'Too many attempts. Try again in a quarter of an hour.');
    try {
      await client.capabilities();
      const redeemed = await client.redeemLinkCode(form.get('code') ?? '');
      await store.link(visitor, redeemed.connection_id);
    } catch (error) {
      if (!(error instanceof KitError)) throw error;
      const isQuota = error instanceof RateLimited || (error instanceof Problem && error.status === 429);
      const refusal = refusals[error.code] ?? (isQuota ? busy : failed);
      if (refusal === failed) report(error);
      return again(...refusal);
    }
    // The user is waiting: pull at once, and show what has come by then.
    await Promise.race([soon(), wait(longestWaitMs, undefined, { ref: false })]);
    return { status: 303, headers: { Location: '/' } };
  }

  return (request, response) => {
    answer(request)
      .catch((error: unknown): Answer => {
        report(error);
        return { status: 500, body: plainPage('Something went wrong. Try again later.') };
      })
      .then(({ status, body, headers: more }) => {
        if (status === 413) response.setHeader('Connection', 'close');
        response.writeHead(status, { ...headers, ...more }).end(body);
      }, report);
  };
}

/** A form of this site, or null for anything else. */
async function formIn(request: IncomingMessage): Promise<URLSearchParams | null> {
  if (!request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')) return null;
  let text = '';
  for await (const chunk of request.setEncoding('latin1').iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    if (text.length > largestForm) return null;
  }
  return new URLSearchParams(text);
}
