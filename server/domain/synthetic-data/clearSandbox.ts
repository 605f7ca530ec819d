import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../shared/sql.ts';

/**
 * In the lock order of the whole service, the feed last; from here on cursors of before are invalid, and its positions go on. Link codes
 * go at once: one that is made meanwhile may be locked by a redemption that waits for the feed, and has nothing left to share.
 */
const lockStatements = [
  `with ended as materialized (select id from link_code where client_no = $1 order by id for update)
   delete from link_code c using ended e where c.id = e.id`,
  'select 1 from tracked_resource where synthetic_for = $1 order by id for update',
  'select 1 from client where no = $1 for no key update',
  'update client_feed set epoch = epoch + 1 where client_no = $1',
] as const;

/** Each by an index that begins with the client, or tracked_resource_synthetic; then history and shares go by their resource's index. */
const deleteStatements = [
  'delete from shared_resource where client_no = $1',
  'delete from connection where client_no = $1',
  'delete from revocation where client_no = $1',
  'delete from acknowledgement_key where client_no = $1',
  'delete from webhook_event where client_no = $1',
  'delete from statistics_generation where client_no = $1',
  'delete from tracked_resource where synthetic_for = $1',
] as const;

/**
 * Takes away everything that was ever shared in a client's sandbox, with its synthetic resources and the events about it, in the
 * caller's transaction (READ COMMITTED): old ids are unknown, old cursors invalid, until the commit all is as before. The caller goes on
 * with the next corpus under the feed's lock; rows that it inserts are new and wait for nobody.
 */
export async function clearSandbox(tx: EntityManager, clientNo: number): Promise<void> {
  for (const statement of [...lockStatements, ...deleteStatements]) await sql(tx, statement, [clientNo]);
}
