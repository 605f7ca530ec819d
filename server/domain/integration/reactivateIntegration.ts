import type { EntityManager } from '@mikro-orm/postgresql';
import { changeAccess, type AccessDecision } from './changeAccess.ts';
import type { Integration } from './Integration.ts';

/** Gives a suspended integration its production access back (specification, “Integration status”). Errors: invalid_request, not_found, conflict. */
export function reactivateIntegration(em: EntityManager, decision: AccessDecision): Promise<Integration> {
  return em.transactional((tx) => changeAccess(tx, 'reactivateIntegration', decision));
}
