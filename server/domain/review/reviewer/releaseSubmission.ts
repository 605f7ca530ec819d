import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { DomainError } from '../../shared/DomainError.ts';
import { lockForReview } from '../lockSubmission.ts';
import type { ReviewSubmission } from '../ReviewSubmission.ts';
import { endSitting } from '../sitting.ts';

type ReleaseSubmission = { readonly actor: OperatorActor; readonly submissionId: string; readonly now: Date };

/** The reviewer who has taken a submission leaves it to the others. Drafted verdicts are given, and messages stay. Errors: not_found, forbidden, conflict. */
export function releaseSubmission(em: EntityManager, { actor, submissionId, now }: ReleaseSubmission): Promise<ReviewSubmission> {
  return em.transactional(async (tx) => {
    const submission = await lockForReview(tx, actor, submissionId);
    if (submission.reviewerId !== actor.operatorId)
      throw new DomainError('conflict', { detail: 'This submission is not assigned to you.' });
    await endSitting(tx, { submission, reviewerId: actor.operatorId, actor, now });
    submission.release();
    await tx.flush();
    await record(tx, actor, now, {
      action: 'submission.released',
      subject: { type: 'submission', id: submissionId },
      integrationId: submission.integrationId,
    });
    return submission;
  });
}
