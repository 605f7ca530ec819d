import type { EntityManager } from '@mikro-orm/postgresql';
import { reviewLimits } from '../reviewLimits.ts';
import { sql } from '../../shared/sql.ts';
import type { ReviewedLink, ReviewItem } from '../reviewChecklist.ts';
import type { DraftPart } from '../sitting.ts';

/** What a reviewer has noted so far. */
export type ReviewDraft = {
  readonly part: DraftPart;
  readonly met: boolean | null;
  readonly note: string;
  readonly version: number;
  readonly savedAt: Date;
};

/** What a reviewer has noted about each submission. All ask for the same reviewer. */
export async function reviewDraftsOf(em: EntityManager, reviewerId: string, submissionIds: readonly string[]): Promise<ReviewDraft[][]> {
  const rows = await sql<ReviewDraft & { id: string }>(
    em,
    `select submission_id as id, part, met, note, version, saved_at as "savedAt"
       from review_draft where submission_id = any ($1::text[]) and reviewer_id = $2`,
    [submissionIds, reviewerId],
  );
  return submissionIds.map((wanted) =>
    rows.filter(({ id }) => id === wanted).map(({ part, met, note, version, savedAt }) => ({ part, met, note, version, savedAt })),
  );
}

export type ReviewVisit = {
  readonly reviewerId: string;
  readonly openedAt: Date;
  /** Whether the submission is open before them now. */
  readonly present: boolean;
  readonly links: readonly ReviewedLink[];
};

/** The visits to each submission, latest first. */
export async function visitsOf(em: EntityManager, submissionIds: readonly string[], now: Date): Promise<ReviewVisit[][]> {
  const rows = await sql<ReviewVisit & { id: string }>(
    em,
    `select submission_id as id, reviewer_id as "reviewerId", opened_at as "openedAt", seen_at > $2::timestamptz as present, links
       from review_visit where submission_id = any ($1::text[]) order by seen_at desc`,
    [submissionIds, new Date(now.getTime() - reviewLimits.reviewVisit.believed)],
  );
  return submissionIds.map((wanted) =>
    rows.filter(({ id }) => id === wanted).map(({ reviewerId, openedAt, present, links }) => ({ reviewerId, openedAt, present, links })),
  );
}

/** How many items have been judged. */
export type JudgedPoints = { readonly met: number; readonly notMet: number };

/** Verdicts, and the drafts of `$2` who has taken the submission, which replace them. By the primary keys of all three tables. */
const pointsSql = `
select s.id, count(*) filter (where judged.met)::int as met, count(*) filter (where not judged.met)::int as "notMet"
  from review_submission s
  left join lateral (
    select distinct on (item) met from (
      select part as item, met, 1 as place from review_draft
       where submission_id = s.id and reviewer_id = $2 and s.reviewer_id = $2 and met is not null
      union all select item, met, 2 from review_verdict where submission_id = s.id) each
     order by item, place) judged on true
 where s.id = any ($1::text[]) group by s.id`;

/**
 * How many items of each submission have been judged so far, as one reviewer may know it: a colleague's drafts are left out, because even their
 * number would tell what an unfinished review has found. All ask for the same reviewer.
 */
export async function judgedPoints(em: EntityManager, reviewerId: string, submissionIds: readonly string[]): Promise<JudgedPoints[]> {
  const rows = await sql<JudgedPoints & { id: string }>(em, pointsSql, [submissionIds, reviewerId]);
  return submissionIds.map((wanted) => {
    const row = rows.find(({ id }) => id === wanted);
    return { met: row?.met ?? 0, notMet: row?.notMet ?? 0 };
  });
}

export type FormerNotes = { readonly item: ReviewItem; readonly notes: string[] };

/** By review_verdict_notes. */
const formerNotesSql = `
select item, note from (
  select v.item, v.note, v.given_at from review_verdict v join review_submission s on s.id = v.submission_id and s.status = 'rejected'
   where v.reviewer_id = $1 and not v.met order by v.given_at desc limit $2) latest
 group by item, note order by max(given_at) desc`;

/** A reviewer's own notes from submissions that were rejected, by item, the latest first. */
export async function formerNotes(em: EntityManager, reviewerId: string): Promise<FormerNotes[]> {
  const rows = await sql<{ item: ReviewItem; note: string }>(em, formerNotesSql, [reviewerId, reviewLimits.formerNotesSearched]);
  const items = [...new Set(rows.map(({ item }) => item))];
  return items.map((item) => ({
    item,
    notes: rows
      .filter((row) => row.item === item)
      .slice(0, reviewLimits.formerNotes)
      .map(({ note }) => note),
  }));
}
