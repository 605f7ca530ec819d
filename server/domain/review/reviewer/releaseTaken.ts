import type { EntityManager } from '@mikro-orm/postgresql';
import { recordAll } from '../../audit/record.ts';
import type { Actor } from '../../shared/actor.ts';
import { noteLock } from '../../shared/locks.ts';
import { sql } from '../../shared/sql.ts';
import { ReviewSubmission } from '../ReviewSubmission.ts';
import { submissionLifecycle } from '../submissionStatus.ts';
import { endSitting } from '../sitting.ts';

type ReleaseTaken = { readonly reviewerId: string; readonly actor: Actor; readonly because: string; readonly now: Date };

const releaseSql = `
update review_submission set ${submissionLifecycle.sets('releaseSubmission', { reviewerId: 'null', takenAt: 'null' })}
 where reviewer_id = $1 and ${submissionLifecycle.mayStart('releaseSubmission')} returning id, integration_id as "integrationId"`;

/**
 * Leaves the submissions that somebody has taken to the other reviewers, in the transaction after which this person can no longer review.
 * Drafted verdicts are given, and messages stay. `because` is the reason in the audit trail.
 */
export async function releaseTaken(tx: EntityManager, { reviewerId, actor, because, now }: ReleaseTaken): Promise<void> {
  noteLock(tx, 'submission');
  const released = await sql<{ id: string; integrationId: string }>(tx, releaseSql, [reviewerId]);
  const submissions = await tx.find(ReviewSubmission, { id: { $in: released.map(({ id }) => id) } }, { orderBy: { id: 'asc' } });
  for (const submission of submissions) await endSitting(tx, { submission, reviewerId, actor, now });
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
