import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import type { ServiceTokenActor } from '../../shared/actor.ts';
import { DomainError } from '../../shared/DomainError.ts';
import { locking, takeLock } from '../../shared/locks.ts';
import { sql } from '../../shared/sql.ts';
import { linkCodeLifecycle } from '../linkCodeStatus.ts';

/** Instants are PostgreSQL's text. */
type LockedCode = {
  readonly cancelledAt: Date | null;
  readonly redeemedAt: Date | null;
  readonly failedAttempts: number;
  readonly expiresAt: Date;
  readonly integrationId: string;
};

const lockLinkCodeSql = locking(
  'linkCode',
  'no key update of l',
  (clause) => `
select l.cancelled_at as "cancelledAt", l.redeemed_at as "redeemedAt", l.failed_attempts as "failedAttempts", l.expires_at as "expiresAt",
       k.integration_id as "integrationId"
  from link_code l join client k on k.number = l.client_number
 where l.id = $1 and l.environment = $2 ${clause}`,
);

const cancelSql = `
update link_code set ${linkCodeLifecycle.sets('cancelLinkCode', { cancelledAt: '$2' })} where id = $1 and ${linkCodeLifecycle.mayStart('cancelLinkCode')}`;

/**
 * Makes a link code of the token's environment unusable (docs/specification.md, “Link codes”). Cancelling it again, or after it has
 * expired, changes nothing visible. Errors: not_found; conflict if it has been redeemed, because then there is a connection to revoke.
 */
export function cancelLinkCode(
  em: EntityManager,
  { actor, linkCodeId, now }: { actor: ServiceTokenActor; linkCodeId: string; now: Date },
): Promise<{ id: string; cancelledAt: Date }> {
  return em.transactional(async (tx) => {
    const [linkCode] = await takeLock<LockedCode>(tx, lockLinkCodeSql, [linkCodeId, actor.environment]);
    if (!linkCode) throw new DomainError('not_found', { detail: 'There is no such link code.' });
    if (linkCodeLifecycle.stateOf(linkCode, now) === 'redeemed') {
      throw new DomainError('conflict', { detail: 'This link code has been redeemed. Revoke the share instead.' });
    }
    if (linkCode.cancelledAt !== null) return { id: linkCodeId, cancelledAt: linkCode.cancelledAt };
    await sql(tx, cancelSql, [linkCodeId, now]);
    await record(tx, actor, now, {
      action: 'link_code.cancelled',
      subject: { type: 'link_code', id: linkCodeId },
      integrationId: linkCode.integrationId,
    });
    return { id: linkCodeId, cancelledAt: now };
  });
}
