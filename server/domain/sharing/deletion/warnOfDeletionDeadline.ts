import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import { factsOf } from '../../integration/integrationStatus.ts';
import { lockIntegration } from '../../integration/lockIntegration.ts';
import { notify } from '../../notification/notify.ts';
import { noteLock } from '../../shared/locks.ts';
import { sql } from '../../shared/sql.ts';
import { revocationLifecycle } from '../revocationStatus.ts';

/** By `revocation_outstanding`. */
const markSql = `
with warned as (
  update revocation r set ${revocationLifecycle.sets('warnOfDeletionDeadline', { warnedAt: '$2' })}
    from client k
   where k.integration_id = $1 and k.environment = 'production' and r.client_number = k.number
     and ${revocationLifecycle.mayStart('warnOfDeletionDeadline', { row: 'r', now: '$2' })} and r.warned_at is null and r.deletion_deadline_at > $2 and r.deletion_deadline_at <= $3
  returning r.id, r.deletion_deadline_at, 'revocations.ack' = any (k.scopes) as has_scope)
select id as "revocationId", count(*) over ()::int as deletions, deletion_deadline_at as deadline, has_scope as "hasScope"
  from warned order by deletion_deadline_at, id limit 1`;

type Warned = { revocationId: string; deletions: number; deadline: Date; hasScope: boolean };

const service = { type: 'system', name: 'deletionDeadlines' } as const;

/**
 * Warns an owner of the deletions that are due before `warnBefore`, with one mail for all that have reached day 5. They are not mentioned
 * in another mail. It can be called any number of times. Errors: not_found.
 */
export function warnOfDeletionDeadline(
  em: EntityManager,
  { integrationId, now, warnBefore }: { integrationId: string; now: Date; warnBefore: Date },
): Promise<void> {
  return em.transactional(async (tx) => {
    const { operatorId, status } = await lockIntegration(tx, integrationId);
    noteLock(tx, 'revocation');
    const [first] = await sql<Warned>(tx, markSql, [integrationId, now, warnBefore]);
    if (!first) return;
    const { revocationId, deletions, hasScope } = first;
    const mayAcknowledge = hasScope && factsOf(status, 'production').calls === 'yes';
    const deadline = first.deadline.toISOString();
    await record(tx, service, now, {
      action: 'revocation.warned',
      subject: { type: 'revocation', id: revocationId },
      operatorId,
      integrationId,
      details: { deletions, deadline },
    });
    await notify(tx, {
      kind: 'deletion_warning',
      subjectId: revocationId,
      operatorId,
      integrationId,
      details: { deletions, revocationId, deadline, ...(!mayAcknowledge && { recordOnly: 1 }) },
      now,
    });
  });
}
