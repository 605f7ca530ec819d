import type { EntityManager } from '@mikro-orm/postgresql';
import { integrationTransitions } from '../../integration/integrationStatus.ts';
import { lockIntegration } from '../../integration/lockIntegration.ts';
import { suspend } from '../../integration/status/changeAccess.ts';
import { notifyStaff } from '../../notification/notifyStaff.ts';
import { noteLock } from '../../shared/locks.ts';
import { sql } from '../../shared/sql.ts';
import { mayStart } from '../../shared/stateMachine.ts';
import { revocationLifecycle } from '../revocationStatus.ts';

/**
 * Marks what is due as enforced; a recorded deletion that was just being written is waited for and then no longer due. By
 * `revocation_outstanding`.
 */
const enforceSql = `
update revocation r set ${revocationLifecycle.sets('enforceDeletionDeadline', { enforcedAt: '$2' })}
  from client k
 where k.integration_id = $1 and k.environment = 'production' and r.client_no = k.no
   and ${revocationLifecycle.mayStart('enforceDeletionDeadline', { row: 'r', now: '$2' })} and r.enforced_at is null
returning r.id`;

const service = { type: 'system', name: 'deletionDeadlines' } as const;

/**
 * Day 7 of a production revocation whose deletion nobody acknowledged: an active integration is suspended
 * (docs/specification.md, “Deletion deadlines”). Each revocation is enforced once, whatever the status then was: it never suspends again,
 * also not after a reactivation. Returns whether it suspended. Administrators get a mail of each suspension, and of what else is overdue
 * once a day for each integration. Call it as often as you like. Errors: not_found.
 */
export function suspendForMissedDeletion(
  em: EntityManager,
  { integrationId, now }: { integrationId: string; now: Date },
): Promise<boolean> {
  return em.transactional(async (tx) => {
    const integration = await lockIntegration(tx, integrationId);
    noteLock(tx, 'revocation');
    const missed = await sql<{ id: string }>(tx, enforceSql, [integrationId, now]);
    if (missed.length === 0) return false;
    const active = mayStart(integrationTransitions, 'suspendForMissedDeletion', integration.status);
    await notifyStaff(tx, {
      kind: 'deletions_overdue',
      // A suspension is told each time, also the second of a day. The rest once a day: users revoke one after the other, and their deadlines pass so.
      subjectId: `${integrationId} ${active ? now.toISOString() : now.toISOString().slice(0, 10)}`,
      except: [integration.operatorId],
      integrationId,
      details: { deletions: missed.length, suspended: active ? 1 : 0 },
      now,
    });
    if (!active) return false;
    const reason =
      missed.length === 1
        ? `The deletion for revocation ${missed[0]?.id} was not acknowledged within 7 days.`
        : `${missed.length} deletions were not acknowledged within 7 days.`;
    await suspend(tx, integration, 'suspendForMissedDeletion', {
      actor: service,
      reason,
      details: { missedDeletions: missed.length },
      now,
    });
    return true;
  });
}
