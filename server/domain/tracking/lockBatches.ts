import { lockAdvisory } from '../shared/locks.ts';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Environment } from '../shared/environment.ts';

/**
 * Keeps batches of an environment apart from erasures there, until the end of the transaction: batches run side by side (`shared`), none
 * while a user is erased (`exclusive`). What an open batch has inserted can be neither seen nor locked, so that an erasure would miss it.
 * One for the environment, because a batch may have 1,000 users.
 */
export async function lockBatches(tx: EntityManager, environment: Environment, mode: 'shared' | 'exclusive'): Promise<void> {
  await lockAdvisory(tx, 'batches', mode, environment);
}
