import { locking, takeLock } from '../../shared/locks.ts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import type { ServiceTokenActor } from '../../shared/actor.ts';
import { DomainError } from '../../shared/DomainError.ts';
import { sql } from '../../shared/sql.ts';

/** Instants are PostgreSQL's text. */
type LockedCode = { cancelled_at: string | null; redeemed_at: string | null; integration_id: string };

const lockLinkCodeSql = locking(
  'linkCode',
  'no key update of l',
  (clause) => `
select l.cancelled_at, l.redeemed_at, k.integration_id
  from link_code l join client k on k.no = l.client_no
 where l.id = $1 and l.environment = $2 ${clause}`,
);

/**
 * Makes a link code of the token's environment unusable (docs/specification.md, “Link codes”). Cancelling again, or after its time, changes
 * nothing that anybody could see. Errors: not_found; conflict when it was redeemed already: then there is a connection to revoke.
 */
export function cancelLinkCode(
  em: EntityManager,
  { actor, linkCodeId, now }: { actor: ServiceTokenActor; linkCodeId: string; now: Date },
): Promise<{ id: string; cancelledAt: Date }> {
  return em.transactional(async (tx) => {
    const [linkCode] = await takeLock<LockedCode>(tx, lockLinkCodeSql, [linkCodeId, actor.environment]);
    if (!linkCode) throw new DomainError('not_found', { detail: 'There is no such link code.' });
    if (linkCode.redeemed_at !== null) {
      throw new DomainError('conflict', { detail: 'This link code has been redeemed. Revoke the share instead.' });
    }
    if (linkCode.cancelled_at !== null) return { id: linkCodeId, cancelledAt: new Date(linkCode.cancelled_at) };
    await sql(tx, 'update link_code set cancelled_at = $2 where id = $1', [linkCodeId, now]);
    await record(tx, actor, now, {
      action: 'link_code.cancelled',
      subject: { type: 'link_code', id: linkCodeId },
      integrationId: linkCode.integration_id,
    });
    return { id: linkCodeId, cancelledAt: now };
  });
}
