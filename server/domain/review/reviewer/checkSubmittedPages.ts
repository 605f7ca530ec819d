import type { EntityManager } from '@mikro-orm/postgresql';
import type { OperatorActor } from '../../shared/actor.ts';
import { DomainError } from '../../shared/DomainError.ts';
import { countPageCheck, requestPageCheck } from '../check/requestPageCheck.ts';
import { findForReview, lockForReview } from '../lockSubmission.ts';
import type { ReviewSubmission } from '../ReviewSubmission.ts';

type CheckSubmittedPages = { readonly actor: OperatorActor; readonly submissionId: string; readonly now: Date };

/**
 * For reviewers: has a worker visit the pages of an open submission again (docs/specification.md, “Checks by the service”). Errors: not_found,
 * forbidden (own), conflict (decided, a check is under way), rate_limit_exceeded.
 */
export function checkSubmittedPages(em: EntityManager, { actor, submissionId, now }: CheckSubmittedPages): Promise<ReviewSubmission> {
  return em.transactional(async (tx) => {
    const { integrationId } = await findForReview(tx, actor, submissionId);
    await countPageCheck(tx, { integrationId, operatorId: actor.operatorId, now });
    const submission = await lockForReview(tx, actor, submissionId);
    const { profileVersion, reviewUrl } = submission;
    if (!(await requestPageCheck(tx, { integrationId, profileVersion, reviewUrl, now }))) {
      throw new DomainError('conflict', {
        detail: 'The pages are being checked right now. The result appears here in a few seconds.',
      });
    }
    return submission;
  });
}
