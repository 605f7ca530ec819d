import type { EntityManager } from '@mikro-orm/postgresql';
import { changeProductionGate, type GateDecision } from './changeProductionGate.ts';
import type { ProductionGate } from './serviceGate.ts';

/**
 * Stops production data at this gate: the service's, for everybody, or one integration's. The very next request is answered
 * production_data_disabled. Errors: invalid_request (reason), not_found, forbidden (own), conflict (already closed).
 */
export function closeProductionGate(em: EntityManager, decision: GateDecision): Promise<ProductionGate> {
  return changeProductionGate(em, false, decision);
}
