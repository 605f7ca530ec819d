import type { EntityManager } from '@mikro-orm/postgresql';
import { recordAll } from '../../audit/record.ts';
import { lockFeed } from '../../feed/lockFeeds.ts';
import type { Actor } from '../../shared/actor.ts';
import { noteLock } from '../../shared/locks.ts';
import { sql } from '../../shared/sql.ts';
import { sharingClient } from '../sharingClient.ts';
import { revokeConnections } from './revokeConnections.ts';

/** What one transaction deletes. */
const slice = 1_000;

/** Live connections to what the order-tracking service's programs have supplied. Sandboxes keep their own test data. */
const suppliedSql = `
select c.client_number as "clientNumber", c.id from connection c join client k on k.number = c.client_number
 where c.revocation_id is null
   and (k.environment = 'production' or exists (
     select 1 from shared_resource s join tracked_resource t on t.id = s.tracked_resource_id
      where s.client_number = c.client_number and s.connection_id = c.id and s.revocation_id is null and t.synthetic_for is null))
 order by c.client_number, c.id`;

const resourcesSql = 'select count(*)::int as resources from tracked_resource where synthetic_for is null';
const slugsSql = `
select distinct i.slug from client k join integration i on i.id = k.integration_id where k.number = any ($1::int[]) order by i.slug`;

/** How many connections and resources `endSuppliedShares` would end, and the slugs of the integrations that they are shared with. */
export type SuppliedShares = { readonly connections: number; readonly resources: number; readonly slugs: readonly string[] };

/** Counts what `endSuppliedShares` would end. */
export async function suppliedShares(em: EntityManager): Promise<SuppliedShares> {
  const connections = await sql<{ clientNumber: number; id: string }>(em, suppliedSql);
  const [counted] = await sql<{ resources: number }>(em, resourcesSql);
  const slugs = await sql<{ slug: string }>(em, slugsSql, [connections.map(({ clientNumber }) => clientNumber)]);
  return { connections: connections.length, resources: counted?.resources ?? 0, slugs: slugs.map(({ slug }) => slug) };
}

const deleteSql = `
delete from tracked_resource where id in (select id from tracked_resource where synthetic_for is null order by id limit ${slice}) returning 1`;

/**
 * Revokes every share of what the order-tracking service's programs have supplied, and deletes it with its history: for when the key is lost under which users
 * and orders are named, so that no program can reach them any more, not even to erase them. Operators get tombstones and the usual deadline.
 * Client by client, so that it can be repeated if it breaks off.
 */
export async function endSuppliedShares(
  em: EntityManager,
  { actor, now }: { actor: Actor; now: Date },
): Promise<{ readonly connections: number; readonly resources: number }> {
  const connections = await sql<{ clientNumber: number; id: string }>(em, suppliedSql);
  for (const [clientNumber, its] of Map.groupBy(connections, (connection) => connection.clientNumber)) {
    await em.transactional(async (tx) => {
      await lockFeed(tx, clientNumber);
      const revoked = await revokeConnections(tx, { clientNumber, connectionIds: its.map(({ id }) => id), now });
      const { operatorId, integrationId } = await sharingClient(tx, clientNumber);
      const entries = revoked.map(({ connectionId, revocationId }) => ({
        action: 'connection.revoked' as const,
        subject: { type: 'connection' as const, id: connectionId },
        operatorId,
        integrationId,
        details: { revocationId },
      }));
      await recordAll(tx, actor, now, entries);
    });
  }
  let resources = 0;
  for (let deleted = slice; deleted === slice; resources += deleted) {
    deleted = await em.transactional(async (tx) => {
      noteLock(tx, 'trackedResource');
      return (await sql(tx, deleteSql)).length;
    });
  }
  return { connections: connections.length, resources };
}
