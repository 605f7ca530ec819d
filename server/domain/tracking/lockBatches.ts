import { lockAdvisory } from '../shared/locks.ts';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Environment } from '../shared/environment.ts';

/**
 * Separates the batches of an environment from its erasures, until the end of the transaction. Batches run at the same time as each other
 * (`shared`), but not while a user is erased (`exclusive`). What an open batch has inserted can be neither seen nor locked, so an erasure
 * would miss it. There is one lock for the environment, because a batch may have 1,000 users.
 */
export async function lockBatches(tx: EntityManager, environment: Environment, mode: 'shared' | 'exclusive'): Promise<void> {
  await lockAdvisory(tx, 'batches', mode, environment);
}
