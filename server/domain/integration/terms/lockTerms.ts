import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../../shared/sql.ts';

/**
 * Keeps the publication of terms (`exclusive`) apart from whatever stands on an acceptance of the current version (`shared`), until the
 * end of the transaction. Whoever publishes locks nothing else.
 */
export async function lockTerms(tx: EntityManager, mode: 'shared' | 'exclusive'): Promise<void> {
  const lock = mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  await sql(tx, `select ${lock}(hashtext('operator-integration-service.terms'), 0)`);
}
