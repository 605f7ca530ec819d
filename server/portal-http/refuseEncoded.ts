import type { Context } from 'koa';
import { DomainError } from '../domain/shared/DomainError.ts';

/** Refuses a body that is compressed, before it is read: nobody here needs one, and what it unfolds to cannot be known. */
export function refuseEncoded(ctx: Context, detail: string): void {
  const encoding = ctx.get('content-encoding');
  if (encoding !== '' && encoding !== 'identity') throw new DomainError('unsupported_media_type', { detail });
}
