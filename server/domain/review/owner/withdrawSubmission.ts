import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import { lockIntegration } from '../../integration/lockIntegration.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { DomainError, refuseInvalid } from '../../shared/DomainError.ts';
import { lockRow } from '../../shared/locks.ts';
import { goodReason } from '../../shared/reason.ts';
import { forgetSittings } from '../sitting.ts';
import { ReviewSubmission } from '../ReviewSubmission.ts';
import { isOpen } from '../submissionStatus.ts';

type WithdrawSubmission = {
  readonly actor: OperatorActor;
  readonly submissionId: string;
  /** For the reviewer who has taken it. Before that, nobody needs a reason. */
  readonly reason: string | null;
  readonly now: Date;
};

/**
 * The owner withdraws a submission: the integration returns to its former status, and its profile can change again (docs/specification.md,
 * “Submissions”). Once a reviewer has taken it, a reason is required. Errors: invalid_request (reason), not_found (another's, too),
 * conflict (decided, or already withdrawn).
 */
export function withdrawSubmission(em: EntityManager, { actor, submissionId, reason, now }: WithdrawSubmission): Promise<ReviewSubmission> {
  const words = reason?.trim() ? goodReason(reason) : null;
  return em.transactional(async (tx) => {
    const own = await tx.findOne(ReviewSubmission, { id: submissionId, operatorId: actor.operatorId });
    if (!own) throw new DomainError('not_found', { detail: 'There is no such submission.' });
    const integration = await lockIntegration(tx, own.integrationId, actor.operatorId);
    await lockRow(tx, 'submission', submissionId);
    const submission = await tx.findOneOrFail(ReviewSubmission, { id: submissionId }, { refresh: true });
    if (!isOpen(submission)) {
      throw new DomainError('conflict', { detail: `This submission is already ${submission.status}, so it cannot be withdrawn.` });
    }
    if (submission.reviewerId !== null && words === null) {
      refuseInvalid([
        { path: 'input.reason', message: 'A reviewer has already started on this submission. Enter a reason for withdrawing it.' },
      ]);
    }
    integration.apply('withdrawSubmission', now, null, submission.submittedFrom);
    submission.withdraw({ operatorId: actor.operatorId, notes: words, now });
    await tx.flush();
    await forgetSittings(tx, [submissionId]);
    await record(tx, actor, now, {
      action: 'integration.submission_withdrawn',
      subject: { type: 'integration', id: integration.id },
      integrationId: integration.id,
      details: { submissionId, submissionNumber: submission.number, status: integration.status, ...(words !== null && { reason: words }) },
    });
    return submission;
  });
}
