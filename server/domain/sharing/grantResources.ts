import type { EntityManager } from '@mikro-orm/postgresql';
import { noteLock } from '../shared/locks.ts';
import type { Scope } from '../shared/scopes.ts';
import { sql } from '../shared/sql.ts';
import type { ResourceType } from '../tracking/allowlist.ts';

/** A tracked resource whose row the transaction has pinned. */
export type PinnedResource = { readonly trackedResourceId: string; readonly type: ResourceType };

/** A resource as its client knows it: `ord_…` or `veh_…`. */
export type GrantedResource = { readonly id: string; readonly type: ResourceType };

const shareResourcesSql = 'select share_resources($1::int, $2, $3::text[], $4::bigint[], $5::text[], $6::timestamptz) as ids';

/**
 * Shares pinned resources in a connection (`share_resources`). The caller holds the rows FOR SHARE, so that no update is missed, and then the
 * feed.
 */
export async function grantResources(
  tx: EntityManager,
  {
    clientNumber,
    connectionId,
    scopes,
    resources,
    now,
  }: { clientNumber: number; connectionId: string; scopes: readonly Scope[]; resources: readonly PinnedResource[]; now: Date },
): Promise<GrantedResource[]> {
  if (resources.length === 0) return [];
  noteLock(tx, 'feed');
  const types = resources.map(({ type }) => type);
  const [shared] = await sql<{ ids: string[] }>(tx, shareResourcesSql, [
    clientNumber,
    connectionId,
    scopes,
    resources.map(({ trackedResourceId }) => trackedResourceId),
    types,
    now,
  ]);
  return types.map((type, index) => ({ id: shared?.ids[index] ?? '', type }));
}
