import { DomainError } from '../shared/DomainError.ts';
import type { RawQuery } from '../shared/query.ts';
import { changesSinceSql } from './changesSince.sql.ts';
import { recordHead } from './recordHead.ts';

/** A live record as text: `head` (ASCII), then `core` without its opening brace, then the shipping section where it is allowed. */
export type LiveRecord = { readonly head: string; readonly core: Buffer; readonly shipping: Buffer | null };

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
 * One page of a client's feed after `position` (0: from the beginning), at most `limit` records. Stored text passes through as bytes;
 * nothing is parsed. Rejects when the database cannot be asked.
 */
export async function changesSince(
  query: RawQuery,
  { clientNo, position, limit }: { clientNo: number; position: number; limit: number },
): Promise<FeedPage> {
  const rows = await query(changesSinceSql, [clientNo, position, limit + 1]);
  const [end, head, epoch] = factsOf(rows.at(-1));
  if (end !== 'end') throw new DomainError('internal_error', { detail: 'The client has no feed.' });
  const entries = rows.length - 1;
  const hasMore = entries > limit;
  const upserts: LiveRecord[] = [];
  const tombstones: Buffer[] = [];
  for (let index = 0; index < Math.min(entries, limit); index += 1) {
    const row = rows[index];
    const [, core, shipping, tombstone] = row ?? [];
    if (core) upserts.push({ head: recordHead(factsOf(row)), core, shipping: shipping ?? null });
    else if (tombstone) tombstones.push(tombstone);
  }
  // At the end the position is the head itself: nothing of this snapshot lies between.
  const next = hasMore ? factsOf(rows[limit - 1])[0] : head;
  return { upserts, tombstones, head: Number(head), epoch: Number(epoch), position: Number(next), hasMore };
}

/** The first column, as the statement put it together: position, id, connection, revision, scope bits, history_complete, day, time. */
function factsOf(row: readonly (Buffer | null)[] | undefined): string[] {
  return row?.[0]?.toString('latin1').split(' ') ?? [];
}
