import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../shared/sql.ts';

/** By primary key. */
const activitySql = `
  select certificate_id as id, last_used_at as "lastUsedAt"
    from certificate_activity where certificate_id = any($1::text[])`;

/**
 * When each of these certificates was last used, in their order, with null for never. A call counts if the certificate itself was accepted,
 * even if the call was then refused, for instance by a quota.
 */
export async function certificatesLastUsed(em: EntityManager, ids: readonly string[]): Promise<(Date | null)[]> {
  const rows = await sql<{ id: string; lastUsedAt: Date }>(em, activitySql, [[...ids]]);
  const times = new Map(rows.map(({ id, lastUsedAt }) => [id, lastUsedAt]));
  return ids.map((id) => times.get(id) ?? null);
}
