import type { Query } from '../shared/query.ts';
import { type AccessRow, type Inaccessible, whyInaccessible } from './access.ts';
import { findSharedResourceSql } from './findSharedResource.sql.ts';
import { snapshotText } from './snapshotText.ts';

/** What a client may know about one ID. `text` is the complete snapshot as JSON. */
type FoundResource = Inaccessible | { readonly state: 'live'; readonly revision: string; readonly text: string };

type Row = AccessRow & {
  connection_id: string;
  revision: string;
  updated_at: string;
  scopes: number;
  history_complete: boolean;
  core: string | null;
  shipping: string | null;
};

/** Finds a shared resource of this client by ID and type. Another client's ID, a wrong type and a random ID are all unknown. */
export async function findSharedResource(
  query: Query,
  { clientNumber, id, type }: { clientNumber: number; id: string; type: 'order' | 'vehicle' },
): Promise<FoundResource> {
  const [row] = await query<Row>(findSharedResourceSql, [clientNumber, id, type]);
  const reason = whyInaccessible(row);
  if (reason) return reason;
  if (!row || row.core === null) return { state: 'unknown' };
  const facts = {
    id,
    connectionId: row.connection_id,
    revision: row.revision,
    updatedAt: row.updated_at,
    scopes: row.scopes,
    historyComplete: row.history_complete,
  };
  return { state: 'live', revision: row.revision, text: snapshotText(facts, row.core, row.shipping) };
}
