import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import { notifyStaff } from '../../notification/notifyStaff.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { DomainError } from '../../shared/DomainError.ts';
import { lockRow } from '../../shared/locks.ts';
import { addMessage, refuseBadBody } from '../addMessage.ts';
import { ReviewMessage } from '../ReviewMessage.ts';
import { ReviewSubmission } from '../ReviewSubmission.ts';
import { isOpen } from '../submissionStatus.ts';

type AnswerQuestion = { readonly actor: OperatorActor; readonly submissionId: string; readonly body: string; readonly now: Date };

/**
 * The owner answers the reviewers' question. It is then the reviewers' turn again, and the reviewer who has taken the submission, or
 * otherwise all reviewers, get a mail. More can be added afterwards. Errors: invalid_request, not_found (another's submission, too),
 * conflict (decided, nothing asked).
 */
export function answerQuestion(em: EntityManager, { actor, submissionId, body, now }: AnswerQuestion): Promise<ReviewSubmission> {
  refuseBadBody(body);
  return em.transactional(async (tx) => {
    const own = { id: submissionId, operatorId: actor.operatorId };
    if (!(await tx.findOne(ReviewSubmission, own))) throw new DomainError('not_found', { detail: 'There is no such submission.' });
    await lockRow(tx, 'submission', submissionId);
    const submission = await tx.findOneOrFail(ReviewSubmission, own, { refresh: true });
    if (!isOpen(submission)) {
      throw new DomainError('conflict', { detail: 'This submission has been decided, so no more questions can be asked or answered.' });
    }
    if ((await tx.count(ReviewMessage, { submissionId, authorRole: 'reviewer' })) === 0) {
      throw new DomainError('conflict', { detail: 'Nobody has asked a question about this submission yet.' });
    }
    const { id } = await addMessage(tx, submission, { authorId: actor.operatorId, role: 'operator', body, now });
    await record(tx, actor, now, {
      action: 'submission.question_answered',
      subject: { type: 'submission', id: submissionId },
      integrationId: submission.integrationId,
    });
    await notifyStaff(tx, {
      kind: 'question_answered',
      subjectId: `${submissionId}:${id}`,
      except: [actor.operatorId],
      only: submission.reviewerId ?? null,
      integrationId: submission.integrationId,
      details: { submissionId },
      now,
    });
    return submission;
  });
}
