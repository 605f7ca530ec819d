import type { AuthenticatedSession } from '../../domain/account/session/authenticateSession.ts';
import type { PortalSession } from '../../domain/account/session/PortalSession.ts';
import type { Role } from '../../domain/shared/actor.ts';
import { accountLimits } from '../../domain/account/accountLimits.ts';
import type { ViewerType } from './accountTypes.ts';

/**
 * The viewer of the session that a request came with. If the session can only enrol a passkey, the viewer says whose address that is for
 * and nothing else about the account, because anyone who holds the session has not proved by a passkey that they own it.
 */
export function viewerOf({
  kind,
  email,
  operatorId,
  roles,
  confirmedUntil,
  expiresAt,
}: Omit<AuthenticatedSession, 'id' | 'generation' | 'presented'>): ViewerType {
  const common = { kind, email, sessionExpiresAt: expiresAt };
  return kind === 'full'
    ? { ...common, operatorId, roles, confirmedUntil }
    : { ...common, operatorId: null, roles: [], confirmedUntil: null };
}

/** The viewer of a session that this very request has opened. */
export function openedViewer(session: PortalSession, roles: readonly Role[] = []): ViewerType {
  const { kind, email, operatorId, confirmedUntil } = session;
  return viewerOf({
    kind,
    email,
    operatorId: operatorId ?? null,
    roles,
    confirmedUntil: confirmedUntil ?? null,
    expiresAt: sessionEnd(session),
  });
}

/** When a session ends if it is not used: at the earlier of its idle end and its absolute end. */
export function sessionEnd({ expiresAt, lastUsedAt }: PortalSession): Date {
  return new Date(Math.min(expiresAt.getTime(), lastUsedAt.getTime() + accountLimits.sessionIdle));
}
