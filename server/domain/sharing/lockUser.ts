import { lockAdvisory } from '../shared/locks.ts';
import type { EntityManager } from '@mikro-orm/postgresql';

/**
 * Keeps the making of a user's link codes apart from what has to reach all of them, the user's erasure and choice on statistics, until the
 * end of the transaction: codes can be made at the same time (`shared`), none beside the others (`exclusive`). Users have no row to lock;
 * two that share the lock by chance only wait for each other.
 */
export async function lockUser(tx: EntityManager, userRef: Buffer, mode: 'shared' | 'exclusive'): Promise<void> {
  await lockAdvisory(tx, 'user', mode, userRef.readBigInt64BE().toString());
}
