import { lockAdvisory } from '../shared/locks.ts';
import type { EntityManager } from '@mikro-orm/postgresql';

/**
 * Separates the creation of a user's link codes from commands that have to reach all of them (the user's erasure, and the choice about
 * statistics), until the end of the transaction. Codes can be created at the same time as each other (`shared`), but not at the same time
 * as those commands (`exclusive`). Users have no row to lock; two users who share a lock by chance only wait for each other.
 */
export async function lockUser(tx: EntityManager, userRef: Buffer, mode: 'shared' | 'exclusive'): Promise<void> {
  await lockAdvisory(tx, 'user', mode, userRef.readBigInt64BE().toString());
}
