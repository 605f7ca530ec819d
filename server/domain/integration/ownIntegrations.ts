import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from '../shared/DomainError.ts';
import { hasIdForm } from '../shared/ids.ts';
import { limits } from '../shared/limits.ts';
import { Integration } from './Integration.ts';
import { slugRefusal } from './profileRules.ts';

/** An integration of the operator's own by its slug. Another's is not_found, like one that never was. */
export async function ownIntegration(em: EntityManager, operatorId: string, slug: string): Promise<Integration> {
  const integration = slugRefusal(slug) === null ? await em.findOne(Integration, { slug, operatorId }) : null;
  if (!integration) throw new DomainError('not_found', { detail: 'There is no such integration.' });
  return integration;
}

/** A page of the operator's own integrations, newest first. `after` is the cursor of a former item. Errors: invalid_request. */
export async function ownIntegrations(
  em: EntityManager,
  { operatorId, first, after }: { operatorId: string; first: number; after: string | null },
): Promise<{ items: readonly Integration[]; hasNextPage: boolean; totalCount: number }> {
  if (first < 1 || first > limits.pageSize) {
    throw new DomainError('invalid_request', { fields: [{ path: 'first', message: `A page has 1 to ${limits.pageSize} items.` }] });
  }
  const last = after === null ? null : await em.findOne(Integration, { id: integrationOfCursor(after), operatorId });
  if (after !== null && !last)
    throw new DomainError('invalid_request', { fields: [{ path: 'after', message: 'This cursor does not belong to this list.' }] });
  // The first condition says nothing new, but where in the index to begin.
  const older = last
    ? {
        createdAt: { $lte: last.createdAt },
        $or: [{ createdAt: { $lt: last.createdAt } }, { createdAt: last.createdAt, id: { $lt: last.id } }],
      }
    : {};
  const [items, totalCount] = await Promise.all([
    em.fork().find(Integration, { operatorId, ...older }, { orderBy: { createdAt: 'desc', id: 'desc' }, limit: first + 1 }),
    em.fork().count(Integration, { operatorId }),
  ]);
  return { items: items.slice(0, first), hasNextPage: items.length > first, totalCount };
}

/** The opaque cursor of an item. */
export function integrationCursor({ id }: Integration): string {
  return Buffer.from(id).toString('base64url');
}

/** The id in a cursor; empty, so that nothing is found, when the cursor is none of ours. */
function integrationOfCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString('utf8');
  return hasIdForm('int', id) ? id : '';
}
