import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../shared/sql.ts';

/**
 * Keeps the making of a user's link codes apart from what has to reach all of them, the user's erasure and choice on statistics, until the
 * end of the transaction: codes can be made at the same time (`shared`), none beside the others (`exclusive`). Taken before every row. Users have no row to lock; two that share the lock by
 * chance only wait for each other.
 */
export async function lockUser(tx: EntityManager, userRef: Buffer, mode: 'shared' | 'exclusive'): Promise<void> {
  const lock = mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  await sql(tx, `select ${lock}($1::bigint)`, [userRef.readBigInt64BE().toString()]);
}
