import type { EntityManager } from '@mikro-orm/postgresql';
import { newId } from '../../shared/ids.ts';
import { limits } from '../../shared/limits.ts';
import { accountLimits } from '../accountLimits.ts';
import type { Visitor } from '../visitor.ts';
import { PortalSession, type SessionKind } from './PortalSession.ts';

/** Opens a session in the caller's transaction. An `enrolment` or `recovery` session lasts 20 minutes and can only enrol a passkey or sign out. */
export function openSession(
  tx: EntityManager,
  { kind, operatorId, email, visitor, now }: { kind: SessionKind; operatorId: string | null; email: string; visitor: Visitor; now: Date },
): PortalSession {
  const session = tx.create(PortalSession, {
    id: newId('ses'),
    kind,
    operatorId,
    email,
    generation: 0,
    generationConfirmedAt: null,
    rotatedAt: now,
    createdAt: now,
    lastUsedAt: now,
    expiresAt: new Date(now.getTime() + (kind === 'full' ? accountLimits.sessionLifetime : accountLimits.enrolmentLifetime)),
    confirmedUntil: null,
    confirmedGeneration: null,
    endedAt: null,
    endReason: null,
    ip: visitor.ip,
    userAgent: visitor.userAgent.slice(0, limits.userAgentCharacters),
  });
  tx.persist(session);
  return session;
}
