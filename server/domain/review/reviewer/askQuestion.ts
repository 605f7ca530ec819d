import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import { notify } from '../../notification/notify.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { addMessage, refuseBadBody } from '../addMessage.ts';
import { lockTaken } from '../lockSubmission.ts';
import type { ReviewSubmission } from '../ReviewSubmission.ts';

type AskQuestion = { readonly actor: OperatorActor; readonly submissionId: string; readonly body: string; readonly now: Date };

/**
 * A reviewer asks the owner, who gets a mail. It is then the owner's turn. Asking takes the submission. Errors: invalid_request, not_found,
 * forbidden (own), conflict (decided, taken by another).
 */
export function askQuestion(em: EntityManager, { actor, submissionId, body, now }: AskQuestion): Promise<ReviewSubmission> {
  refuseBadBody(body);
  return em.transactional(async (tx) => {
    const submission = await lockTaken(tx, actor, submissionId, now);
    const { id } = await addMessage(tx, submission, { authorId: actor.operatorId, role: 'reviewer', body, now });
    await record(tx, actor, now, {
      action: 'submission.question_asked',
      subject: { type: 'submission', id: submissionId },
      operatorId: submission.operatorId,
      integrationId: submission.integrationId,
    });
    await notify(tx, {
      kind: 'review_question',
      subjectId: `${submissionId}:${id}`,
      operatorId: submission.operatorId,
      integrationId: submission.integrationId,
      now,
    });
    return submission;
  });
}
