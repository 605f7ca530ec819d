import type { EntityManager } from '@mikro-orm/postgresql';
import { refuseInvalid } from '../shared/DomainError.ts';
import { hasIdForm } from '../shared/ids.ts';
import { limits } from '../shared/limits.ts';
import { ServiceToken } from './ServiceToken.ts';

/** A page of all service tokens, newest first, ended ones included. `after` is the cursor of a former item. Errors: invalid_request. */
export async function listServiceTokens(
  em: EntityManager,
  { first, after }: { first: number; after: string | null },
): Promise<{ items: readonly ServiceToken[]; hasNextPage: boolean }> {
  if (first < 1 || first > limits.pageSize) refuseInvalid([{ path: 'first', message: `A page has 1 to ${limits.pageSize} items.` }]);
  const last = after === null ? null : await em.findOne(ServiceToken, idOfCursor(after));
  if (after !== null && !last) refuseInvalid([{ path: 'after', message: 'This cursor is not one of this list.' }]);
  const older = last ? { $or: [{ createdAt: { $lt: last.createdAt } }, { createdAt: last.createdAt, id: { $lt: last.id } }] } : {};
  const found = await em.find(ServiceToken, older, { orderBy: { createdAt: 'desc', id: 'desc' }, limit: first + 1 });
  return { items: found.slice(0, first), hasNextPage: found.length > first };
}

/** The opaque cursor of an item. */
export function serviceTokenCursor({ id }: ServiceToken): string {
  return Buffer.from(id).toString('base64url');
}

function idOfCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString('utf8');
  return hasIdForm('svt', id) ? id : '';
}
