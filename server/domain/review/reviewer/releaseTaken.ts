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
 * Leaves the submissions that somebody has taken to the other reviewers, in the transaction after which this person can no longer review.
 * Verdicts and messages stay. `because` is the reason in the audit trail.
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
