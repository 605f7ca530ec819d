import type { FeedPage } from '../server/domain/feed/changesSince.ts';
import type { BufferPool } from './bufferPool.ts';

const comma = 0x2c;
const closingBrace = 0x7d;
const opening = Buffer.from('{"upserts":[');
const between = Buffer.from('],"tombstones":[');
const shippingMember = Buffer.from(',"shipping":');

/** A body in a pooled buffer; `bytes` is a view of `pooled`. */
export type PooledBody = { readonly bytes: Buffer; readonly pooled: Buffer };

/** The JSON of a page, copied from the rows into one pooled buffer: nothing is parsed, escaped or hashed on the way. */
export function pageBody(page: FeedPage, nextCursor: string, pool: BufferPool): PooledBody {
  const closing = `],"next_cursor":"${nextCursor}","has_more":${page.hasMore}}`;
  const pooled = pool.take(bodySize(page, closing.length));
  let at = append(pooled, 0, opening);
  for (const { head, core, shipping } of page.upserts) {
    at += pooled.write(head, at, 'latin1');
    pooled.set(core.subarray(1), at);
    // The stored section's closing brace is overwritten where the shipping section follows.
    at += core.length - 1;
    if (shipping) {
      at = append(pooled, at - 1, shippingMember);
      at = append(pooled, at, shipping);
      pooled[at++] = closingBrace;
    }
    pooled[at++] = comma;
  }
  if (page.upserts.length > 0) at -= 1;
  at = append(pooled, at, between);
  for (const tombstone of page.tombstones) {
    at = append(pooled, at, tombstone);
    pooled[at++] = comma;
  }
  if (page.tombstones.length > 0) at -= 1;
  at += pooled.write(closing, at, 'latin1');
  return { bytes: pooled.subarray(0, at), pooled };
}

function bodySize({ upserts, tombstones }: FeedPage, closing: number): number {
  let size = opening.length + between.length + closing;
  for (const { head, core, shipping } of upserts) {
    size += head.length + core.length + 1;
    if (shipping) size += shippingMember.length + shipping.length + 1;
  }
  for (const tombstone of tombstones) size += tombstone.length + 1;
  return size;
}

function append(target: Buffer, at: number, source: Buffer): number {
  target.set(source, at);
  return at + source.length;
}
