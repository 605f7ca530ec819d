import type { EntityManager } from '@mikro-orm/postgresql';
import { tokensNamed } from '../access/listServiceTokens.ts';
import { integrationsNamed, operatorsNamed, refuseBadSearch, thingsNamed } from '../administration/search.ts';
import { refuseInvalid } from '../shared/DomainError.ts';
import { limits } from '../shared/limits.ts';
import type { AuditWay } from './auditSql.ts';

/**
 * The identifiers of one kind that a text names in the trail: integrations and accounts like their own lists; actors and subjects as whole
 * identifiers of anything, else by what stands beside these in the trail (`thingsNamed`, and service tokens by name). An address names
 * something only with the @ in it, since the page keeps other texts in its own. Errors: invalid_request, also where more than 100 are named.
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
  return [search, ...(await thingsNamed(em, search)), ...(await tokensNamed(em, search))];
}
