import type { EntityManager } from '@mikro-orm/postgresql';
import { createClient } from '../../client/createClient.ts';
import { DomainError } from '../../shared/DomainError.ts';
import { reviewChecklist, reviewItems } from '../reviewChecklist.ts';
import type { ReviewSubmission } from '../ReviewSubmission.ts';
import { ReviewVerdict } from '../ReviewVerdict.ts';
import { decide, lockForDecision, refuseBadNotes, type Decision } from './decideSubmission.ts';

/**
 * A reviewer approves exactly the submitted profile version with exactly its scopes, once every item of the checklist is met. This creates
 * the production client with these scopes, so that its certificate can be prepared, but neither activates the integration nor opens a gate
 * (docs/specification.md, “Decisions”). Errors: invalid_request, not_found, forbidden (own), conflict (verdicts, decided meanwhile).
 */
export function approveSubmission(em: EntityManager, decision: Decision): Promise<ReviewSubmission> {
  refuseBadNotes(decision.notes, false);
  return em.transactional(async (tx) => {
    const locked = await lockForDecision(tx, decision);
    const { submission, integration } = locked;
    const unmet = await unmetItems(tx, submission.id);
    if (unmet.length > 0) {
      throw new DomainError('conflict', { detail: `These checklist items are not met yet: ${unmet.join(', ')}.` });
    }
    if (integration.profileVersion !== submission.profileVersion) {
      throw new DomainError('conflict', {
        detail: `Version ${integration.profileVersion} of the profile is current; this is a review of version ${submission.profileVersion}.`,
      });
    }
    await decide(tx, 'approved', locked, decision);
    await createClient(tx, { integrationId: integration.id, environment: 'production', scopes: submission.scopes, now: decision.now });
    return submission;
  });
}

async function unmetItems(tx: EntityManager, submissionId: string): Promise<string[]> {
  const met = new Set((await tx.find(ReviewVerdict, { submissionId, met: true })).map(({ item }) => item));
  return reviewItems.filter((item) => !met.has(item)).map((item) => reviewChecklist[item].title);
}
