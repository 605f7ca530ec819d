import { limits } from '../shared/limits.ts';
import type { Query } from '../shared/query.ts';
import { type AccessRow, type Inaccessible, whyInaccessible } from './access.ts';
import { findHistorySql } from './findHistory.sql.ts';

/** One page of a resource's history, or the reason why there is none. `text` is the complete response as JSON. */
type FoundHistory = Inaccessible | { readonly state: 'live'; readonly text: string };

type Row = AccessRow & { history_complete: boolean | null; sequence: string | null; occurred_at: string | null; changes: string | null };

// Sequences have at most 16 digits, so what surrounds the items never exceeds this.
const envelopeBytes = 256;

/**
 * The history of a shared resource after the sequence `after`, at most `limit` items and 8 MiB (docs/specification.md, “Histories”). The
 * stored changes are passed on unparsed. Another client's ID, a wrong type and a random ID are all unknown.
 */
export async function findHistory(
  query: Query,
  { clientNumber, id, type, after, limit }: { clientNumber: number; id: string; type: 'order' | 'vehicle'; after: number; limit: number },
): Promise<FoundHistory> {
  const rows = await query<Row>(findHistorySql, [clientNumber, id, type, after, limit + 1]);
  const reason = whyInaccessible(rows[0]);
  if (reason) return reason;
  const complete = rows[0]?.history_complete ?? null;
  if (complete === null) return { state: 'unknown' };
  const found = rows.filter((row) => row.sequence !== null);
  const items = fitting(found.slice(0, limit));
  const last = found[items.length - 1];
  const next = items.length < found.length && last ? `,"next_after":${last.sequence}` : '';
  return {
    state: 'live',
    text: `{"resource":{"id":"${id}","type":"${type}"},"history_complete":${complete},"items":[${items.join(',')}]${next}}`,
  };
}

/** The items as JSON text, as many as the largest response can hold, but at least one, so that every page makes progress. */
function fitting(rows: readonly Row[]): string[] {
  const items: string[] = [];
  let bytes = envelopeBytes;
  for (const { sequence, occurred_at: occurredAt, changes } of rows) {
    const item = `{"sequence":${sequence},"occurred_at":"${occurredAt}","changes":${changes}}`;
    bytes += Buffer.byteLength(item) + 1;
    if (bytes > limits.responseBytes && items.length > 0) break;
    items.push(item);
  }
  return items;
}
