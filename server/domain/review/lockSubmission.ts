import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../audit/record.ts';
import { Integration } from '../integration/Integration.ts';
import { refuseOwn } from '../integration/refuseOwn.ts';
import type { OperatorActor } from '../shared/actor.ts';
import { DomainError } from '../shared/DomainError.ts';
import { lockRow } from '../shared/locks.ts';
import { isWithdrawnByOwner, ReviewSubmission } from './ReviewSubmission.ts';
import { isOpen } from './submissionStatus.ts';

/**
 * A submission that a reviewer may look at: neither one that they sent themselves nor one of an integration of theirs. Errors: not_found,
 * forbidden.
 */
export async function findForReview(em: EntityManager, actor: OperatorActor, submissionId: string): Promise<ReviewSubmission> {
  const submission = await em.findOne(ReviewSubmission, { id: submissionId });
  if (!submission) throw new DomainError('not_found', { detail: 'There is no such submission.' });
  const integration = await em.findOneOrFail(Integration, { id: submission.integrationId });
  for (const owned of [submission, integration]) refuseOwn(owned, actor, 'reviews');
  return submission;
}

/**
 * A submission that a reviewer may work on, locked until the end of the transaction and read under the lock. Errors: not_found,
 * forbidden (own), conflict (decided meanwhile).
 */
export async function lockForReview(tx: EntityManager, actor: OperatorActor, submissionId: string): Promise<ReviewSubmission> {
  await findForReview(tx, actor, submissionId);
  await lockRow(tx, 'submission', submissionId);
  const submission = await tx.findOneOrFail(ReviewSubmission, { id: submissionId }, { refresh: true });
  if (!isOpen(submission)) throw new DomainError('conflict', { detail: decidedWords(actor, submission) });
  return submission;
}

/**
 * Like `lockForReview`, and the reviewer has taken the submission from now on. Nobody works on what another reviewer has taken. Errors: as
 * those of `lockForReview`, conflict (taken by another).
 */
export async function lockTaken(tx: EntityManager, actor: OperatorActor, submissionId: string, now: Date): Promise<ReviewSubmission> {
  const submission = await lockForReview(tx, actor, submissionId);
  if (submission.reviewerId !== null && submission.reviewerId !== actor.operatorId) {
    throw new DomainError('conflict', { detail: 'This submission is assigned to another reviewer. Reassign it to yourself first.' });
  }
  if (submission.reviewerId !== null) return submission;
  submission.take(actor.operatorId, now);
  await tx.flush();
  await recordTaken(tx, actor, submission, now);
  return submission;
}

/** Writes into the audit trail that a reviewer has taken a submission. */
export function recordTaken(
  tx: EntityManager,
  actor: OperatorActor,
  { id, integrationId }: ReviewSubmission,
  now: Date,
  takenOver = false,
): Promise<void> {
  const subject = { type: 'submission', id };
  return record(tx, actor, now, { action: 'submission.taken', subject, integrationId, details: { takenOver } });
}

function decidedWords(actor: OperatorActor, submission: ReviewSubmission): string {
  const { status, decidedBy } = submission;
  if (isWithdrawnByOwner(submission)) return 'The owner has withdrawn this submission, so there is nothing left to decide.';
  if (status === 'withdrawn') return 'The integration was retired, so there is nothing left to decide.';
  if (decidedBy === actor.operatorId) return `You have already ${status} this submission. Your decision stands.`;
  return `Another reviewer has ${status} this submission in the meantime. Your decision was not recorded.`;
}
