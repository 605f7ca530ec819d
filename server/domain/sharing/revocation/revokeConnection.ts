import type { EntityManager } from '@mikro-orm/postgresql';
import { lockFeed } from '../../feed/lockFeeds.ts';
import { sql } from '../../shared/sql.ts';
import { revokeConnections } from './revokeConnections.ts';
import type { Revocation } from './revokeResources.ts';

const findConnectionSql = `
select c.revocation_id, r.deletion_deadline_at
  from connection c left join revocation r on r.client_number = c.client_number and r.id = c.revocation_id
 where c.client_number = $1 and c.id = $2`;

/**
 * Revokes a whole connection in the caller's transaction. Everything that is still shared in it ends at once under one revocation, with one
 * tombstone for each resource, one for the connection after them, and one `connection.revoked` event. It takes the client's feed, so only
 * feed statements, audit entries and the commit may follow. For a connection that is already revoked, it returns that revocation and
 * changes nothing. Returns null if the client has no such connection.
 */
export async function revokeConnection(
  tx: EntityManager,
  { clientNumber, connectionId, now }: { clientNumber: number; connectionId: string; now: Date },
): Promise<(Revocation & { readonly alreadyRevoked: boolean }) | null> {
  await lockFeed(tx, clientNumber);
  const [connection] = await sql<{ revocation_id: string | null; deletion_deadline_at: Date | null }>(tx, findConnectionSql, [
    clientNumber,
    connectionId,
  ]);
  if (!connection) return null;
  if (connection.revocation_id !== null && connection.deletion_deadline_at !== null) {
    return {
      revocationId: connection.revocation_id,
      deletionDeadlineAt: connection.deletion_deadline_at,
      alreadyRevoked: true,
    };
  }
  const [revoked] = await revokeConnections(tx, { clientNumber, connectionIds: [connectionId], now });
  return revoked ? { revocationId: revoked.revocationId, deletionDeadlineAt: revoked.deletionDeadlineAt, alreadyRevoked: false } : null;
}
