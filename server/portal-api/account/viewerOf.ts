import type { AuthenticatedSession } from '../../domain/account/authenticateSession.ts';
import type { PortalSession } from '../../domain/account/PortalSession.ts';
import type { Role } from '../../domain/shared/actor.ts';
import { limits } from '../../domain/shared/limits.ts';
import type { ViewerType } from './accountTypes.ts';

/** The viewer of the session that a request came with. */
export function viewerOf({ expiresAt, ...session }: AuthenticatedSession): ViewerType {
  return { ...session, sessionExpiresAt: expiresAt };
}

/** The viewer of a session that was opened by this very request. */
export function openedViewer(session: PortalSession, roles: readonly Role[] = []): ViewerType {
  const { kind, email, operatorId, confirmedUntil } = session;
  return {
    kind,
    email,
    operatorId: operatorId ?? null,
    roles,
    confirmedUntil: confirmedUntil ?? null,
    sessionExpiresAt: sessionEnd(session),
  };
}

/** When a session ends if it is not used: the earlier of the idle and the absolute end. */
export function sessionEnd({ expiresAt, lastUsedAt }: PortalSession): Date {
  return new Date(Math.min(expiresAt.getTime(), lastUsedAt.getTime() + limits.sessionIdle));
}
