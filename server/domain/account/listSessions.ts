import type { EntityManager } from '@mikro-orm/postgresql';
import { refuseInvalid } from '../shared/DomainError.ts';
import { hasIdForm } from '../shared/ids.ts';
import { limits } from '../shared/limits.ts';
import { PortalSession } from './PortalSession.ts';

/** A page of the operator's sessions that are good now, newest first. `after` is the cursor of a former item. Errors: invalid_request. */
export async function listSessions(
  em: EntityManager,
  { operatorId, first, after, now }: { operatorId: string; first: number; after: string | null; now: Date },
): Promise<{ items: readonly PortalSession[]; hasNextPage: boolean }> {
  if (first < 1 || first > limits.pageSize) refuseInvalid([{ path: 'first', message: `A page has 1 to ${limits.pageSize} items.` }]);
  const last = after === null ? null : await em.findOne(PortalSession, { id: idOfCursor(after), operatorId });
  if (after !== null && !last) refuseInvalid([{ path: 'after', message: 'This cursor does not belong to this list.' }]);
  const older = last ? { $or: [{ createdAt: { $lt: last.createdAt } }, { createdAt: last.createdAt, id: { $lt: last.id } }] } : {};
  const idleSince = new Date(now.getTime() - limits.sessionIdle);
  // The index portal_session_operator holds an operator's sessions that have not been ended; there are never many.
  const found = await em.find(
    PortalSession,
    { operatorId, endedAt: null, expiresAt: { $gt: now }, lastUsedAt: { $gt: idleSince }, ...older },
    { orderBy: { createdAt: 'desc', id: 'desc' }, limit: first + 1 },
  );
  return { items: found.slice(0, first), hasNextPage: found.length > first };
}

/** The opaque cursor of an item. */
export function sessionCursor({ id }: PortalSession): string {
  return Buffer.from(id).toString('base64url');
}

function idOfCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString('utf8');
  return hasIdForm('ses', id) ? id : '';
}
