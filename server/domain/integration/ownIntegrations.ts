import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from '../shared/DomainError.ts';
import { idCursors } from '../shared/lists/cursors.ts';
import { page, refuseForeignCursor, type Page, type PageRequest } from '../shared/lists/page.ts';
import { Integration } from './Integration.ts';
import { slugRefusal } from './slugRefusal.ts';

/** One of the operator's own integrations, by its slug. Somebody else's is not_found, like one that never existed. */
export async function ownIntegration(em: EntityManager, operatorId: string, slug: string): Promise<Integration> {
  const integration = slugRefusal(slug) === null ? await em.findOne(Integration, { slug, operatorId }) : null;
  if (!integration) throw new DomainError('not_found', { detail: 'There is no such integration.' });
  return integration;
}

/** A page of the operator's own integrations, newest first. Errors: invalid_request. */
export async function ownIntegrations(
  em: EntityManager,
  { operatorId, ...request }: { operatorId: string } & PageRequest,
): Promise<Page<Integration> & { readonly totalCount: number }> {
  const found = await page(request, {
    cursors: idCursors<Integration>('int', ({ id }) => id),
    read: async (count, after) => {
      const last = after === null ? null : await em.findOne(Integration, { id: after, operatorId });
      if (after !== null && !last) refuseForeignCursor();
      // The first condition follows from the second; it tells the database where in the index to begin.
      const older = last
        ? {
            createdAt: { $lte: last.createdAt },
            $or: [{ createdAt: { $lt: last.createdAt } }, { createdAt: last.createdAt, id: { $lt: last.id } }],
          }
        : {};
      return em.find(Integration, { operatorId, ...older }, { orderBy: { createdAt: 'desc', id: 'desc' }, limit: count });
    },
  });
  return { ...found, totalCount: await em.count(Integration, { operatorId }) };
}
