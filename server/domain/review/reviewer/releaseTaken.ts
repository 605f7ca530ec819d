import type { EntityManager } from '@mikro-orm/postgresql';
import { recordAll } from '../../audit/record.ts';
import type { Actor } from '../../shared/actor.ts';
import { noteLock } from '../../shared/locks.ts';
import { sql } from '../../shared/sql.ts';
import { submissionLifecycle } from '../submissionStatus.ts';

type ReleaseTaken = { readonly reviewerId: string; readonly actor: Actor; readonly because: string; readonly now: Date };

const releaseSql = `
update review_submission set ${submissionLifecycle.sets('releaseSubmission', { reviewerId: 'null', takenAt: 'null' })}
 where reviewer_id = $1 and ${submissionLifecycle.mayStart('releaseSubmission')} returning id, integration_id as "integrationId"`;

/**
 * Leaves to the other reviewers what somebody has taken who can no longer review, in the transaction that sees to that; verdicts and
 * messages stay. `because` says in the audit trail what came of the reviewer.
 */
export async function releaseTaken(tx: EntityManager, { reviewerId, actor, because, now }: ReleaseTaken): Promise<void> {
  noteLock(tx, 'submission');
  const released = await sql<{ id: string; integrationId: string }>(tx, releaseSql, [reviewerId]);
  await recordAll(
    tx,
    actor,
    now,
    released.map(({ id, integrationId }) => ({
      action: 'submission.released',
      subject: { type: 'submission', id },
      operatorId: reviewerId,
      integrationId,
      details: { because },
    })),
  );
}
