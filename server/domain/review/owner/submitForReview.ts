import type { EntityManager } from '@mikro-orm/postgresql';
import { takeAttempt } from '../../account/attempts.ts';
import { record } from '../../audit/record.ts';
import { integrationTransitions } from '../../integration/integrationStatus.ts';
import { lockIntegration } from '../../integration/lockIntegration.ts';
import { ProfileVersion } from '../../integration/profile/ProfileVersion.ts';
import { keptUrl, publicUrlRefusal } from '../../integration/profile/publicUrl.ts';
import { refuseUnlessTermsAccepted } from '../../integration/terms/acceptTerms.ts';
import { notifyStaff } from '../../notification/notifyStaff.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { DomainError, refuseInvalid } from '../../shared/DomainError.ts';
import { newId } from '../../shared/ids.ts';
import { begin } from '../../shared/stateMachine.ts';
import { mayCheckPages, requestPageCheck } from '../check/requestPageCheck.ts';
import { confirmationErrors, statementOf, type Confirmation } from '../reviewChecklist.ts';
import { ReviewSubmission } from '../ReviewSubmission.ts';
import { submissionTransitions } from '../submissionStatus.ts';
import { removeDrafts } from './submissionDraft.ts';
import { submissionObstacles } from './submissionObstacles.ts';

type SubmitForReview = {
  readonly actor: OperatorActor;
  readonly integrationId: string;
  /** The version that the owner sees and confirms. It must be the current one. */
  readonly profileVersion: number;
  /** Where reviewers can see the integration working. */
  readonly reviewUrl: string;
  readonly confirmations: readonly Confirmation[];
  readonly now: Date;
};

/**
 * The owner sends the current profile version with exactly its scopes for review. It is frozen until the reviewers decide
 * (docs/specification.md, “Submissions”). Errors: invalid_request by field, not_found, conflict (status, terms, logo, failed
 * checks of its pages, another version), rate_limit_exceeded (60 a day).
 */
export function submitForReview(
  em: EntityManager,
  { actor, integrationId, profileVersion, reviewUrl, confirmations, now }: SubmitForReview,
): Promise<ReviewSubmission> {
  const address = reviewUrl.trim();
  const refusal = address === '' ? 'Enter the address where reviewers can see the integration.' : publicUrlRefusal(address);
  refuseInvalid([...(refusal === null ? [] : [{ path: 'input.reviewUrl', message: refusal }]), ...confirmationErrors(confirmations)]);
  return em.transactional(async (tx) => {
    await takeAttempt(tx, { kind: 'submission_operator', source: actor.operatorId }, now);
    const mayCheck = await mayCheckPages(tx, { integrationId, operatorId: actor.operatorId, now });
    const integration = await lockIntegration(tx, integrationId, actor.operatorId);
    const kept = keptUrl(address);
    const obstacles = await submissionObstacles(tx, integration, { reviewUrl: kept, now });
    if (obstacles.length > 0) throw new DomainError('conflict', { detail: obstacles.map(({ words }) => words).join(' ') });
    if (profileVersion !== integration.profileVersion) {
      throw new DomainError('conflict', {
        detail: `Version ${integration.profileVersion} of the profile was saved after you opened version ${profileVersion}. Review it, then submit again.`,
      });
    }
    const terms = await refuseUnlessTermsAccepted(tx, actor.operatorId);
    const profile = await tx.findOneOrFail(ProfileVersion, { integrationId, version: integration.profileVersion });
    const last = await tx.findOne(ReviewSubmission, { integrationId }, { orderBy: { number: 'desc' } });
    const submittedFrom = integrationTransitions.withdrawSubmission.to.find((status) => status === integration.status) ?? 'sandbox';
    integration.apply('submitForReview', now);
    const submission = tx.create(ReviewSubmission, {
      id: newId('sub'),
      integrationId,
      operatorId: actor.operatorId,
      number: (last?.number ?? 0) + 1,
      profileVersion: profile.version,
      scopes: profile.requestedScopes,
      termsVersion: terms.version,
      reviewUrl: kept,
      statement: statementOf(confirmations),
      ...begin(submissionTransitions, 'submitForReview', { submittedAt: now, submittedFrom, waitingFor: 'reviewer', waitingSince: now }),
      reviewerId: null,
      takenAt: null,
      decidedAt: null,
      decidedBy: null,
      decisionNotes: null,
      checks: null,
    });
    tx.persist(submission);
    await tx.flush();
    await removeDrafts(tx, [integrationId]);
    // Reviewers see what the pages are like now. What cannot be checked at the moment, they check again.
    if (mayCheck) await requestPageCheck(tx, { integrationId, profileVersion, reviewUrl: kept, now });
    await record(tx, actor, now, {
      action: 'integration.submitted',
      subject: { type: 'integration', id: integrationId },
      integrationId,
      details: {
        submissionId: submission.id,
        submissionNumber: submission.number,
        profileVersion: submission.profileVersion,
        scopes: submission.scopes.join(' '),
      },
    });
    await notifyStaff(tx, {
      kind: 'submission_received',
      subjectId: submission.id,
      except: [actor.operatorId],
      integrationId,
      details: { submissionId: submission.id, round: submission.number },
      now,
    });
    return submission;
  });
}
