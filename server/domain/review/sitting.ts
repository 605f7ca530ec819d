import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../audit/record.ts';
import type { Actor } from '../shared/actor.ts';
import { DomainError } from '../shared/DomainError.ts';
import { sql } from '../shared/sql.ts';
import { reviewChecklist, reviewItems, type ReviewItem } from './reviewChecklist.ts';

/**
 * What a reviewer writes before it is sent: for each item of the checklist, and the texts that go to the owner. What was written to reject is
 * kept apart from what is said to approve.
 */
export const draftParts = [...reviewItems, 'question', 'approval', 'rejection'] as const;
export type DraftPart = (typeof draftParts)[number];

type Sitting = {
  readonly submission: { readonly id: string; readonly integrationId: string; readonly number: number };
  /** Whose drafts become verdicts. */
  readonly reviewerId: string;
  /** Who ends the sitting, which may be a colleague who takes over. */
  readonly actor: Actor;
  readonly now: Date;
};

/**
 * A verdict needs a note if the item is not met, so one without stays a draft; a former verdict that the item is met is in doubt then, and is
 * withdrawn (`met` null). By the primary keys of both tables.
 */
const publishSql = `
with finished as (
  delete from review_draft
   where submission_id = $1 and reviewer_id = $2 and part = any ($3::text[]) and met is not null and (met or note <> '') returning part, met, note),
given as (
  insert into review_verdict (submission_id, item, met, note, reviewer_id, given_at)
  select $1, part, met, note, $2, $4::timestamptz from finished
      on conflict (submission_id, item) do update
     set met = excluded.met, note = excluded.note, reviewer_id = excluded.reviewer_id, given_at = excluded.given_at
  returning item, met),
withdrawn as (
  delete from review_verdict v using review_draft d
   where v.submission_id = $1 and v.met and d.submission_id = $1 and d.reviewer_id = $2 and d.part = v.item and not d.met and d.note = ''
  returning v.item)
select item, met from given union all select item, null from withdrawn`;

/**
 * Ends a reviewer's sitting on a locked submission, in the caller's transaction: the drafts become verdicts, what was met before and is in doubt
 * now is open again, and one line of the audit trail names all of it. Nothing happens if there is none.
 */
export async function endSitting(tx: EntityManager, { submission, reviewerId, actor, now }: Sitting): Promise<void> {
  const verdicts = await sql<{ item: ReviewItem; met: boolean | null }>(tx, publishSql, [submission.id, reviewerId, reviewItems, now]);
  if (verdicts.length === 0) return;
  const named = (met: boolean | null) =>
    reviewItems.filter((item) => verdicts.some((verdict) => verdict.item === item && verdict.met === met));
  const withdrawn = named(null);
  const own = actor.type === 'operator' && actor.operatorId === reviewerId;
  await record(tx, actor, now, {
    action: 'submission.verdicts_given',
    subject: { type: 'submission', id: submission.id },
    integrationId: submission.integrationId,
    details: {
      submissionNumber: submission.number,
      met: named(true).join(' '),
      notMet: named(false).join(' '),
      ...(withdrawn.length > 0 && { withdrawn: withdrawn.join(' ') }),
      ...(!own && { reviewerId }),
    },
  });
}

/**
 * Throws conflict if a reviewer holds an item for not met without having said why, or has written a note beside an item without saying
 * whether it is met: only with a verdict does the owner read it.
 */
export async function refuseUnexplained(tx: EntityManager, submissionId: string, reviewerId: string): Promise<void> {
  const rows = await sql<{ part: ReviewItem; met: boolean | null }>(
    tx,
    `select part, met from review_draft
      where submission_id = $1 and reviewer_id = $2 and part = any ($3::text[]) and (met = false and note = '' or met is null and note <> '')`,
    [submissionId, reviewerId, reviewItems],
  );
  const titles = (met: boolean | null) =>
    reviewItems.filter((item) => rows.some((row) => row.part === item && row.met === met)).map((item) => reviewChecklist[item].title);
  const [unexplained, undecided] = [titles(false), titles(null)];
  if (unexplained.length > 0) {
    throw new DomainError('conflict', {
      detail: `Say what is missing, because the owner works from these notes: ${unexplained.join(', ')}.`,
    });
  }
  if (undecided.length > 0) {
    throw new DomainError('conflict', {
      detail: `Say whether these points are met, or clear their notes, because the owner reads a note only with a verdict: ${undecided.join(', ')}.`,
    });
  }
}

/** Removes what reviewers have noted for themselves about submissions that have ended, in the transaction that ends them. */
export async function forgetSittings(tx: EntityManager, submissionIds: readonly string[]): Promise<void> {
  await sql(tx, 'delete from review_draft where submission_id = any ($1::text[])', [submissionIds]);
  await sql(tx, 'delete from review_visit where submission_id = any ($1::text[])', [submissionIds]);
}
