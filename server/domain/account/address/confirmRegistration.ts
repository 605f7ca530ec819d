import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from '../../shared/DomainError.ts';
import { sql } from '../../shared/sql.ts';
import { giveBack, mailboxAttempts } from '../attempts.ts';
import type { AuthenticatedSession } from '../session/authenticateSession.ts';
import { endFormerSession } from '../session/endFormerSession.ts';
import { openSession } from '../session/openSession.ts';
import type { PortalSession } from '../session/PortalSession.ts';
import type { Visitor } from '../visitor.ts';
import { tokenHash } from './requestRegistration.ts';

/**
 * Uses up the one-time link and opens an enrolment session for its address, which replaces the browser's former session. The operator is
 * created with the first passkey. Errors: not_found if the link is unknown, used or older than 20 minutes.
 */
export function confirmRegistration(
  em: EntityManager,
  { token, former, visitor, now }: { token: string; former: AuthenticatedSession | null; visitor: Visitor; now: Date },
): Promise<PortalSession> {
  return em.transactional(async (tx) => {
    const [link] = await sql<{ email: string; emailKey: string; network: string | null; requested: number }>(
      tx,
      `update verification_link set consumed_at = $2
        where token_hash = $1 and purpose = 'registration' and consumed_at is null and expires_at > $2
        returning email, email_key as "emailKey", network, (extract(epoch from created_at) * 1000)::float8 as requested`,
      [tokenHash(token), now],
    );
    if (!link) {
      throw new DomainError('not_found', {
        detail: 'This link has been used or is older than 20 minutes. Register again to get a new one.',
      });
    }
    if (link.network !== null) await giveBack(tx, mailboxAttempts(link.emailKey, link.network), new Date(link.requested));
    await endFormerSession(tx, { former, visitor, now });
    return openSession(tx, { kind: 'enrolment', operatorId: null, email: link.email, visitor, now });
  });
}
