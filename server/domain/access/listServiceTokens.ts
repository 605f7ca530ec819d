import type { EntityManager } from '@mikro-orm/postgresql';
import { partOf, refuseBadSearch } from '../administration/search.ts';
import type { Environment } from '../client/Client.ts';
import { refuseInvalid } from '../shared/DomainError.ts';
import { hasIdForm } from '../shared/ids.ts';
import { limits } from '../shared/limits.ts';
import { sql } from '../shared/sql.ts';
import { ServiceToken } from './ServiceToken.ts';

/** `ending`: those that are good now, in the order in which they end. */
export const serviceTokenOrders = ['newest', 'oldest', 'ending'] as const;
export type ServiceTokenOrder = (typeof serviceTokenOrders)[number];

type Asked = {
  /** null: both. */
  readonly environment?: Environment | null;
  readonly order?: ServiceTokenOrder;
  /** A part of the name, or a whole id. */
  readonly search?: string | null;
  readonly first: number;
  readonly after: string | null;
  readonly now: Date;
};

/**
 * A page of the service tokens, ended ones included unless they are ordered by their end. Indexes service_token_created, _good,
 * _environment and _environment_good, each in the order of the page. `after` is the cursor of a former item. Errors: invalid_request.
 */
export async function listServiceTokens(
  em: EntityManager,
  { environment = null, order = 'newest', search = null, first, after, now }: Asked,
): Promise<{ items: readonly ServiceToken[]; hasNextPage: boolean }> {
  if (first < 1 || first > limits.pageSize) refuseInvalid([{ path: 'first', message: `A page has 1 to ${limits.pageSize} items.` }]);
  const last = after === null ? null : await em.findOne(ServiceToken, idOfCursor(after));
  if (after !== null && !last) refuseInvalid([{ path: 'after', message: 'This cursor does not belong to this list.' }]);
  refuseBadSearch(search ?? '', 'search');
  const named = search?.trim() ? await tokensNamed(em, search) : null;
  const by = order === 'ending' ? 'expiresAt' : 'createdAt';
  const found = await em.find(
    ServiceToken,
    {
      $and: [
        environment === null ? {} : { environment },
        order === 'ending' ? { revokedAt: null, expiresAt: { $gt: now } } : {},
        named === null ? {} : { id: { $in: named } },
        last === null ? {} : beyond(last, by, order === 'newest'),
      ],
    },
    { orderBy: { [by]: order === 'newest' ? 'desc' : 'asc', id: order === 'newest' ? 'desc' : 'asc' }, limit: first + 1 },
  );
  return { items: found.slice(0, first), hasNextPage: found.length > first };
}

/** The tokens with this in their name, or with this identifier. By service_token_words, or the primary key. */
export async function tokensNamed(em: EntityManager, search: string): Promise<string[]> {
  const text = search.trim().toLowerCase();
  const byName = 'select id from service_token where lower(name) like $1 or id = $2 limit $3';
  return (await sql<{ id: string }>(em, byName, [partOf(text), text, limits.searchMatches])).map(({ id }) => id);
}

/** What follows an item. The first condition says nothing new, but where in the index to begin. */
function beyond(last: ServiceToken, by: 'createdAt' | 'expiresAt', descending: boolean) {
  const [further, atMost] = descending ? (['$lt', '$lte'] as const) : (['$gt', '$gte'] as const);
  const { id, [by]: at } = last;
  return { [by]: { [atMost]: at }, $or: [{ [by]: { [further]: at } }, { [by]: at, id: { [further]: id } }] };
}

/** The opaque cursor of an item. */
export function serviceTokenCursor({ id }: ServiceToken): string {
  return Buffer.from(id).toString('base64url');
}

function idOfCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString('utf8');
  return hasIdForm('svt', id) ? id : '';
}
