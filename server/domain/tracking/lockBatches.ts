import type { EntityManager } from '@mikro-orm/postgresql';
import type { Environment } from '../shared/environment.ts';
import { sql } from '../shared/sql.ts';

/**
 * Keeps batches of an environment apart from erasures there, until the end of the transaction: batches run side by side (`shared`), none
 * while a user is erased (`exclusive`). What an open batch has inserted can be neither seen nor locked, so that an erasure would miss it.
 * Taken before every other lock; one for the environment, because a batch may have 1,000 users.
 */
export async function lockBatches(tx: EntityManager, environment: Environment, mode: 'shared' | 'exclusive'): Promise<void> {
  const lock = mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  await sql(tx, `select ${lock}(hashtext('operator-integration-service.batches'), hashtext($1))`, [environment]);
}
