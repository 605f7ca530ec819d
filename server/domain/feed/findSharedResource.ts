import type { Query } from '../shared/query.ts';
import { findSharedResourceSql } from './findSharedResource.sql.ts';
import { recordHead } from './recordHead.ts';

/** What a client may know about one id. */
export type FoundResource =
  | { readonly state: 'unknown' }
  | { readonly state: 'revoked'; readonly revocationId: string; readonly deletionDeadlineAt: string }
  | { readonly state: 'not_consented' }
  /** `text` is the complete snapshot as JSON. */
  | { readonly state: 'live'; readonly revision: string; readonly text: string };

type Row = {
  facts: string;
  revision: string;
  revocation_id: string | null;
  deletion_deadline_at: string | null;
  consented: boolean;
  core: string | null;
  shipping: string | null;
};

/** Finds a shared resource of this client by id and type; another client's id, a wrong type and a random id are all unknown. */
export async function findSharedResource(
  query: Query,
  { clientNo, id, type }: { clientNo: number; id: string; type: 'order' | 'vehicle' },
): Promise<FoundResource> {
  const [row] = await query<Row>(findSharedResourceSql, [clientNo, id, type]);
  if (!row) return { state: 'unknown' };
  if (row.revocation_id !== null && row.deletion_deadline_at !== null) {
    return { state: 'revoked', revocationId: row.revocation_id, deletionDeadlineAt: row.deletion_deadline_at };
  }
  if (!row.consented) return { state: 'not_consented' };
  if (row.core === null) return { state: 'unknown' };
  const shipping = row.shipping === null ? '' : `,"shipping":${row.shipping}`;
  return { state: 'live', revision: row.revision, text: `${recordHead(row.facts.split(' '))}${row.core.slice(1, -1)}${shipping}}` };
}
