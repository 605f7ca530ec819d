import type { Context } from 'koa';
import { DomainError } from '../domain/shared/DomainError.ts';

/** Refuses a compressed body before it is read. Nobody needs one here, and its real size cannot be known. */
export function refuseEncoded(ctx: Context, detail: string): void {
  const encoding = ctx.get('content-encoding');
  if (encoding !== '' && encoding !== 'identity') throw new DomainError('unsupported_media_type', { detail });
}
