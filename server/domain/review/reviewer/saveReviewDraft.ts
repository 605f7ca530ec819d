import type { EntityManager } from '@mikro-orm/postgresql';
import type { OperatorActor } from '../../shared/actor.ts';
import { refuseInvalid } from '../../shared/DomainError.ts';
import { reviewLimits } from '../reviewLimits.ts';
import { sql } from '../../shared/sql.ts';
import { refuseOtherVersion } from '../draftVersion.ts';
import { lockTaken } from '../lockSubmission.ts';
import { isReviewItem } from '../reviewChecklist.ts';
import { wordsRefusal } from '../reviewWords.ts';
import type { DraftPart } from '../sitting.ts';

type SaveReviewDraft = {
  readonly actor: OperatorActor;
  readonly submissionId: string;
  readonly part: DraftPart;
  /** Whether an item is met. If null, what was given before stays. */
  readonly met: boolean | null;
  readonly note: string;
  /** The version that the page has, 0 for none. If null, whatever is stored is replaced. */
  readonly version: number | null;
  readonly now: Date;
};

/** `$4` whether it is met; at first, what a former sitting has found. By the primary keys. */
const saveSql = `
insert into review_draft as d (submission_id, reviewer_id, part, met, note, saved_at)
values ($1, $2, $3, coalesce($4::boolean, (select v.met from review_verdict v where v.submission_id = $1 and v.item = $3)), $5, $6)
    on conflict (submission_id, reviewer_id, part) do update
   set met = coalesce($4::boolean, d.met), note = excluded.note, version = default, saved_at = excluded.saved_at
returning version`;

/**
 * Stores what a reviewer thinks of one item so far, or has written so far, for that reviewer alone (docs/specification.md, “Sittings”). It takes
 * a submission that nobody has taken. Returns the version of what is stored. Errors: invalid_request, not_found, forbidden (own), conflict
 * (decided, taken by another, another version is stored).
 */
export function saveReviewDraft(
  em: EntityManager,
  { actor, submissionId, part, met, note, version, now }: SaveReviewDraft,
): Promise<number> {
  const refusal = note.trim() === '' ? null : wordsRefusal(note, reviewLimits.reviewWords);
  refuseInvalid([
    ...(met !== null && !isReviewItem(part) ? [{ path: 'input.met', message: 'Only items of the checklist are met or not.' }] : []),
    ...(refusal === null ? [] : [{ path: 'input.note', message: refusal }]),
  ]);
  return em.transactional(async (tx) => {
    await lockTaken(tx, actor, submissionId, now);
    await tx.flush();
    const key = [submissionId, actor.operatorId, part];
    const [stored] = await sql<{ version: number }>(
      tx,
      'select version from review_draft where submission_id = $1 and reviewer_id = $2 and part = $3',
      key,
    );
    refuseOtherVersion(version, stored);
    const [saved] = await sql<{ version: number }>(tx, saveSql, [...key, met, note.trim(), now]);
    return saved?.version ?? 0;
  });
}
