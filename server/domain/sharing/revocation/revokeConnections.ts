import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { newId } from '../../shared/ids.ts';
import { limits } from '../../shared/limits.ts';
import { sql } from '../../shared/sql.ts';
import { discardDeliveries } from '../../outbox/discardDeliveries.ts';
import { emitEvent } from '../../outbox/emitEvent.ts';
import type { Revocation } from './revokeResources.ts';

/** A connection that has just been revoked. */
type RevokedConnection = Revocation & { readonly connectionId: string };

/** Connections in one statement, so that a client with many holds its feed for seconds rather than minutes. */
const slice = 500;

/**
 * For each connection, one position for each resource that is not yet revoked (index shared_resource_live), then one for the connection,
 * whose record comes last.
 */
const revokeConnectionsSql = `
with wanted as materialized (
  select u.id, u.revocation_id from unnest($2::text[], $3::text[]) u(id, revocation_id)
    join connection c on c.client_number = $1::int and c.id = u.id where c.revocation_id is null),
entry as materialized (
  select w.id as connection_id, w.revocation_id, e.resource_id, row_number() over (order by w.id, e.resource_id nulls last) as n
    from wanted w cross join lateral (
      select s.id as resource_id from shared_resource s where s.client_number = $1::int and s.connection_id = w.id and s.revocation_id is null
      union all select null) e),
heads as (
  update client_feed set head = head + (select count(*) from entry) where client_number = $1::int returning head - (select count(*) from entry) as base),
revocations as (
  insert into revocation (client_number, id, subject_type, subject_id, connection_id, revoked_at, deletion_deadline_at)
  select $1::int, revocation_id, 'connection', id, id, $4::timestamptz, $5::timestamptz from wanted),
connections as (
  update connection c set revocation_id = e.revocation_id, position = h.base + e.n from entry e, heads h
   where e.resource_id is null and c.client_number = $1::int and c.id = e.connection_id),
resources as (
  update shared_resource s set revocation_id = e.revocation_id, position = h.base + e.n from entry e, heads h
   where s.client_number = $1::int and s.id = e.resource_id)
select id as "connectionId", revocation_id as "revocationId" from wanted`;

/**
 * Revokes whole connections of one client in the caller's transaction. Everything that is still shared in each of them ends at once under
 * one revocation, with one tombstone for each resource, one for the connection after them, and one `connection.revoked` event. Webhooks about
 * its resources that still wait are discarded. Connections that are already revoked are left alone. The caller holds the feed.
 */
export async function revokeConnections(
  tx: EntityManager,
  { clientNumber, connectionIds, now }: { clientNumber: number; connectionIds: readonly string[]; now: Date },
): Promise<RevokedConnection[]> {
  const deletionDeadlineAt = new Date(now.getTime() + limits.deletionDeadline);
  const revoked: RevokedConnection[] = [];
  for (let from = 0; from < connectionIds.length; from += slice) {
    const ids = connectionIds.slice(from, from + slice);
    const random = randomBytes(16 * ids.length);
    const rows = await sql<{ connectionId: string; revocationId: string }>(tx, revokeConnectionsSql, [
      clientNumber,
      ids,
      ids.map((_, index) => newId('rev', random.subarray(16 * index, 16 * (index + 1)))),
      now,
      deletionDeadlineAt,
    ]);
    await emitEvent(
      tx,
      rows.map((row) => ({ ...row, type: 'connection.revoked', clientNumber })),
      now,
    );
    revoked.push(...rows.map((row) => ({ ...row, deletionDeadlineAt })));
  }
  const subjects = revoked.map(({ connectionId }) => ({ clientNumber, connectionId }));
  await discardDeliveries(tx, { subjects, reason: 'access_revoked', now });
  return revoked;
}
