import type { EntityManager } from '@mikro-orm/postgresql';
import type { AuditAction } from '../../audit/auditActions.ts';
import { DomainError } from '../../shared/DomainError.ts';
import { goodReason } from '../../shared/reason.ts';
import { sql } from '../../shared/sql.ts';
import { nextState } from '../../shared/stateMachine.ts';
import type { Integration } from '../Integration.ts';
import { integrationTransitions } from '../integrationStatus.ts';
import { lockIntegration } from '../lockIntegration.ts';
import { refuseOwn } from '../refuseOwn.ts';
import { termsNotAccepted } from '../terms/acceptTerms.ts';
import { reactivate, type AccessDecision } from './changeAccess.ts';

/** `inPlaceOfOwner`: its owner has never activated it, and the administrator knows and does it for them. */
type ReactivateIntegration = AccessDecision & { readonly inPlaceOfOwner?: boolean | null | undefined };

/** What the suspension says that ends now. Reads index `audit_entry_subject`. */
const neverActiveSql = `
select (details ->> 'neverActive')::boolean is true as "neverActive" from audit_entry
 where subject_type = 'integration' and subject_id = $1 and action = any($2::text[]) order by occurred_at desc, id desc limit 1`;
const suspended: readonly AuditAction[] = ['integration.suspended'];

/**
 * Restores a suspended integration's production access (docs/specification.md, “Suspension”), if its owner has accepted the current terms. A
 * deletion that was missed before does not suspend it again. Errors: invalid_request, not_found, forbidden (own), conflict (status, terms, or
 * never active before and not `inPlaceOfOwner`).
 */
export function reactivateIntegration(
  em: EntityManager,
  { actor, integrationId, reason, inPlaceOfOwner, now }: ReactivateIntegration,
): Promise<Integration> {
  const words = goodReason(reason);
  return em.transactional(async (tx) => {
    const integration = await lockIntegration(tx, integrationId);
    refuseOwn(integration, actor, 'administers');
    nextState(integrationTransitions, integration.status, 'reactivateIntegration');
    const [suspension] = await sql<{ neverActive: boolean }>(tx, neverActiveSql, [integrationId, suspended]);
    const neverActive = suspension?.neverActive === true;
    if (neverActive && inPlaceOfOwner !== true) {
      const detail = 'It was suspended before its owner had ever activated it. Confirm that you activate it in their place.';
      throw new DomainError('conflict', { detail });
    }
    const missing = await termsNotAccepted(tx, integration.operatorId);
    if (missing !== null) {
      const detail = `Its owner has not accepted version ${missing} of the Integration Terms, which is current. Ask them to accept it first.`;
      throw new DomainError('conflict', { detail });
    }
    await reactivate(tx, integration, { actor, reason: words, inPlaceOfOwner: neverActive, now });
    return integration;
  });
}
