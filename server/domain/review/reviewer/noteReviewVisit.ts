import type { EntityManager } from '@mikro-orm/postgresql';
import type { OperatorActor } from '../../shared/actor.ts';
import { reviewLimits } from '../reviewLimits.ts';
import { sql } from '../../shared/sql.ts';
import { findForReview } from '../lockSubmission.ts';
import type { ReviewedLink } from '../reviewChecklist.ts';
import { openStatuses, submissionLifecycle } from '../submissionStatus.ts';

type NoteReviewVisit = {
  readonly actor: OperatorActor;
  readonly submissionId: string;
  /** A link that the reviewer has just followed. */
  readonly link: ReviewedLink | null;
  readonly now: Date;
};

/** `$5`: seen before this, it is stored again; `$6`: seen before this, a new visit has begun. Nothing is written in between. */
const visitSql = `
insert into review_visit as v (submission_id, reviewer_id, opened_at, seen_at, links)
select id, $2, $3::timestamptz, $3::timestamptz, $4::text[] from review_submission where id = $1 and ${submissionLifecycle.isIn(openStatuses)}
    on conflict (submission_id, reviewer_id) do update
   set opened_at = case when v.seen_at < $6::timestamptz then excluded.opened_at else v.opened_at end, seen_at = excluded.seen_at,
       links = array(select distinct link from unnest(v.links || excluded.links) link order by link)
 where v.seen_at <= $5::timestamptz or not v.links @> excluded.links`;

/**
 * Notes that a reviewer has an open submission before them, for colleagues to see, and which link they have followed, for themselves. Errors:
 * not_found, forbidden (own).
 */
export async function noteReviewVisit(em: EntityManager, { actor, submissionId, link, now }: NoteReviewVisit): Promise<void> {
  await findForReview(em, actor, submissionId);
  const ago = (span: number) => new Date(now.getTime() - span);
  await sql(em, visitSql, [
    submissionId,
    actor.operatorId,
    now,
    link === null ? [] : [link],
    ago(reviewLimits.reviewVisit.stored),
    ago(reviewLimits.reviewVisit.over),
  ]);
}
