import type { EntityManager } from '@mikro-orm/postgresql';
import type { AuditAction } from '../../audit/auditActions.ts';
import { record, type AuditRecord } from '../../audit/record.ts';
import { notify } from '../../notification/notify.ts';
import type { Actor } from '../../shared/actor.ts';
import { sql } from '../../shared/sql.ts';
import { emitEvent } from '../../outbox/emitEvent.ts';
import { recheckDeliveries, releaseDeliveries } from '../../outbox/wakePump.ts';
import type { Integration } from '../Integration.ts';
import { factsOf, type IntegrationAction } from '../integrationStatus.ts';

/** A decision of an administrator, or of the terminal, about an integration; its owner reads `reason` in the portal, the audit trail and a mail. */
export type AccessDecision = { readonly actor: Actor; readonly integrationId: string; readonly reason: string; readonly now: Date };

type Change = {
  readonly actor: Actor;
  readonly reason: string;
  /** Further facts for the audit trail. */
  readonly details?: AuditRecord['details'];
  /** What is still to be deleted, where a missed deletion is the cause. */
  readonly outstanding?: number;
  readonly now: Date;
};

/**
 * Stops a locked integration's production access. The status, the audit entry, the event `integration.suspended` for each of its clients,
 * whose deliveries the suspension holds, and one mail to the owner are all written in the caller's transaction. Errors: conflict.
 */
export async function suspend(
  tx: EntityManager,
  integration: Integration,
  action: IntegrationAction & ('suspendIntegration' | 'suspendForMissedDeletion'),
  { actor, reason, details, outstanding, now }: Change,
): Promise<void> {
  const neverActive = factsOf(integration.status, 'production').calls === 'notYet';
  integration.apply(action, now, reason);
  await tx.flush();
  await record(tx, actor, now, {
    ...entryOf(integration, 'integration.suspended'),
    details: { reason, ...details, ...(neverActive && { neverActive }) },
  });
  const clients = await sql<{ number: number }>(tx, 'select number from client where integration_id = $1 order by number', [
    integration.id,
  ]);
  await emitEvent(
    tx,
    clients.map(({ number }) => ({ type: 'integration.suspended', clientNumber: number })),
    now,
  );
  await recheckDeliveries(tx, { integrationId: integration.id });
  const told = { reason, ...(outstanding !== undefined && { outstanding }) };
  await notify(tx, { kind: 'integration_suspended', ...addresseeOf(integration, now), details: told, now });
}

/**
 * Restores a locked integration's production access, with an audit entry and one mail. `inPlaceOfOwner`: its owner has never activated it.
 * Errors: conflict.
 */
export async function reactivate(
  tx: EntityManager,
  integration: Integration,
  { actor, reason, inPlaceOfOwner, now }: Change & { readonly inPlaceOfOwner: boolean },
): Promise<void> {
  integration.apply('reactivateIntegration', now, reason);
  await tx.flush();
  const details = { reason, ...(inPlaceOfOwner && { inPlaceOfOwner, profileVersion: integration.reviewedProfileVersion ?? 0 }) };
  await record(tx, actor, now, { ...entryOf(integration, 'integration.reactivated'), details });
  await releaseDeliveries(tx, { integrationId: integration.id });
  const told = { reason, ...(inPlaceOfOwner && { inPlaceOfOwner: 1 }) };
  await notify(tx, { kind: 'integration_reactivated', ...addresseeOf(integration, now), details: told, now });
}

function entryOf({ id, operatorId }: Integration, action: AuditAction) {
  return { action, subject: { type: 'integration', id }, operatorId, integrationId: id };
}

/** The subject names this one change, because an integration can be suspended more than once. */
function addresseeOf({ id, operatorId }: Integration, now: Date) {
  return { subjectId: `${id} ${now.toISOString()}`, operatorId, integrationId: id };
}
