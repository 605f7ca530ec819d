import { locking, noteLock, takeLock } from '../shared/locks.ts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../audit/record.ts';
import type { Actor } from '../shared/actor.ts';
import { sql } from '../shared/sql.ts';

/** More changes of whole clients, and more revocation lists of an authority, than a restore can have lost. */
const epochStep = 1_000_000;

const lockAllSql = locking('feed', 'update', (clause) => `select from client_feed order by client_number ${clause}`);

/**
 * Makes every cursor invalid, every reported revision higher and the numbers of the next revocation lists higher than any that was served,
 * after a restore that may have lost commits. Otherwise, a cursor from before the restore would be accepted again once the head has passed
 * its position, and a reader who keeps the list with the highest number would ignore the new ones (RFC 5280, section 5.2.3). Returns how
 * many feeds there are; `agree` is told before anything changes, and may throw.
 */
export function resetFeeds(
  em: EntityManager,
  { actor, now, agree }: { actor: Actor; now: Date; agree?: (feeds: number) => void },
): Promise<number> {
  return em.transactional(async (tx) => {
    await record(tx, actor, now, { action: 'feed.reset', subject: { type: 'service', id: 'feeds' } });
    noteLock(tx, 'authority');
    await sql(tx, 'update certificate_authority set crl_number = crl_number + $1 where wrapped_key is not null', [epochStep]);
    const locked = await takeLock(tx, lockAllSql);
    agree?.(locked.length);
    const feeds = await sql(tx, 'update client_feed set epoch = epoch + $1, epoch_at = $2 returning client_number', [epochStep, now]);
    return feeds.length;
  });
}
