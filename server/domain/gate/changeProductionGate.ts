import type { EntityManager } from '@mikro-orm/postgresql';
import { isOver } from '../integration/integrationStatus.ts';
import { locking, takeLock } from '../shared/locks.ts';
import { record } from '../audit/record.ts';
import { lockIntegration } from '../integration/lockIntegration.ts';
import { refuseOwn } from '../integration/refuseOwn.ts';
import { notify } from '../notification/notify.ts';
import type { Actor } from '../shared/actor.ts';
import { DomainError } from '../shared/DomainError.ts';
import { enqueue } from '../shared/jobs.ts';
import { goodReason } from '../shared/reason.ts';
import { sql } from '../shared/sql.ts';
import { recheckDeliveries, releaseDeliveries } from '../outbox/wakePump.ts';
import { gateDetails } from './gateDetails.ts';
import { serviceGate, type ProductionGate } from './serviceGate.ts';

/** A decision of an administrator, or of the terminal, about a gate: the service's, or that of one integration. */
export type GateDecision = {
  readonly actor: Actor;
  /** null: the gate of the service. */
  readonly integrationId: string | null;
  readonly reason: string;
  readonly now: Date;
};

/** What opening and closing have in common. The two gates are independent of each other: data flows only while both are open. */
export function changeProductionGate(em: EntityManager, open: boolean, decision: GateDecision): Promise<ProductionGate> {
  const words = { ...decision, reason: goodReason(decision.reason) };
  return em.transactional((tx) =>
    words.integrationId === null ? changeServiceGate(tx, open, words) : changeIntegrationGate(tx, open, words.integrationId, words),
  );
}

const lockGateSql = locking('serviceGate', 'no key update', (clause) => `select 1 from service_gate ${clause}`);

async function changeServiceGate(tx: EntityManager, open: boolean, { actor, reason, now }: GateDecision): Promise<ProductionGate> {
  await takeLock(tx, lockGateSql);
  const gate = await serviceGate(tx);
  if (gate.open === open) throw new GateAlreadySo(open);
  await sql(tx, 'update service_gate set production_data_enabled = $1, reason = $2, changed_at = $3, changed_by = $4', [
    open,
    reason,
    now,
    actor.type === 'operator' ? actor.operatorId : null,
  ]);
  await record(tx, actor, now, {
    action: open ? 'production_gate.opened' : 'production_gate.closed',
    subject: { type: 'service', id: 'production' },
    details: { reason },
  });
  await (open ? releaseDeliveries : recheckDeliveries)(tx, 'all');
  await enqueue(tx, 'announceGate', { after: null });
  return { open, reason, changedAt: now };
}

async function changeIntegrationGate(
  tx: EntityManager,
  open: boolean,
  integrationId: string,
  { actor, reason, now }: GateDecision,
): Promise<ProductionGate> {
  const integration = await lockIntegration(tx, integrationId);
  refuseOwn(integration, actor, 'administers');
  if (integration.productionGateOpen === open) throw new GateAlreadySo(open);
  if (open && isOver(integration.status)) {
    throw new DomainError('conflict', { detail: 'A retired integration can no longer receive production data.' });
  }
  integration.productionGateOpen = open;
  integration.productionGateReason = reason;
  integration.productionGateChangedAt = now;
  await tx.flush();
  await record(tx, actor, now, {
    action: open ? 'integration.gate_opened' : 'integration.gate_closed',
    subject: { type: 'integration', id: integrationId },
    operatorId: integration.operatorId,
    integrationId,
    details: { reason },
  });
  await (open ? releaseDeliveries : recheckDeliveries)(tx, { integrationId });
  await notify(tx, {
    kind: 'gate_moved',
    subjectId: `${integrationId} ${now.toISOString()}`,
    operatorId: integration.operatorId,
    integrationId,
    details: gateDetails('integration', { open, reason, otherOpen: (await serviceGate(tx)).open }),
    now,
  });
  return { open, reason, changedAt: now };
}

/** Somebody else has moved the gate before. On a page that has to be told; a command that is repeated has nothing left to do. */
export class GateAlreadySo extends DomainError {
  constructor(open: boolean) {
    super('conflict', { detail: `The gate is already ${open ? 'open' : 'closed'}. Reload the page to see who changed it.` });
  }
}
