import type { EntityManager } from '@mikro-orm/postgresql';
import { isOver } from '../../integration/integrationStatus.ts';
import { Integration } from '../../integration/Integration.ts';
import { lockIntegration } from '../../integration/lockIntegration.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { DomainError } from '../../shared/DomainError.ts';
import { countPageCheck, requestPageCheck } from '../check/requestPageCheck.ts';
import { ReviewSubmission } from '../ReviewSubmission.ts';
import { openStatuses } from '../submissionStatus.ts';
import { draftsOf, knownAddress } from './submissionDraft.ts';

type CheckPages = { readonly actor: OperatorActor; readonly integrationId: string; readonly now: Date };

/**
 * Has a worker visit the pages of the actor's integration, as they are named in its current profile version and in what is submitted or about to be
 * (docs/specification.md, “Checks by the service”). Errors: not_found, conflict (retired, a check is under way), rate_limit_exceeded.
 */
export function checkPages(em: EntityManager, { actor, integrationId, now }: CheckPages): Promise<Integration> {
  const { operatorId } = actor;
  return em.transactional(async (tx) => {
    // Before the attempts, so that a stranger’s are not counted. A refusal below takes them back.
    if (!(await tx.findOne(Integration, { id: integrationId, operatorId }))) {
      throw new DomainError('not_found', { detail: 'There is no such integration.' });
    }
    await countPageCheck(tx, { integrationId, operatorId, now });
    const integration = await lockIntegration(tx, integrationId, operatorId);
    if (isOver(integration.status))
      throw new DomainError('conflict', { detail: 'The integration is retired, so its pages are not checked.' });
    const submission = await tx.findOne(ReviewSubmission, { integrationId, status: { $in: [...openStatuses] } });
    const [draft] = await draftsOf(tx, [integrationId]);
    const reviewUrl = submission?.reviewUrl ?? knownAddress(draft?.reviewUrl ?? '');
    const { profileVersion } = integration;
    if (!(await requestPageCheck(tx, { integrationId, profileVersion, reviewUrl, now }))) {
      throw new DomainError('conflict', {
        detail: 'The pages are being checked right now. The result appears here in a few seconds.',
      });
    }
    return integration;
  });
}
