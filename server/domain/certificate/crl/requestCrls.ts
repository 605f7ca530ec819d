import type { EntityManager } from '@mikro-orm/postgresql';
import { enqueue } from '../../shared/jobs.ts';
import { second } from '../../shared/limits.ts';

/** Revocations are gathered so long for one list (docs/specification.md, “Revocation lists”). */
const gatheredOver = 5 * second;

/**
 * Asks for revocation lists that name what the caller's transaction has just revoked (docs/specification.md, “Revocation lists”). Everything
 * that revokes certificates calls it. The job runs some seconds later, so that one list names all that was revoked in the meantime; of
 * several such jobs, the first one makes the list, and the others find nothing left to do.
 */
export async function requestCrls(tx: EntityManager): Promise<void> {
  await enqueue(tx, 'publishCrls', {}, { gatheredOver });
}
