import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError, refuseInvalid } from '../shared/DomainError.ts';
import { reviewLimits } from './reviewLimits.ts';
import { ReviewMessage } from './ReviewMessage.ts';
import type { ReviewRole, ReviewSubmission } from './ReviewSubmission.ts';
import { wordsRefusal } from './reviewWords.ts';

/** Throws invalid_request unless the words are allowed in the thread of a submission. */
export function refuseBadBody(body: string): void {
  const refusal = wordsRefusal(body, reviewLimits.reviewWords);
  if (refusal !== null) refuseInvalid([{ path: 'input.body', message: refusal }]);
}

type NewMessage = { readonly authorId: string; readonly role: ReviewRole; readonly body: string; readonly now: Date };

/**
 * Adds a message to the thread of a locked submission, in the caller's transaction. It is then the other side's turn. Errors: conflict
 * (full).
 */
export async function addMessage(
  tx: EntityManager,
  submission: ReviewSubmission,
  { authorId, role, body, now }: NewMessage,
): Promise<ReviewMessage> {
  if ((await tx.count(ReviewMessage, { submissionId: submission.id })) >= reviewLimits.reviewMessagesPerSubmission) {
    const next = role === 'reviewer' ? 'Decide the submission.' : 'The reviewers will decide with what is in it.';
    throw new DomainError('conflict', {
      detail: `This thread has ${reviewLimits.reviewMessagesPerSubmission} messages, which is the maximum. ${next}`,
    });
  }
  const message = tx.create(ReviewMessage, {
    submissionId: submission.id,
    authorId,
    authorRole: role,
    body: body.trim(),
    writtenAt: now,
  });
  tx.persist(message);
  submission.passTurnTo(role === 'reviewer' ? 'operator' : 'reviewer', now);
  await tx.flush();
  return message;
}
