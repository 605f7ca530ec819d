import type { EntityManager } from '@mikro-orm/postgresql';
import { lockFeed } from '../feed/lockFeeds.ts';
import { newId } from '../shared/ids.ts';
import { limits } from '../shared/limits.ts';
import { sql } from '../shared/sql.ts';
import { emitEvent } from '../webhook/emitEvent.ts';
import type { Revocation } from './revokeShares.ts';

const findConnectionSql = `
select c.revocation_id, r.deletion_deadline_at
  from connection c left join revocation r on r.client_no = c.client_no and r.id = c.revocation_id
 where c.client_no = $1 and c.id = $2`;

const insertRevocationSql = `
insert into revocation (client_no, id, subject_type, subject_id, connection_id, revoked_at, deletion_deadline_at)
values ($1, $3, 'connection', $2, $2, $4, $5)`;

/** One position for each resource not revoked before (index shared_resource_live), then the connection's own: its record comes last. */
const revokeConnectionSql = `
with ended as materialized (
  select id, row_number() over (order by id) as n from shared_resource where client_no = $1 and connection_id = $2 and revocation_id is null),
heads as (
  update client_feed set head = head + 1 + (select count(*) from ended) where client_no = $1 returning head, head - 1 - (select count(*) from ended) as base),
ended_connection as (
  update connection c set revocation_id = $3, position = h.head from heads h where c.client_no = $1 and c.id = $2)
update shared_resource s set revocation_id = $3, position = h.base + e.n from ended e, heads h where s.client_no = $1 and s.id = e.id`;

/**
 * Revokes a whole connection in the caller's transaction: all that is still shared in it ends at once under one revocation, with one
 * tombstone each and the connection's last, and one `connection.revoked` event. It takes the client's feed, so only feed statements,
 * audit entries and the commit may follow. A connection revoked before answers that revocation and changes nothing; null: the client
 * has no such connection.
 */
export async function revokeConnection(
  tx: EntityManager,
  { clientNo, connectionId, now }: { clientNo: number; connectionId: string; now: Date },
): Promise<(Revocation & { readonly alreadyRevoked: boolean }) | null> {
  await lockFeed(tx, clientNo);
  const [connection] = await sql<{ revocation_id: string | null; deletion_deadline_at: string | null }>(tx, findConnectionSql, [
    clientNo,
    connectionId,
  ]);
  if (!connection) return null;
  if (connection.revocation_id !== null && connection.deletion_deadline_at !== null) {
    return {
      revocationId: connection.revocation_id,
      deletionDeadlineAt: new Date(connection.deletion_deadline_at),
      alreadyRevoked: true,
    };
  }
  const revocationId = newId('rev');
  const deletionDeadlineAt = new Date(now.getTime() + limits.deletionDeadline);
  await sql(tx, insertRevocationSql, [clientNo, connectionId, revocationId, now, deletionDeadlineAt]);
  await sql(tx, revokeConnectionSql, [clientNo, connectionId, revocationId]);
  await emitEvent(tx, [{ type: 'connection.revoked', clientNo, connectionId, revocationId }], now);
  return { revocationId, deletionDeadlineAt, alreadyRevoked: false };
}
