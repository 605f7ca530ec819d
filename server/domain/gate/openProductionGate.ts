import type { EntityManager } from '@mikro-orm/postgresql';
import { changeProductionGate, type GateDecision } from './changeProductionGate.ts';
import type { ProductionGate } from './serviceGate.ts';

/**
 * Lets production data flow as far as this gate decides: the service's, or one integration's (docs/specification.md, “Production gate”).
 * The very next request sees it. Unless the integration is retired, neither its status nor its review matters. Errors: invalid_request
 * (reason), not_found, forbidden (own), conflict (already open, or retired).
 */
export function openProductionGate(em: EntityManager, decision: GateDecision): Promise<ProductionGate> {
  return changeProductionGate(em, true, decision);
}
