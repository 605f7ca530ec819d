import type { EntityManager } from '@mikro-orm/postgresql';
import { takePositions } from '../feed/lockFeeds.ts';
import { newId } from '../shared/ids.ts';
import { scopeBits, type Scope } from '../shared/scopes.ts';
import { sql } from '../shared/sql.ts';
import type { ResourceType } from '../tracking/allowlist.ts';
import { emitEvent } from '../outbox/emitEvent.ts';

/** A tracked resource whose row the transaction has pinned. */
export type PinnedResource = { readonly trackedResourceId: string; readonly type: ResourceType };

/** A resource as its client knows it: `ord_…` or `veh_…`. */
export type GrantedResource = { readonly id: string; readonly type: ResourceType };

/** The scope without which resources of this type cannot be read at all. */
export const readScopes = { order: 'orders.read', vehicle: 'vehicles.read' } as const satisfies Record<ResourceType, Scope>;

const insertSharesSql = `
insert into shared_resource (client_no, id, connection_id, tracked_resource_id, type, consented, revision, position, updated_at)
select $1::int, u.id, $2::text, u.tracked_resource_id, u.type, $3::smallint, $4::bigint, $5::bigint + u.n, $6::timestamptz
  from unnest($7::text[], $8::bigint[], $9::text[]) with ordinality u(id, tracked_resource_id, type, n) order by u.n`;

/**
 * Shares pinned resources in a connection. Each gets a new ID at revision 1, the next position of the client's feed and its
 * `resource.granted` event. The caller holds the rows FOR SHARE, so that no update is missed, and then the feed.
 */
export async function grantResources(
  tx: EntityManager,
  {
    clientNo,
    connectionId,
    scopes,
    resources,
    now,
  }: { clientNo: number; connectionId: string; scopes: readonly Scope[]; resources: readonly PinnedResource[]; now: Date },
): Promise<GrantedResource[]> {
  if (resources.length === 0) return [];
  const granted = resources.map(({ type }) => ({ id: newId(type === 'order' ? 'ord' : 'veh'), type }));
  const { base, epoch } = await takePositions(tx, clientNo, granted.length);
  await sql(tx, insertSharesSql, [
    clientNo,
    connectionId,
    scopeBits(...scopes),
    1 - epoch,
    base,
    now,
    granted.map(({ id }) => id),
    resources.map(({ trackedResourceId }) => trackedResourceId),
    granted.map(({ type }) => type),
  ]);
  await emitEvent(
    tx,
    granted.map((resource) => ({ type: 'resource.granted', clientNo, connectionId, resource })),
    now,
  );
  return granted;
}
