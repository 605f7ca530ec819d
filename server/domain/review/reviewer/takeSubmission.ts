import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { DomainError } from '../../shared/DomainError.ts';
import { lockForReview } from '../lockSubmission.ts';
import type { ReviewSubmission } from '../ReviewSubmission.ts';

type TakeSubmission = { readonly actor: OperatorActor; readonly submissionId: string; readonly takeOver: boolean; readonly now: Date };

/**
 * A reviewer takes a submission. One that another reviewer has taken is taken over only if that is asked for. Errors: not_found, forbidden
 * (own), conflict (decided, taken).
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
    const takenOver = submission.reviewerId !== null;
    submission.take(actor.operatorId, now);
    await tx.flush();
    await record(tx, actor, now, {
      action: 'submission.taken',
      subject: { type: 'submission', id: submissionId },
      integrationId: submission.integrationId,
      details: { takenOver },
    });
    return submission;
  });
}
