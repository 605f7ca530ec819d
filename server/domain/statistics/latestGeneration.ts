import { DomainError } from '../shared/DomainError.ts';
import { limits } from '../shared/limits.ts';
import type { Query } from '../shared/query.ts';
import { latestGenerationSql } from './latestGeneration.sql.ts';

/** A published generation; `text` is the complete answer as JSON. It never changes: another publication has another id. */
type PublishedGeneration = { readonly id: string; readonly text: string };

type Row = {
  id: string;
  published_at: string;
  period_from: string;
  period_to: string;
  minimum_group_size: number;
  groups: string;
};

/**
 * The latest generation of this client, or null while there is none (docs/specification.md, “Statistics”). The stored groups pass through
 * unparsed. Throws `internal_error` for one that exceeds 2 MiB, which cannot be cut without changing what it says.
 */
export async function latestGeneration(query: Query, clientNumber: number): Promise<PublishedGeneration | null> {
  const [row] = await query<Row>(latestGenerationSql, [clientNumber]);
  if (!row) return null;
  const period = `{"from":"${row.period_from}","to":"${row.period_to}"}`;
  const text = `{"generation_id":"${row.id}","published_at":"${row.published_at}","period":${period},"minimum_group_size":${row.minimum_group_size},"groups":${row.groups}}`;
  if (Buffer.byteLength(text) > limits.statisticsResponseBytes) {
    throw new DomainError('internal_error', { detail: 'The latest generation exceeds the maximum response size.' });
  }
  return { id: row.id, text };
}
