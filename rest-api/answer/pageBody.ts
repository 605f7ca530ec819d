import { pageColumn } from '../../server/domain/feed/changesSince.sql.ts';
import type { PageReceiver } from '../../server/domain/feed/changesSince.ts';
import type { Row } from '../../server/domain/shared/query.ts';
import type { BufferPool } from './bufferPool.ts';

const comma = 0x2c;
const closingBrace = 0x7d;
const opening = Buffer.from('{"upserts":[');
const between = Buffer.from('],"tombstones":[');
const shippingMember = Buffer.from(',"shipping":');
const usualBytes = 1024 * 1024;

/** A body in a pooled buffer; `bytes` is a view of `pooled`. */
export type PooledBody = { readonly bytes: Buffer; readonly pooled: Buffer };

/**
 * The JSON of a page, copied from the rows into one pooled buffer as they arrive: nothing is parsed, escaped or hashed on the way. The
 * buffer of a page that fails never goes back to the pool, because more of its rows may still arrive.
 */
export class PageBody implements PageReceiver {
  readonly #pool: BufferPool;
  readonly #tombstones: Buffer[] = [];
  #pooled: Buffer;
  #at: number;

  constructor(pool: BufferPool) {
    this.#pool = pool;
    this.#pooled = pool.take(usualBytes);
    this.#at = opening.copy(this.#pooled);
  }

  upsert(head: string, { bytes, starts, ends }: Row): void {
    // The section is stored as an object. Its opening brace is left out, because its members follow those of the head.
    const core = (starts[pageColumn.core] ?? 0) + 1;
    const coreEnd = ends[pageColumn.core] ?? 0;
    const shipping = starts[pageColumn.shipping] ?? 0;
    const shippingEnd = ends[pageColumn.shipping] ?? 0;
    this.#reserve(head.length + shippingEnd - core + shippingMember.length + 2);
    const target = this.#pooled;
    let at = this.#at;
    at += target.write(head, at, 'latin1');
    at += bytes.copy(target, at, core, coreEnd);
    if (shippingEnd >= shipping) {
      // The shipping section goes in front of the core section's closing brace.
      at -= 1;
      at += shippingMember.copy(target, at);
      at += bytes.copy(target, at, shipping, shippingEnd);
      target[at++] = closingBrace;
    }
    target[at++] = comma;
    this.#at = at;
  }

  tombstone(text: Buffer): void {
    this.#tombstones.push(text);
  }

  /** Completes the page. Nothing may be added after this. */
  finish(nextCursor: string, hasMore: boolean): PooledBody {
    const tombstones = this.#tombstones.map((text) => text.toString('latin1')).join(',');
    const closing = `${tombstones}],"next_cursor":"${nextCursor}","has_more":${hasMore}}`;
    this.#reserve(between.length + closing.length);
    // The comma after the last record is overwritten.
    let at = this.#at === opening.length ? this.#at : this.#at - 1;
    at += between.copy(this.#pooled, at);
    at += this.#pooled.write(closing, at, 'latin1');
    // A small page is moved to a small buffer, because its reader may take a long time to fetch it.
    if (at * 4 < this.#pooled.length) this.#move(at, at);
    return { bytes: this.#pooled.subarray(0, at), pooled: this.#pooled };
  }

  #reserve(more: number): void {
    if (this.#at + more > this.#pooled.length) this.#move(this.#at, Math.max(this.#pooled.length * 2, this.#at + more));
  }

  #move(used: number, size: number): void {
    const pooled = this.#pool.take(size);
    this.#pooled.copy(pooled, 0, 0, used);
    this.#pool.giveBack(this.#pooled);
    this.#pooled = pooled;
  }
}
