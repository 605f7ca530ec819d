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

type Bytes = Buffer | null | undefined;

/**
 * One page of a client's feed after `position` (0: from the beginning), at most `limit` records. Stored text passes through as bytes;
 * nothing is parsed. Rejects when the database cannot be asked.
 */
export async function changesSince(
  query: RawQuery,
  { clientNo, position, limit }: { clientNo: number; position: number; limit: number },
): Promise<FeedPage> {
  const rows = await query(changesSinceSql, [clientNo, position, limit + 1]);
  const last = rows.at(-1);
  if (!last || last[0] !== null) throw new DomainError('internal_error', { detail: 'The client has no feed.' });
  const head = Number(text(last[3]));
  const entries = rows.length - 1;
  const hasMore = entries > limit;
  const upserts: LiveRecord[] = [];
  const tombstones: Buffer[] = [];
  for (let index = 0; index < Math.min(entries, limit); index += 1) {
    const row = rows[index] ?? [];
    const core = row[7];
    const tombstone = row[9];
    if (core) upserts.push(liveRecord(row, core));
    else if (tombstone) tombstones.push(tombstone);
  }
  // At the end the position is the head itself: nothing of this snapshot lies between.
  return { upserts, tombstones, head, epoch: Number(text(last[9])), position: hasMore ? Number(text(rows[limit - 1]?.[0])) : head, hasMore };
}

function liveRecord(row: readonly Bytes[], core: Buffer): LiveRecord {
  const head = recordHead({
    id: text(row[1]),
    connectionId: text(row[2]),
    revision: text(row[3]),
    updatedAt: text(row[4]),
    bits: Number(text(row[5])),
    historyComplete: row[6]?.[0] === 0x74,
  });
  return { head, core, shipping: row[8] ?? null };
}

function text(bytes: Bytes): string {
  if (!bytes) throw new DomainError('internal_error', { detail: 'The feed has a hole.' });
  return bytes.toString('latin1');
}
