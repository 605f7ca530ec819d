import type { EntityManager } from '@mikro-orm/postgresql';
import { refuseInvalid } from '../shared/DomainError.ts';
import { limits } from '../shared/limits.ts';
import { integrationsNamed, operatorsNamed, refuseBadSearch, thingsNamed, tokensNamed } from '../shared/lists/search.ts';
import { sql } from '../shared/sql.ts';
import { auditColumns, type AuditWay } from './auditSql.ts';

/**
 * The identifiers of one kind that a text names in the trail: integrations and accounts as their own lists find them, actors and subjects
 * by any whole identifier or by what the trail shows beside them (`thingsNamed`, and service tokens by name). An email address names
 * something only if it includes the @, because the page keeps other searches in its own address. Errors: invalid_request, also if more than
 * 100 are named.
 */
export async function namedInTrail(em: EntityManager, way: AuditWay, search: string): Promise<readonly string[]> {
  refuseBadSearch(search, 'filter.search');
  const ids = [...new Set(await identifiersNamed(em, way, search))];
  if (ids.length > limits.searchedTrails) refuseInvalid([{ path: 'filter.search', message: tooMany }]);
  return ids;
}

const tooMany = `This names more than ${limits.searchedTrails} things at once. Enter more of the name, slug or address.`;

async function identifiersNamed(em: EntityManager, way: AuditWay, search: string): Promise<string[]> {
  if (way === 'integrationId') return integrationsNamed(em, search);
  if (way === 'operatorId') return operatorsNamed(em, search, 'with the @');
  return [...(await identifiersIn(em, way, search)), ...(await thingsNamed(em, search)), ...(await tokensNamed(em, search))];
}

/**
 * The text itself, in upper or lower case, if the trail has it as an identifier. Anything else is not one: an address, or a secret pasted
 * by mistake, would end up in the address of an export and in its line of the trail. By the first entry of audit_entry_<way>.
 */
async function identifiersIn(em: EntityManager, way: 'actorId' | 'subjectId', text: string): Promise<string[]> {
  const column = auditColumns[way];
  const statement = `
select t.id from unnest($1::text[]) t(id)
 cross join lateral (select from audit_entry where ${column} = any (array[t.id]) order by ${column}, occurred_at desc, id desc limit 1) e`;
  return (await sql<{ id: string }>(em, statement, [[...new Set([text, text.toLowerCase()])]])).map(({ id }) => id);
}
