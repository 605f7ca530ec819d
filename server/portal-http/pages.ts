import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { send } from '@koa/send';
import type { Middleware } from 'koa';
import { newNonce, pagePolicy } from './securityHeaders.ts';

const yearSeconds = 31_536_000;

/** Serves the single-page app from `root`: hashed files for ever, everything else as the page with a nonce of its own. */
export function pages(root: string): Middleware {
  let template: Promise<string> | undefined;
  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    if (ctx.path.startsWith('/assets/') || /\.[a-z0-9]{2,11}$/.test(ctx.path)) return sendFile(ctx, root);
    template ??= readFile(join(root, 'index.html'), 'utf8');
    const nonce = newNonce();
    const page = await template.catch((error: unknown) => {
      template = undefined;
      throw error;
    });
    ctx.state['route'] = 'page';
    ctx.set('Content-Security-Policy', pagePolicy(nonce));
    ctx.set('Cache-Control', 'no-store');
    ctx.type = 'html';
    ctx.body = page.replaceAll('__CSP_NONCE__', nonce);
  };
}

async function sendFile(ctx: Parameters<Middleware>[0], root: string): Promise<void> {
  const forEver = ctx.path.startsWith('/assets/');
  // Scripts and styles lie there compressed too.
  ctx.vary('Accept-Encoding');
  await send(ctx, ctx.path, { root, immutable: forEver, maxAge: forEver ? yearSeconds * 1000 : 0, hidden: false }).catch(
    (error: unknown) => {
      // Paths that leave the folder or cannot be decoded (403, 400) name no file either.
      if (!(error instanceof Error && 'status' in error && [400, 403, 404].includes(Number(error.status)))) throw error;
    },
  );
}
