import type { EntityManager } from '@mikro-orm/postgresql';
import { BusinessModelReport } from '../../agreement/BusinessModelReport.ts';
import { record } from '../../audit/record.ts';
import type { Integration } from '../../integration/Integration.ts';
import { lockIntegration } from '../../integration/lockIntegration.ts';
import { notify } from '../../notification/notify.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { DomainError, refuseInvalid } from '../../shared/DomainError.ts';
import { limits } from '../../shared/limits.ts';
import { reviewLimits } from '../reviewLimits.ts';
import { kept } from '../check/submissionChecks.ts';
import { submissionChecksOf } from '../check/submissionChecksOf.ts';
import { findForReview, lockTaken } from '../lockSubmission.ts';
import { ReviewMessage } from '../ReviewMessage.ts';
import type { ReviewSubmission } from '../ReviewSubmission.ts';
import { ReviewVerdict } from '../ReviewVerdict.ts';
import { wordsRefusal } from '../reviewWords.ts';
import { endSitting, forgetSittings, refuseUnexplained } from '../sitting.ts';

export type Decision = {
  readonly actor: OperatorActor;
  readonly submissionId: string;
  readonly notes: string;
  /** How many messages and how many reports of a change of business model the reviewer has read. If null, they do not say. */
  readonly messagesSeen?: number | null;
  readonly reportsSeen?: number | null;
  readonly now: Date;
};

/** Throws invalid_request if the notes to a decision are too long, or if they are required and missing. */
export function refuseBadNotes(notes: string, required: boolean): void {
  if (!required && notes.trim() === '') return;
  const refusal =
    notes.trim() === '' ? 'Say what needs to change: the owner works from these notes.' : wordsRefusal(notes, reviewLimits.reviewWords);
  if (refusal !== null) refuseInvalid([{ path: 'input.notes', message: refusal }]);
}

/**
 * Locks both rows of a submission that is about to be decided, the integration's first. Of two reviewers who decide at once, one waits here
 * and then finds it decided. Answers wait for one of the locks and reports for the other, so nothing can be added to what was read. The drafts
 * of the reviewer become verdicts. Errors: not_found, forbidden (own), conflict (decided, taken by another, something new to read, an item
 * that is not met without a note).
 */
export async function lockForDecision(
  tx: EntityManager,
  { actor, submissionId, messagesSeen, reportsSeen, now }: Decision,
): Promise<{ submission: ReviewSubmission; integration: Integration }> {
  const { integrationId } = await findForReview(tx, actor, submissionId);
  const integration = await lockIntegration(tx, integrationId);
  const submission = await lockTaken(tx, actor, submissionId, now);
  if (messagesSeen != null && (await tx.count(ReviewMessage, { submissionId })) > messagesSeen) {
    throw new DomainError('conflict', { detail: 'There are new messages since you opened this page. Read them, then decide.' });
  }
  // A page does not show more than this.
  if (reportsSeen != null && reportsSeen < limits.pageSize && (await tx.count(BusinessModelReport, { integrationId })) > reportsSeen) {
    throw new DomainError('conflict', {
      detail: 'The owner has reported a change of business model since you opened this page. Read it, then decide.',
    });
  }
  await refuseUnexplained(tx, submissionId, actor.operatorId);
  await endSitting(tx, { submission, reviewerId: actor.operatorId, actor, now });
  return { submission, integration };
}

/**
 * Stores a decision on two locked rows, with what the service had found out by itself, its line in the owner's trail and its mail, in the caller's
 * transaction.
 */
export async function decide(
  tx: EntityManager,
  outcome: 'approved' | 'rejected',
  { submission, integration }: { submission: ReviewSubmission; integration: Integration },
  { actor, notes, now }: Decision,
): Promise<void> {
  const words = notes.trim() || null;
  if (outcome === 'approved') integration.approve(submission.profileVersion, now, words);
  else integration.apply('rejectSubmission', now, words);
  const decision = outcome === 'approved' ? 'approveSubmission' : 'rejectSubmission';
  const { integrationId, profileVersion: version, reviewUrl } = submission;
  const [checks = []] = await submissionChecksOf(tx, [{ integrationId, version, reviewUrl }], now);
  submission.decide(decision, { operatorId: actor.operatorId, notes: words, now, checks: kept(checks) });
  await tx.flush();
  await forgetSittings(tx, [submission.id]);
  await record(tx, actor, now, {
    action: `integration.${outcome}`,
    subject: { type: 'integration', id: integration.id },
    operatorId: integration.operatorId,
    integrationId: integration.id,
    details: {
      submissionId: submission.id,
      submissionNumber: submission.number,
      profileVersion: submission.profileVersion,
      scopes: submission.scopes.join(' '),
    },
  });
  const mail = { subjectId: submission.id, operatorId: integration.operatorId, integrationId: integration.id, now };
  if (outcome === 'approved') return notify(tx, { kind: 'submission_approved', ...mail });
  const unmet = await tx.count(ReviewVerdict, { submissionId: submission.id, met: false });
  return notify(tx, { kind: 'submission_rejected', ...mail, details: { unmet } });
}
