import { DomainError } from '../shared/DomainError.ts';
import { formatInstant } from '../shared/text/formatInstant.ts';
import type { ReadRows, Row } from '../shared/query.ts';
import { changesSinceSql, pageColumn } from './changesSince.sql.ts';
import { recordHead } from './recordHead.ts';

/** Receives a page's records as they arrive, in feed order. */
export type PageReceiver = {
  /**
   * A live record: `head`, then the row's `core` without its opening brace, then its `shipping` unless it is NULL. The row is valid only
   * during the call.
   */
  upsert(head: string, row: Row): void;
  /** A complete JSON object. */
  tombstone(text: Buffer): void;
};

type PageEnd = {
  /** Head and epoch of the snapshot in which the page was read. Validators are computed from these. */
  readonly head: number;
  readonly epoch: number;
  /** Where the next page begins. */
  readonly position: number;
  readonly hasMore: boolean;
};

/**
 * Reads one page of a client's feed after `position` (0 for the beginning), with at most `limit` records. Stored text is passed on as
 * bytes, and nothing is parsed. Rejects if the database cannot be queried; what the receiver has got until then must be discarded.
 */
export async function changesSince(
  read: ReadRows,
  { clientNumber, position, limit }: { clientNumber: number; position: number; limit: number },
  receiver: PageReceiver,
): Promise<PageEnd> {
  let entries = 0;
  let reached = position;
  let end: { head: number; epoch: number } | undefined;
  await read(changesSinceSql, [clientNumber, position, limit + 1], (row) => {
    if (row.isNull(pageColumn.connectionId)) {
      end = { head: row.integer(pageColumn.position), epoch: row.integer(pageColumn.revision) };
      return;
    }
    entries += 1;
    // The row beyond the limit only says that there are more.
    if (entries > limit) return;
    reached = row.integer(pageColumn.position);
    if (!row.isNull(pageColumn.core)) receiver.upsert(headOf(row), row);
    else if (!row.isNull(pageColumn.tombstone)) receiver.tombstone(row.copy(pageColumn.tombstone));
  });
  if (!end) throw new DomainError('internal_error', { detail: 'The client has no feed.' });
  const hasMore = entries > limit;
  // At the end, the position is the head itself, because this snapshot has nothing in between.
  return { ...end, position: hasMore ? reached : end.head, hasMore };
}

function headOf(row: Row): string {
  return recordHead({
    id: row.ascii(pageColumn.id),
    connectionId: row.ascii(pageColumn.connectionId),
    revision: row.integer(pageColumn.revision),
    updatedAt: formatInstant(row.instant(pageColumn.updatedAt)),
    scopes: row.smallInteger(pageColumn.scopes),
    historyComplete: row.boolean(pageColumn.historyComplete),
  });
}
