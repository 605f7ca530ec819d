import type { EntityManager } from '@mikro-orm/postgresql';
import type { OperatorActor } from '../../shared/actor.ts';
import { DomainError } from '../../shared/DomainError.ts';
import { lockForReview, recordTaken } from '../lockSubmission.ts';
import type { ReviewSubmission } from '../ReviewSubmission.ts';
import { endSitting } from '../sitting.ts';

type TakeSubmission = { readonly actor: OperatorActor; readonly submissionId: string; readonly takeOver: boolean; readonly now: Date };

/**
 * A reviewer takes a submission. One that another reviewer has taken is taken over only if that is asked for; the verdicts that this colleague
 * has drafted are kept. Errors: not_found, forbidden (own), conflict (decided, taken).
 */
export function takeSubmission(em: EntityManager, { actor, submissionId, takeOver, now }: TakeSubmission): Promise<ReviewSubmission> {
  return em.transactional(async (tx) => {
    const submission = await lockForReview(tx, actor, submissionId);
    if (submission.reviewerId === actor.operatorId) return submission;
    if (submission.reviewerId !== null && !takeOver) {
      throw new DomainError('conflict', {
        detail: 'This submission is already assigned to another reviewer. You can reassign it to yourself.',
      });
    }
    const former = submission.reviewerId;
    if (former != null) await endSitting(tx, { submission, reviewerId: former, actor, now });
    submission.take(actor.operatorId, now);
    await tx.flush();
    await recordTaken(tx, actor, submission, now, former != null);
    return submission;
  });
}
