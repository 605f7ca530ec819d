import type { EntityManager } from '@mikro-orm/postgresql';
import type { ReviewSubmission } from '../ReviewSubmission.ts';
import { decide, lockForDecision, refuseBadNotes, type Decision } from './decideSubmission.ts';

/**
 * A reviewer rejects a submission with notes. The owner makes changes and submits again (docs/specification.md, “Decisions”). Errors:
 * invalid_request (notes), not_found, forbidden (own), conflict (decided meanwhile, taken by another).
 */
export function rejectSubmission(em: EntityManager, decision: Decision): Promise<ReviewSubmission> {
  refuseBadNotes(decision.notes, true);
  return em.transactional(async (tx) => {
    const locked = await lockForDecision(tx, decision);
    await decide(tx, 'rejected', locked, decision);
    return locked.submission;
  });
}
