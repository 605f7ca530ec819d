import type { Context } from 'koa';

/**
 * Sets the validators of an answer, and answers 304 if the caller already has it (RFC 9110, section 13.2.2: If-Modified-Since counts only
 * without If-None-Match). Returns whether it has. Koa’s own `fresh` obeys the request’s Cache-Control, which fetch adds of its own accord
 * when If-None-Match is set.
 */
export function answerUnchanged(ctx: Context, { etag, lastModified }: { etag: string; lastModified?: Date }): boolean {
  ctx.set('ETag', etag);
  if (lastModified) ctx.set('Last-Modified', lastModified.toUTCString());
  const unchanged = ctx.get('If-None-Match') ? names(ctx.get('If-None-Match'), etag) : isSince(ctx.get('If-Modified-Since'), lastModified);
  if (unchanged) ctx.status = 304;
  return unchanged;
}

function names(header: string, etag: string): boolean {
  return header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

function isSince(header: string, lastModified: Date | undefined): boolean {
  return lastModified !== undefined && lastModified.getTime() <= Date.parse(header);
}
