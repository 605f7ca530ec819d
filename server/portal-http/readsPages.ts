import type { Context } from 'koa';

/** Whether the caller names pages in Accept, as browsers do. Programs send `*\/*`. */
export function readsPages(ctx: Pick<Context, 'get'>): boolean {
  return ctx.get('accept').includes('text/html');
}
