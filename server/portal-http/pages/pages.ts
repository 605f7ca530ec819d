import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { send } from '@koa/send';
import type { Context, Middleware } from 'koa';
import { readsPages } from '../readsPages.ts';
import { newNonce, pagePolicy } from '../securityHeaders.ts';
import { answerUnchanged } from '../sendDocument.ts';
import type { DocumentParts } from './readDocuments.ts';

const yearSeconds = 31_536_000;

/** The built app: its one page, and what it has at a path. */
type App = {
  readonly template: string;
  readonly knows: (path: string) => boolean;
  /** The version of the terms that the page at a path is about. */
  readonly termsAt: (path: string) => string | undefined;
};

type Subjects = {
  /** Whether the subject of a page exists. This is asked only if the answer is one row found by its key and is the same for everybody. */
  readonly termsExist: (version: number) => Promise<boolean>;
  /** What a page of the documentation is sent with; null for other pages. */
  readonly documentAt: (path: string) => Promise<DocumentParts | null>;
};

/**
 * Serves the single-page app from `root`: hashed files, which may be cached for ever, and its page, with a new nonce, at the paths that the
 * app knows. Elsewhere, browsers get the page that says there is nothing, with 404, and other callers get a problem.
 */
export function pages(root: string, { termsExist, documentAt }: Subjects): Middleware {
  let app: Promise<App> | undefined;
  const isMissing = async (version: string | undefined) => {
    // Without the database this cannot be known. The page itself then says so.
    return version !== undefined && !(/^[1-9]\d{0,5}$/.test(version) && (await termsExist(Number(version)).catch(() => true)));
  };
  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    app ??= readApp(root);
    const { template, knows, termsAt } = await app.catch((error: unknown) => {
      app = undefined;
      throw error;
    });
    if (knows(ctx.path) && !(await isMissing(termsAt(ctx.path))))
      return sendPage(ctx, withDocument(template, await documentAt(ctx.path)), 200);
    const isAsset = ctx.path.startsWith(assets);
    if (isAsset && (await sendAsset(ctx, root))) return undefined;
    if (!isAsset && readsPages(ctx)) {
      ctx.state['unknownPath'] = true;
      return sendPage(ctx, template, 404);
    }
    return next();
  };
}

async function readApp(root: string): Promise<App> {
  const [template, addresses] = await Promise.all([readFile(join(root, 'index.html'), 'utf8'), readFile(join(root, patternsFile), 'utf8')]);
  const { pages: patterns, terms } = JSON.parse(addresses) as { readonly pages: readonly string[]; readonly terms: string };
  const [known, version] = [matcher(patterns), matcher([terms])];
  return { template, knows: (path) => known.test(path), termsAt: (path) => version.exec(path)?.[2] };
}

/** The build writes this file (portal-web/vite.config.ts). */
const patternsFile = 'page-patterns.json';

/** The only folder that is served. What lies beside it is for the portal itself. */
const assets = '/assets/';

/** Matches as the app's router does: `:name` is one segment, and neither case nor a slash at the end matters. */
function matcher(patterns: readonly string[]): RegExp {
  const alternatives = patterns.map((pattern) => pattern.replaceAll(/:\w+/g, '([^/]+)').replace(/^\//, ''));
  return new RegExp(`^/(${alternatives.join('|')})/?$`, 'i');
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

/** The page with a document in it: the whole text for readers without scripts, its title, and where it is as Markdown. */
function withDocument(template: string, parts: DocumentParts | null): string {
  if (!parts) return template;
  // Replaced by functions: a document may contain `$&`.
  return template
    .replace(/<title>[^<]*<\/title>/, () => parts.head)
    .replace(/<noscript>[^]*?<\/noscript>/, () => `<noscript>${parts.body}</noscript>`);
}

/** Sends a file, or answers 304 to a client that has it. Resolves to whether there is one. */
async function sendAsset(ctx: Context, root: string): Promise<boolean> {
  // Compressed versions of scripts and styles lie beside them.
  ctx.vary('Accept-Encoding');
  try {
    const file = { root: join(root, assets), immutable: true, maxAge: yearSeconds * 1000, hidden: false };
    await send(ctx, ctx.path.slice(assets.length), file);
  } catch (error) {
    // A path that leaves the folder (403) or cannot be decoded (400) does not name a file either.
    if (error instanceof Error && 'status' in error && [400, 403, 404].includes(Number(error.status))) return false;
    throw error;
  }
  // Each name has one content, in each coding one of another length.
  const { lastModified, length } = ctx.response;
  const etag = `"${lastModified.getTime().toString(36)}-${length.toString(36)}"`;
  answerUnchanged(ctx, { etag, lastModified, coding: null });
  return true;
}
