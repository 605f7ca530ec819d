import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { send } from '@koa/send';
import type { Context, Middleware } from 'koa';
import { newNonce, pagePolicy } from '../securityHeaders.ts';

const yearSeconds = 31_536_000;

/** The app as it was built: its one page, and whether it has something at an address. */
type App = { readonly template: string; readonly knows: (path: string) => boolean };

/** What the app's pages are about and may not be there. Asked only where the answer is one row by its key, and the same for everybody. */
type Existing = { readonly termsExist: (version: number) => Promise<boolean> };

/**
 * Serves the single-page app from `root`: hashed files for ever, and at the addresses that the app knows its page, with a nonce of its own.
 * Elsewhere a browser gets the page that says so, with 404; other callers get the problem that follows.
 */
export function pages(root: string, { termsExist }: Existing): Middleware {
  let app: Promise<App> | undefined;
  const isMissing = async (path: string) => {
    const [, version] = termsPath.exec(path) ?? [];
    // Without the database nothing is known; the page itself says so then.
    return version !== undefined && !(/^[1-9]\d{0,5}$/.test(version) && (await termsExist(Number(version)).catch(() => true)));
  };
  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    app ??= readApp(root);
    const { template, knows } = await app.catch((error: unknown) => {
      app = undefined;
      throw error;
    });
    if (knows(ctx.path) && !(await isMissing(ctx.path))) return sendPage(ctx, template, 200);
    if (isFile(ctx.path) && (await sendFile(ctx, root))) return undefined;
    if (!ctx.path.startsWith('/assets/') && readsPages(ctx)) {
      ctx.state['unknownPath'] = true;
      return sendPage(ctx, template, 404);
    }
    return next();
  };
}

async function readApp(root: string): Promise<App> {
  const [template, patterns] = await Promise.all(['index.html', patternsFile].map((file) => readFile(join(root, file), 'utf8')));
  return { template: template ?? '', knows: matcher(JSON.parse(patterns ?? '[]') as string[]) };
}

/** As the router reads `/terms/:version`. */
const termsPath = /^\/terms\/([^/]+)\/?$/i;

/** The build writes it (portal-web/vite.config.ts); nobody is served it. */
const patternsFile = 'page-patterns.json';

/** As the router of the app matches: `:name` is one segment, case and a slash at the end do not matter. */
function matcher(patterns: readonly string[]): (path: string) => boolean {
  const alternatives = patterns.map((pattern) => pattern.replaceAll(/:\w+/g, '[^/]+').replace(/^\//, ''));
  const known = new RegExp(`^/(${alternatives.join('|')})/?$`, 'i');
  return (path) => known.test(path);
}

function isFile(path: string): boolean {
  return path !== `/${patternsFile}` && (path.startsWith('/assets/') || /\.[a-z0-9]{2,11}$/.test(path));
}

/** Whether the caller asks for pages by name, as browsers do; `*\/*` is a program's. */
function readsPages(ctx: Context): boolean {
  return ctx.get('accept').includes('text/html');
}

function sendPage(ctx: Context, template: string, status: number): void {
  const nonce = newNonce();
  ctx.state['route'] = status === 404 ? 'static' : 'page';
  ctx.status = status;
  ctx.set('Content-Security-Policy', pagePolicy(nonce));
  ctx.set('Cache-Control', 'no-store');
  ctx.type = 'html';
  ctx.body = template.replaceAll('__CSP_NONCE__', nonce);
}

/** Whether there is such a file. */
async function sendFile(ctx: Context, root: string): Promise<boolean> {
  const forEver = ctx.path.startsWith('/assets/');
  // Scripts and styles lie there compressed too.
  ctx.vary('Accept-Encoding');
  try {
    await send(ctx, ctx.path, { root, immutable: forEver, maxAge: forEver ? yearSeconds * 1000 : 0, hidden: false });
    return true;
  } catch (error) {
    // Paths that leave the folder or cannot be decoded (403, 400) name no file either.
    if (error instanceof Error && 'status' in error && [400, 403, 404].includes(Number(error.status))) return false;
    throw error;
  }
}
