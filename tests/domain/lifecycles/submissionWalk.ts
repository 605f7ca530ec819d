import { retireIntegration } from '../../../server/domain/programme/retireIntegration.ts';
import { answerQuestion } from '../../../server/domain/review/owner/answerQuestion.ts';
import { withdrawSubmission } from '../../../server/domain/review/owner/withdrawSubmission.ts';
import { reviewItems } from '../../../server/domain/review/reviewChecklist.ts';
import { approveSubmission } from '../../../server/domain/review/reviewer/approveSubmission.ts';
import { askQuestion } from '../../../server/domain/review/reviewer/askQuestion.ts';
import { rejectSubmission } from '../../../server/domain/review/reviewer/rejectSubmission.ts';
import { releaseSubmission } from '../../../server/domain/review/reviewer/releaseSubmission.ts';
import { releaseTaken } from '../../../server/domain/review/reviewer/releaseTaken.ts';
import { saveReviewDraft } from '../../../server/domain/review/reviewer/saveReviewDraft.ts';
import { takeSubmission } from '../../../server/domain/review/reviewer/takeSubmission.ts';
import { submissionLifecycle } from '../../../server/domain/review/submissionStatus.ts';
import type { OperatorActor } from '../../../server/domain/shared/actor.ts';
import { newId } from '../../../server/domain/shared/ids.ts';
import type { TestClient } from '../../support/world/Fixtures.ts';
import type { World } from '../../support/world/World.ts';
import { operatorOf } from './certificateWalk.ts';
import type { Made, Walk } from './Walk.ts';

type SubmissionRow = Made & { readonly id: string; readonly client: TestClient; readonly reviewer: OperatorActor };

/** Submissions with every item of the checklist met and a question asked, so that only their status can prevent a command. */
export function submissionWalk(world: World, now: Date): Walk<SubmissionRow> {
  const { sql } = world.fixtures;
  const em = () => world.orm.em.fork();
  const before = new Date(now.getTime() - 60_000);

  /** `taken`: a reviewer is on it. */
  const maker = (taken: boolean) => async (state: string) => {
    const client = await world.fixtures.client({ status: 'submitted' });
    const reviewer: OperatorActor = { ...operatorOf((await world.fixtures.client()).operatorId), roles: ['reviewer'] };
    const id = newId('sub');
    const decided = state === 'submitted' ? null : before;
    const takenBy = taken ? reviewer.operatorId : null;
    await sql`insert into review_submission (id, integration_id, operator_id, round, profile_version, scopes, terms_version, review_url, statement,
        status, submitted_at, waiting_for, waiting_since, reviewer_id, taken_at, decided_at, decided_by)
      values (${id}, ${client.integrationId}, ${client.operatorId}, 1, 1, '{orders.read}', 1, 'https://example.com', '[]',
        ${state}, ${before}, 'operator', ${before}, ${takenBy}, ${taken ? before : null}, ${decided}, ${decided && client.operatorId})`;
    for (const item of reviewItems)
      await sql`insert into review_verdict (submission_id, item, met, note, reviewer_id, given_at) values (${id}, ${item}, true, '', ${reviewer.operatorId}, ${before})`;
    await sql`insert into review_message (submission_id, author_id, author_role, body, written_at) values (${id}, ${reviewer.operatorId}, 'reviewer', 'Why?', ${before})`;
    return { where: { id }, id, client, reviewer };
  };
  const [make, makeTaken] = [maker(false), maker(true)];

  const does = (action: string, to = 'submitted') => ({ submitted: { actions: [action], to } });
  const taking = (action: string, to = 'submitted') => ({ submitted: { actions: ['takeSubmission', action], to } });
  const decision = ({ id, reviewer }: SubmissionRow) => ({ actor: reviewer, submissionId: id, notes: 'Notes', now });
  return {
    lifecycle: submissionLifecycle,
    make,
    runs: {
      takeSubmission: {
        command: ({ id, reviewer }) => takeSubmission(em(), { actor: reviewer, submissionId: id, takeOver: false, now }),
        does: does('takeSubmission'),
      },
      saveReviewDraft: {
        command: ({ id, reviewer }) =>
          saveReviewDraft(em(), { actor: reviewer, submissionId: id, part: reviewItems[0]!, met: true, note: '', version: null, now }),
        does: does('takeSubmission'),
      },
      releaseSubmission: {
        make: makeTaken,
        command: ({ id, reviewer }) => releaseSubmission(em(), { actor: reviewer, submissionId: id, now }),
        does: does('releaseSubmission'),
      },
      'a reviewer who can review no longer': {
        make: makeTaken,
        command: ({ reviewer }) =>
          em().transactional((tx) => releaseTaken(tx, { reviewerId: reviewer.operatorId, actor: reviewer, because: 'Test', now })),
        does: does('releaseSubmission'),
      },
      answerQuestion: {
        command: ({ id, client }) => answerQuestion(em(), { actor: operatorOf(client.operatorId), submissionId: id, body: 'So.', now }),
        does: does('passTurn'),
      },
      'answerQuestion and askQuestion': {
        command: async ({ id, client, reviewer }) => {
          await answerQuestion(em(), { actor: operatorOf(client.operatorId), submissionId: id, body: 'So.', now });
          await askQuestion(em(), { actor: reviewer, submissionId: id, body: 'And?', now });
        },
        does: taking('passTurn'),
      },
      approveSubmission: { command: (row) => approveSubmission(em(), decision(row)), does: taking('approveSubmission', 'approved') },
      rejectSubmission: { command: (row) => rejectSubmission(em(), decision(row)), does: taking('rejectSubmission', 'rejected') },
      withdrawSubmission: {
        command: ({ id, client }) =>
          withdrawSubmission(em(), { actor: operatorOf(client.operatorId), submissionId: id, reason: null, now }),
        does: does('withdrawSubmission', 'withdrawn'),
      },
      retireIntegration: {
        command: ({ client: { integrationId }, reviewer }) =>
          retireIntegration(em(), { actor: { ...reviewer, roles: ['administrator'] }, integrationId, reason: 'A reason to retire', now }),
        does: does('retireIntegration', 'withdrawn'),
      },
    },
  };
}
