import type { EntityManager } from '@mikro-orm/postgresql';
import { lockFeed } from '../../feed/lockFeeds.ts';
import { sql } from '../../shared/sql.ts';
import { revokeResources, type Revocation } from './revokeResources.ts';

const formerRevocationSql = `
select r.id, r.deletion_deadline_at
  from shared_resource s join revocation r on r.client_number = s.client_number and r.id = s.revocation_id
 where s.client_number = $1 and s.id = $2`;

/**
 * Revokes one shared resource in the caller's transaction, with effect from the very next request. It takes the client's feed, so only feed
 * statements, audit entries and the commit may follow. Revoking the last resource leaves the connection as it is. For a resource that is
 * already revoked, on its own or with its connection, it returns that revocation and changes nothing. Returns null if the client has no
 * such resource.
 */
export async function revokeResource(
  tx: EntityManager,
  { clientNumber, resourceId, now }: { clientNumber: number; resourceId: string; now: Date },
): Promise<(Revocation & { readonly alreadyRevoked: boolean }) | null> {
  await lockFeed(tx, clientNumber);
  const [revoked] = await revokeResources(tx, { shares: [{ clientNumber, id: resourceId }], now });
  if (revoked) return { revocationId: revoked.revocationId, deletionDeadlineAt: revoked.deletionDeadlineAt, alreadyRevoked: false };
  const [former] = await sql<{ id: string; deletion_deadline_at: Date }>(tx, formerRevocationSql, [clientNumber, resourceId]);
  return former ? { revocationId: former.id, deletionDeadlineAt: former.deletion_deadline_at, alreadyRevoked: true } : null;
}
