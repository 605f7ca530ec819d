import type { EntityManager } from '@mikro-orm/postgresql';
import type { Environment } from '../shared/environment.ts';
import { sql } from '../shared/sql.ts';
import type { ResourceType } from '../tracking/allowlist.ts';

type Keyed = { readonly path: string; readonly type: ResourceType; readonly sourceKey: Buffer };

/**
 * What a connection shares or has shared under these keys. If a resource has several shares, the live one, otherwise the last (unique
 * tracked_resource (environment, type, source_key), index shared_resource_fan_out).
 */
const findSharesSql = `
select u.n::int as n, s.id
  from unnest($4::text[], $5::bytea[]) with ordinality u(type, source_key, n)
  join tracked_resource t on t.environment = $3 and t.type = u.type and t.source_key = u.source_key
 cross join lateral (
   select id from shared_resource where tracked_resource_id = t.id and client_number = $1 and connection_id = $2
    order by revocation_id is null desc, position desc limit 1) s`;

/** The ID of the share under each key, or null if the connection has never had one. */
export async function findShares(
  tx: EntityManager,
  {
    clientNumber,
    connectionId,
    environment,
    keys,
  }: { clientNumber: number; connectionId: string; environment: Environment; keys: readonly Keyed[] },
): Promise<{ path: string; id: string | null }[]> {
  const rows = await sql<{ n: number; id: string }>(tx, findSharesSql, [
    clientNumber,
    connectionId,
    environment,
    keys.map(({ type }) => type),
    keys.map(({ sourceKey }) => sourceKey),
  ]);
  const found = new Map(rows.map(({ n, id }) => [n, id]));
  return keys.map(({ path }, index) => ({ path, id: found.get(index + 1) ?? null }));
}
