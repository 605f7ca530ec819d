import type { EntityManager } from '@mikro-orm/postgresql';
import { accountLimits } from '../accountLimits.ts';
import { idCursors } from '../../shared/lists/cursors.ts';
import { page, refuseForeignCursor, type Page, type PageRequest } from '../../shared/lists/page.ts';
import { PortalSession } from './PortalSession.ts';

/** A page of the operator's live sessions, newest first. Errors: invalid_request. */
export function listSessions(
  em: EntityManager,
  { operatorId, now, ...request }: { operatorId: string; now: Date } & PageRequest,
): Promise<Page<PortalSession>> {
  return page(request, {
    cursors: idCursors<PortalSession>('ses', ({ id }) => id),
    read: async (count, after) => {
      const last = after === null ? null : await em.findOne(PortalSession, { id: after, operatorId });
      if (after !== null && !last) refuseForeignCursor();
      const older = last ? { $or: [{ createdAt: { $lt: last.createdAt } }, { createdAt: last.createdAt, id: { $lt: last.id } }] } : {};
      const idleSince = new Date(now.getTime() - accountLimits.sessionIdle);
      // The index portal_session_operator contains an operator's sessions that have not been ended. There are never many.
      return em.find(
        PortalSession,
        { operatorId, endedAt: null, expiresAt: { $gt: now }, lastUsedAt: { $gt: idleSince }, ...older },
        { orderBy: { createdAt: 'desc', id: 'desc' }, limit: count },
      );
    },
  });
}
