import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../shared/sql.ts';

/** The name of an integration `i` in its latest profile. A subquery, so that each name is found by its key, however few there are. */
const publicName = `(select v.public_name from profile_version v where v.integration_id = i.id and v.version = i.profile_version)`;

/** Each by primary key. Deleted accounts have no name. */
const namesSql = `
select o.id, o.email as name from operator o where o.id = any ($1::text[]) and o.email is not null
union all
select i.id, ${publicName} from integration i where i.id = any ($1::text[])
union all
select k.id, (select ${publicName} from integration i where i.id = k.integration_id) || ', ' || k.environment from client k where k.id = any ($1::text[])
union all
select t.id, t.name from service_token t where t.id = any ($1::text[])`;

/**
 * What administrators call the things with these identifiers, in the same order: an address or a name, or null if there is none any more.
 */
export async function namesOf(em: EntityManager, ids: readonly string[]): Promise<(string | null)[]> {
  const rows = await sql<{ id: string; name: string | null }>(em, namesSql, [[...new Set(ids)]]);
  const found = new Map(rows.map(({ id, name }) => [id, name]));
  return ids.map((id) => found.get(id) ?? null);
}
