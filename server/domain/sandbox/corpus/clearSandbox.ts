import { locking, takeLock } from '../../shared/locks.ts';
import { sql } from '../../shared/sql.ts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { waitingDeliveries } from '../../outbox/discardDeliveries.ts';

/**
 * The locks come first. After the feed's lock, earlier cursors are invalid and positions continue. Each statement deletes by an index that
 * begins with the client, or by tracked_resource_synthetic. History, shares and codes find a deleted resource by indexes of their own.
 */
const statements = [
  locking('linkCode', 'update', (clause) => `select 1 from link_code where client_number = $1 order by id ${clause}`),
  // Before any later lock: the redemption of a code that was created meanwhile holds that code and waits for us, but we never wait for it.
  'delete from link_code where client_number = $1',
  locking('trackedResource', 'update', (clause) => `select 1 from tracked_resource where synthetic_for = $1 order by id ${clause}`),
  locking('client', 'no key update', (clause) => `select 1 from client where number = $1 ${clause}`),
  locking('feed', 'update', (clause) => `select 1 from client_feed where client_number = $1 ${clause}`),
  // No resource stays whose revision could rise with it, so the new corpus keeps its own times.
  'update client_feed set epoch = epoch + 1, epoch_at = null where client_number = $1',
  'delete from shared_resource where client_number = $1',
  'delete from connection where client_number = $1',
  'delete from revocation where client_number = $1',
  'delete from acknowledgement_key where client_number = $1',
  'delete from statistics_generation where client_number = $1',
  'delete from tracked_resource where synthetic_for = $1',
] as const;

/**
 * Removes everything that was ever shared in a client's sandbox, with the resources of its corpus, in the caller's transaction (READ
 * COMMITTED). Old IDs become unknown and old cursors invalid; what webhooks told of them stays on record. Until the commit, everything is
 * as before. The caller continues with the next corpus under the feed's lock. The rows that it inserts are new, so they wait for nobody.
 * Returns the deliveries that still wait to tell of what is gone, which the caller discards at the end.
 */
export async function clearSandbox(tx: EntityManager, clientNumber: number): Promise<string[]> {
  for (const statement of statements) {
    if (typeof statement === 'string') await sql(tx, statement, [clientNumber]);
    else await takeLock(tx, statement, [clientNumber]);
  }
  const endpoints = await sql<{ number: number }>(tx, 'select number from webhook_endpoint where client_number = $1', [clientNumber]);
  return waitingDeliveries(
    tx,
    endpoints.map(({ number }) => number),
  );
}
