import type { EntityManager } from '@mikro-orm/postgresql';
import { findSharedResource } from '../feed/findSharedResource.ts';
import { clientScopeBits, readBit } from '../feed/visibleSql.ts';
import { sql } from '../shared/sql.ts';
import type { ResourceType } from '../tracking/allowlist.ts';

/** Reads the beginning of index shared_resource_feed. */
const firstSql = `
select s.id, s.type from shared_resource s join client c on c.number = s.client_number
 where s.client_number = $1::int and s.revocation_id is null and (s.consented & ${clientScopeBits} & ${readBit('s.type')}) <> 0
 order by s.position limit 1`;

/** The first resource that a sync from the beginning brings to a sandbox client, as the JSON that /v1 answers; null if it brings none. */
export async function firstRecord(em: EntityManager, clientNumber: number): Promise<string | null> {
  const [first] = await sql<{ id: string; type: ResourceType }>(em, firstSql, [clientNumber]);
  if (!first) return null;
  const found = await findSharedResource((text, parameters) => sql(em, text, parameters), { clientNumber, ...first });
  return found.state === 'live' ? found.text : null;
}
