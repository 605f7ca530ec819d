import type { EntityManager } from '@mikro-orm/postgresql';
import { integrationFacts } from '../../integration/integrationFacts.ts';
import { integrationTransitions } from '../../integration/integrationStatus.ts';
import { lockIntegration } from '../../integration/lockIntegration.ts';
import { suspend } from '../../integration/status/changeAccess.ts';
import { notifyStaff } from '../../notification/notifyStaff.ts';
import { nameIn } from '../../shared/lifecycle.ts';
import { noteLock } from '../../shared/locks.ts';
import { sql } from '../../shared/sql.ts';
import { mayStart } from '../../shared/stateMachine.ts';
import { revocationLifecycle } from '../revocationStatus.ts';

/**
 * Marks what is due as enforced. If a deletion is being recorded at this moment, the statement waits for it, and the revocation is then no
 * longer due. By `revocation_outstanding`.
 */
const enforceSql = `
update revocation r set ${revocationLifecycle.sets('enforceDeletionDeadline', { enforcedAt: '$2' })}
  from client k
 where k.integration_id = $1 and k.environment = 'production' and r.client_number = k.number
   and ${revocationLifecycle.mayStart('enforceDeletionDeadline', { row: 'r', now: '$2' })} and r.enforced_at is null
returning r.id`;

const service = { type: 'system', name: 'deletionDeadlines' } as const;

/**
 * Day 7 of a production revocation whose deletion is outstanding: suspends the integration if it is active (docs/specification.md,
 * “Deletion deadlines”). Each revocation is enforced once, whatever the status was, so it never suspends again, not even after a
 * reactivation. Returns whether it suspended the integration. Administrators get a mail about each suspension, and once a day for each
 * integration about whatever else is overdue. It can be called any number of times. Errors: not_found.
 */
export function suspendForMissedDeletion(
  em: EntityManager,
  { integrationId, now }: { integrationId: string; now: Date },
): Promise<boolean> {
  return em.transactional(async (tx) => {
    const integration = await lockIntegration(tx, integrationId);
    // What a later release decides in a status that only it knows, its workers decide: each revocation is enforced only once.
    if (nameIn(integrationFacts, integration.status) === 'unknown') return false;
    noteLock(tx, 'revocation');
    const missed = await sql<{ id: string }>(tx, enforceSql, [integrationId, now]);
    if (missed.length === 0) return false;
    const active = mayStart(integrationTransitions, 'suspendForMissedDeletion', integration.status);
    await notifyStaff(tx, {
      kind: 'deletions_overdue',
      // Every suspension is announced, even the second on one day. Everything else is announced once a day, because users revoke one after
      // the other and their deadlines pass one after the other.
      subjectId: `${integrationId} ${active ? now.toISOString() : now.toISOString().slice(0, 10)}`,
      except: [],
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
      outstanding: missed.length,
      now,
    });
    return true;
  });
}
