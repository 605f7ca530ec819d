import { lockAdvisory } from '../../shared/locks.ts';
import type { EntityManager } from '@mikro-orm/postgresql';

/**
 * Until the end of the transaction, keeps the publication of terms (`exclusive`) apart from whatever relies on an acceptance of the current
 * version (`shared`). Anyone who publishes takes no other lock.
 */
export async function lockTerms(tx: EntityManager, mode: 'shared' | 'exclusive'): Promise<void> {
  await lockAdvisory(tx, 'terms', mode);
}
