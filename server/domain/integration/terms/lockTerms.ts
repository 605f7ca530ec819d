import { lockAdvisory } from '../../shared/locks.ts';
import type { EntityManager } from '@mikro-orm/postgresql';

/**
 * Keeps the publication of terms (`exclusive`) apart from whatever stands on an acceptance of the current version (`shared`), until the
 * end of the transaction. Whoever publishes locks nothing else.
 */
export async function lockTerms(tx: EntityManager, mode: 'shared' | 'exclusive'): Promise<void> {
  await lockAdvisory(tx, 'terms', mode);
}
