import { DomainError } from '../shared/DomainError.ts';
import type { RawQuery } from '../shared/query.ts';
import { changesSinceSql } from './changesSince.sql.ts';

/** A live record as stored text: `head`, then `core` without its opening brace, then the shipping section where it is allowed. */
export type LiveRecord = { readonly head: Buffer; readonly core: Buffer; readonly shipping: Buffer | null };

export type FeedPage = {
  readonly upserts: readonly LiveRecord[];
  /** Complete JSON objects. */
  readonly tombstones: readonly Buffer[];
  /** Head and epoch of the snapshot that the page was read in; validators are made from these. */
  readonly head: number;
  readonly epoch: number;
  /** Where the next page begins. */
  readonly position: number;
  readonly hasMore: boolean;
};

/**
 * One page of a client's feed after `position` (0: from the beginning), at most `limit` records. Text passes through as bytes; nothing
 * is parsed. Rejects when the database cannot be asked.
 */
export async function changesSince(
  query: RawQuery,
  { clientNo, position, limit }: { clientNo: number; position: number; limit: number },
): Promise<FeedPage> {
  const rows = await query(changesSinceSql, [clientNo, position, limit + 1]);
  const first = rows[0];
  if (!first) throw new DomainError('internal_error', { detail: 'The client has no feed.' });
  const head = numberOf(first[0]);
  const hasMore = rows.length > limit;
  const count = hasMore ? limit : rows.length;
  const upserts: LiveRecord[] = [];
  const tombstones: Buffer[] = [];
  for (let index = 0; index < count; index += 1) {
    const [, , , recordHead, core, shipping, tombstone] = rows[index] ?? [];
    if (recordHead && core) upserts.push({ head: recordHead, core, shipping: shipping ?? null });
    else if (tombstone) tombstones.push(tombstone);
  }
  // At the end the position is the head itself: nothing of this snapshot lies between.
  return { upserts, tombstones, head, epoch: numberOf(first[1]), position: hasMore ? numberOf(rows[limit - 1]?.[2]) : head, hasMore };
}

function numberOf(bytes: Buffer | null | undefined): number {
  if (!bytes) throw new DomainError('internal_error', { detail: 'The feed gave no position.' });
  return Number(bytes.toString('latin1'));
}
