import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { refuseInvalid } from '../../shared/DomainError.ts';
import { limits } from '../../shared/limits.ts';
import { lockTaken } from '../lockSubmission.ts';
import { isReviewItem } from '../reviewChecklist.ts';
import type { ReviewSubmission } from '../ReviewSubmission.ts';
import { ReviewVerdict } from '../ReviewVerdict.ts';
import { wordsRefusal } from '../reviewWords.ts';

type GiveVerdict = {
  readonly actor: OperatorActor;
  readonly submissionId: string;
  readonly item: string;
  readonly met: boolean;
  /** Required if the item is not met. The owner reads it. */
  readonly note: string;
  readonly now: Date;
};

/**
 * A reviewer's verdict on one item of the checklist. A later one replaces it. Giving a verdict takes the submission. Errors:
 * invalid_request, not_found, forbidden (own), conflict (decided, taken by another).
 */
export function giveVerdict(em: EntityManager, { actor, submissionId, item, met, note, now }: GiveVerdict): Promise<ReviewSubmission> {
  const words = note.trim();
  const unnamed = !met && words === '' ? 'Say what is missing: the owner will read this note.' : null;
  const refusal = unnamed ?? (words === '' ? null : wordsRefusal(words, limits.reviewWords));
  refuseInvalid([
    ...(isReviewItem(item) ? [] : [{ path: 'input.item', message: 'The checklist has no such item.' }]),
    ...(refusal === null ? [] : [{ path: 'input.note', message: refusal }]),
  ]);
  return em.transactional(async (tx) => {
    const submission = await lockTaken(tx, actor, submissionId, now);
    await tx.flush();
    await tx.upsert(ReviewVerdict, {
      submissionId,
      item: item as ReviewVerdict['item'],
      met,
      note: words,
      reviewerId: actor.operatorId,
      givenAt: now,
    });
    await record(tx, actor, now, {
      action: 'submission.verdict_given',
      subject: { type: 'submission', id: submissionId },
      integrationId: submission.integrationId,
      details: { item, met },
    });
    return submission;
  });
}
