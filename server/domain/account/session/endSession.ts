import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { DomainError } from '../../shared/DomainError.ts';
import { accountLimits } from '../accountLimits.ts';
import { takeAttempt } from '../attempts.ts';
import { PortalSession } from './PortalSession.ts';

/** Ends one of the actor's sessions, this one or another. Its cookie becomes worthless. Errors: not_found, rate_limit_exceeded (200 a day). */
export function endSession(
  em: EntityManager,
  { actor, sessionId, now }: { actor: OperatorActor; sessionId: string; now: Date },
): Promise<PortalSession> {
  return em.transactional(async (tx) => {
    await takeAttempt(tx, { kind: 'session_operator', source: actor.operatorId }, now);
    const idleSince = new Date(now.getTime() - accountLimits.sessionIdle);
    const session = await tx.findOne(PortalSession, {
      id: sessionId,
      operatorId: actor.operatorId,
      endedAt: null,
      expiresAt: { $gt: now },
      lastUsedAt: { $gt: idleSince },
    });
    const ended =
      session &&
      (await tx.nativeUpdate(PortalSession, { id: sessionId, endedAt: null }, { endedAt: now, endReason: 'ended by its operator' }));
    // Of two requests that end it at the same time, the second has waited for the first.
    if (!ended) throw new DomainError('not_found', { detail: 'There is no such session, or it has already ended.' });
    await record(tx, actor, now, { action: 'session.ended', subject: { type: 'session', id: sessionId } });
    return session;
  });
}
