import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../shared/sql.ts';
import { emitEvent } from '../webhook/emitEvent.ts';
import { changeAccess, type AccessDecision } from './changeAccess.ts';
import type { Integration } from './Integration.ts';

/**
 * Stops an integration's production access at once: the very next machine request is refused (specification, “Integration status”). Its
 * sandbox goes on. Emits `integration.suspended` to the production client. Errors: invalid_request, not_found, conflict.
 */
export function suspendIntegration(em: EntityManager, decision: AccessDecision): Promise<Integration> {
  return em.transactional(async (tx) => {
    const integration = await changeAccess(tx, 'suspendIntegration', decision);
    const clients = await sql<{ no: number }>(tx, `select no from client where integration_id = $1 and environment = 'production'`, [
      integration.id,
    ]);
    await emitEvent(
      tx,
      clients.map(({ no }) => ({ type: 'integration.suspended', clientNo: no })),
      decision.now,
    );
    return integration;
  });
}
