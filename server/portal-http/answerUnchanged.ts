import type { Context } from 'koa';

/**
 * Sets the validator of an answer, and answers 304 if the caller already has it (RFC 9110, section 13.1.2). Returns whether it has. Koa’s own
 * `fresh` obeys the request’s Cache-Control, which fetch adds of its own accord when If-None-Match is set.
 */
export function answerUnchanged(ctx: Context, etag: string): boolean {
  ctx.set('ETag', etag);
  const unchanged = names(ctx.get('If-None-Match'), etag);
  if (unchanged) ctx.status = 304;
  return unchanged;
}

function names(header: string, etag: string): boolean {
  return header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
