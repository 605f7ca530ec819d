import type { Query } from '../shared/query.ts';
import { type AccessRow, type Inaccessible, whyInaccessible } from './access.ts';
import { findSharedResourceSql } from './findSharedResource.sql.ts';
import { recordHead } from './recordHead.ts';

/** What a client may know about one id. `text` is the complete snapshot as JSON. */
export type FoundResource = Inaccessible | { readonly state: 'live'; readonly revision: string; readonly text: string };

type Row = AccessRow & { facts: string; revision: string; core: string | null; shipping: string | null };

/** Finds a shared resource of this client by id and type; another client's id, a wrong type and a random id are all unknown. */
export async function findSharedResource(
  query: Query,
  { clientNo, id, type }: { clientNo: number; id: string; type: 'order' | 'vehicle' },
): Promise<FoundResource> {
  const [row] = await query<Row>(findSharedResourceSql, [clientNo, id, type]);
  const reason = whyInaccessible(row);
  if (reason) return reason;
  if (!row || row.core === null) return { state: 'unknown' };
  const shipping = row.shipping === null ? '' : `,"shipping":${row.shipping}`;
  return { state: 'live', revision: row.revision, text: `${recordHead(row.facts.split(' '))}${row.core.slice(1, -1)}${shipping}}` };
}
