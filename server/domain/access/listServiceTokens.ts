import type { EntityManager } from '@mikro-orm/postgresql';
import type { Environment } from '../shared/environment.ts';
import { idCursors } from '../shared/lists/cursors.ts';
import { page, refuseForeignCursor, type Page, type PageRequest } from '../shared/lists/page.ts';
import { refuseBadSearch, tokensNamed } from '../shared/lists/search.ts';
import { ServiceToken } from './ServiceToken.ts';

/** `ending`: only valid tokens, in the order in which they end. */
export const serviceTokenOrders = ['newest', 'oldest', 'ending'] as const;
export type ServiceTokenOrder = (typeof serviceTokenOrders)[number];

type Asked = {
  /** If null, both. */
  readonly environment?: Environment | null;
  readonly order?: ServiceTokenOrder;
  /** Part of the name, or a whole ID. */
  readonly search?: string | null;
  readonly now: Date;
} & PageRequest;

/**
 * A page of the service tokens. Ended ones are included unless the page is ordered by end. Indexes service_token_created, _good,
 * _environment and _environment_good, each in the order of the page. Errors: invalid_request.
 */
export function listServiceTokens(
  em: EntityManager,
  { environment = null, order = 'newest', search = null, now, ...request }: Asked,
): Promise<Page<ServiceToken>> {
  return page(request, {
    cursors: idCursors<ServiceToken>('svt', ({ id }) => id),
    read: async (count, after) => {
      const last = after === null ? null : await em.findOne(ServiceToken, after);
      if (after !== null && !last) refuseForeignCursor();
      refuseBadSearch(search ?? '', 'search');
      const named = search?.trim() ? await tokensNamed(em, search) : null;
      const by = order === 'ending' ? 'expiresAt' : 'createdAt';
      const wanted = [
        environment === null ? {} : { environment },
        order === 'ending' ? { revokedAt: null, expiresAt: { $gt: now } } : {},
        named === null ? {} : { id: { $in: named } },
        last === null ? {} : beyond(last, by, order === 'newest'),
      ];
      const direction = order === 'newest' ? 'desc' : 'asc';
      return em.find(ServiceToken, { $and: wanted }, { orderBy: { [by]: direction, id: direction }, limit: count });
    },
  });
}

/** What follows an item. The first condition adds nothing, but it tells PostgreSQL where in the index to begin. */
function beyond(last: ServiceToken, by: 'createdAt' | 'expiresAt', descending: boolean) {
  const [further, atMost] = descending ? (['$lt', '$lte'] as const) : (['$gt', '$gte'] as const);
  const { id, [by]: at } = last;
  return { [by]: { [atMost]: at }, $or: [{ [by]: { [further]: at } }, { [by]: at, id: { [further]: id } }] };
}
