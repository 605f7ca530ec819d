import type { EntityManager } from '@mikro-orm/postgresql';
import { newId } from '../../shared/ids.ts';
import { limits } from '../../shared/limits.ts';
import { sql } from '../../shared/sql.ts';
import { discardDeliveries } from '../../outbox/discardDeliveries.ts';
import { emitEvent } from '../../outbox/emitEvent.ts';
import type { GrantedResource } from '../grantResources.ts';

/** A revocation, whether it was made now or before. */
export type Revocation = { readonly revocationId: string; readonly deletionDeadlineAt: Date };

/** A shared resource that has just been revoked. */
export type RevokedResource = Revocation & {
  readonly clientNumber: number;
  readonly connectionId: string;
  readonly resource: GrantedResource;
};

type RevokedRow = { client_number: number; id: string; connection_id: string; type: GrantedResource['type']; revocation_id: string };

/** Arrays of equal length: resource ID and the ID of a new revocation. Primary keys of shared_resource and client_feed. */
const revokeResourcesSql = `
with wanted as (select * from unnest($2::text[], $3::text[]) u(id, revocation_id)),
ended as materialized (
  select s.id, s.connection_id, s.type, w.revocation_id, row_number() over (order by s.id) as n
    from wanted w join shared_resource s on s.client_number = $1::int and s.id = w.id where s.revocation_id is null),
heads as (
  update client_feed set head = head + (select count(*) from ended) where client_number = $1::int returning head - (select count(*) from ended) as base),
revocations as (
  insert into revocation (client_number, id, subject_type, subject_id, connection_id, revoked_at, deletion_deadline_at)
  select $1::int, revocation_id, 'resource', id, connection_id, $4::timestamptz, $5::timestamptz from ended)
update shared_resource s set revocation_id = e.revocation_id, position = h.base + e.n
  from ended e, heads h where s.client_number = $1::int and s.id = e.id
returning s.client_number, s.id, s.connection_id, s.type, s.revocation_id`;

/**
 * Revokes shared resources one by one (docs/specification.md, “Revocation”). Each gets a revocation of its own, a tombstone at the next
 * position of its client's feed, and a `resource.revoked` event; webhooks about it that still wait are discarded. Resources that are
 * already revoked are left alone. The caller holds the feeds.
 */
export async function revokeResources(
  tx: EntityManager,
  { shares, now }: { shares: readonly { readonly clientNumber: number; readonly id: string }[]; now: Date },
): Promise<RevokedResource[]> {
  if (shares.length === 0) return [];
  const deletionDeadlineAt = new Date(now.getTime() + limits.deletionDeadline);
  const rows: RevokedRow[] = [];
  for (const [clientNumber, its] of Map.groupBy(shares, (share) => share.clientNumber)) {
    const [ids, revocationIds] = [its.map(({ id }) => id), its.map(() => newId('rev'))];
    rows.push(...(await sql<RevokedRow>(tx, revokeResourcesSql, [clientNumber, ids, revocationIds, now, deletionDeadlineAt])));
  }
  const revoked = rows.map((row) => ({
    clientNumber: row.client_number,
    connectionId: row.connection_id,
    resource: { id: row.id, type: row.type },
    revocationId: row.revocation_id,
    deletionDeadlineAt,
  }));
  await emitEvent(
    tx,
    revoked.map((share) => ({ ...share, type: 'resource.revoked' })),
    now,
  );
  const subjects = revoked.map(({ clientNumber, connectionId, resource }) => ({ clientNumber, connectionId, resourceId: resource.id }));
  await discardDeliveries(tx, { subjects, reason: 'access_revoked', now });
  return revoked;
}
