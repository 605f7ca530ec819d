import type { EntityManager } from '@mikro-orm/postgresql';
import { isOver } from '../integration/integrationStatus.ts';
import { Integration } from '../integration/Integration.ts';
import { revisableFields } from '../integration/profile/profileFields.ts';
import { slugRefusal } from '../integration/slugRefusal.ts';
import type { OperatorActor } from '../shared/actor.ts';
import { DomainError } from '../shared/DomainError.ts';
import { hasIdForm } from '../shared/ids.ts';
import { integrationFacts } from '../integration/integrationFacts.ts';
import { factsIn } from '../shared/lifecycle.ts';

/**
 * Why the logo may not change now, or null. What the reviewers look at, and what they approved, stays as it is
 * (docs/specification.md, “Profile versions”).
 */
function logoChangeRefusal({ status }: Pick<Integration, 'status'>): string | null {
  if (factsIn(revisableFields, status).includes('logoId')) return null;
  if (factsIn(integrationFacts, status).isInReview)
    return 'The profile is frozen while it is under review. Withdraw the submission or wait for the decision, then change the logo.';
  if (isOver(status)) return 'This integration is retired, so its logo cannot be changed.';
  return 'The logo was approved with the profile and cannot be changed. To use another logo, duplicate the profile as a new integration.';
}

/** Throws `conflict` where the integration's logo may not change now. */
export function refuseUnlessLogoMayChange(integration: Pick<Integration, 'status'>): void {
  const refusal = logoChangeRefusal(integration);
  if (refusal !== null) throw new DomainError('conflict', { detail: refusal });
}

/**
 * One of the operator's own integrations, by slug or ID, whose logo may change now; called before an upload is read. Errors: not_found,
 * conflict.
 */
export async function logoTarget(em: EntityManager, actor: OperatorActor, slugOrId: string): Promise<Integration> {
  const known = hasIdForm('int', slugOrId) ? { id: slugOrId } : slugRefusal(slugOrId) === null ? { slug: slugOrId } : null;
  const integration = known && (await em.findOne(Integration, { ...known, operatorId: actor.operatorId }));
  if (!integration) throw new DomainError('not_found', { detail: 'There is no such integration.' });
  refuseUnlessLogoMayChange(integration);
  return integration;
}
