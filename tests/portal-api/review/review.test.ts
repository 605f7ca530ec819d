import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { reviewItems } from '../../../server/domain/review/reviewChecklist.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { codesOf, fieldsOf, profileRevision, type IntegrationData, type PortalClient } from '../../support/clients/portalClient.ts';
import { addLogo, goodSubmission, reject, reviewer, submit } from '../../support/world/reviewPath.ts';
import { newerTerms } from '../../support/world/profileFixtures.ts';

type Submission = {
  id: string;
  number: number;
  status: string;
  profileVersion: number;
  scopes: string[];
  waitingFor: string;
  waitingSince: string;
  decisionNotes: string | null;
  taken: boolean;
  mine: boolean;
  reviewer: string | null;
  comparedWith: number | null;
  changes: { field: string; before: string[]; after: string[] }[];
  checklist: { item: string; confirmed: boolean; word: string | null; verdict: { met: boolean; note: string } | null }[];
  messages: { id: string; authorRole: string; body: string }[];
  earlierSubmissions?: Submission[];
};
type Page = { edges: { cursor: string; node: Submission }[]; pageInfo: { hasNextPage: boolean }; obstacles: { kind: string }[] };

let application: PortalWorld;
let owner: PortalClient;
let staff: PortalClient;
let colleague: PortalClient;
let integration: IntegrationData;
beforeAll(async () => {
  application = await openWorld({ portal: true });
  [staff, colleague] = [await reviewer(application), await reviewer(application)];
});
beforeEach(async () => {
  owner = await application.operator();
  integration = await owner.createIntegration();
  for (const browser of [owner, staff, colleague]) await browser.confirmFreshly();
});
afterAll(() => application.close());

const submitForReview = (overrides: Record<string, unknown> = {}) =>
  owner.call<Submission>('submitForReview', { input: goodSubmission(integration.id, overrides) });
const submitted = async () => (await submit(application, owner, integration)).id;
const statusOf = async () => (await owner.must<IntegrationData>('integration', { slug: integration.slug })).status;
const meetAll = async (by: PortalClient, submissionId: string) => {
  for (const item of reviewItems) await by.must('giveVerdict', { input: { submissionId, item, met: true } });
};
const submissions = async () => (await owner.must<Page>('ownSubmissions', { slug: integration.slug })).edges.map(({ node }) => node);

describe('an owner who submits for review', () => {
  test('hands in the current profile version with exactly its scopes and every confirmation', async () => {
    await addLogo(application, integration.id);
    const { data, errors } = await submitForReview();
    expect(errors).toEqual([]);
    expect(data).toMatchObject({
      number: 1,
      status: 'submitted',
      profileVersion: 1,
      scopes: ['orders.read'],
      waitingFor: 'reviewer',
      taken: false,
    });
    expect(data?.checklist.map(({ item, word }) => [item, word])).toEqual(
      reviewItems.map((item) => [item, item === 'deletion' ? 'We delete every night.' : null]),
    );
    expect(await statusOf()).toBe('submitted');
  });

  test('is told by field which confirmation is missing and what is wrong with the address', async () => {
    await addLogo(application, integration.id);
    const answer = await submitForReview({
      reviewUrl: 'http://localhost/demo',
      confirmations: goodSubmission('').confirmations.map((each) => ({ ...each, confirmed: each.item !== 'privacy' })),
    });
    expect(codesOf(answer)).toEqual(['BAD_USER_INPUT']);
    expect(Object.keys(fieldsOf(answer))).toEqual(['input.reviewUrl', 'input.confirmations.privacy']);
    expect(await statusOf()).toBe('sandbox');
  });

  test.each([{ confirmations: [] }, { reviewUrl: '' }, { reviewUrl: 'https://10.0.0.1/x' }])('is refused with %j', async (overrides) => {
    await addLogo(application, integration.id);
    expect(codesOf(await submitForReview(overrides))).toEqual(['BAD_USER_INPUT']);
  });

  test('needs a logo first, and the page says so beforehand', async () => {
    const { obstacles } = await owner.must<Page>('ownSubmissions', { slug: integration.slug });
    expect(obstacles).toMatchObject([{ kind: 'logo' }]);
    const answer = await submitForReview();
    expect(codesOf(answer)).toEqual(['CONFLICT']);
    expect(answer.errors[0]?.message).toBe('Upload a logo on the profile page first.');
  });

  test('submits once, however often the button is pressed', async () => {
    await addLogo(application, integration.id);
    const answers = await Promise.all([1, 2, 3].map(() => submitForReview()));
    expect(answers.flatMap(codesOf)).toEqual(['CONFLICT', 'CONFLICT']);
    expect(await submissions()).toHaveLength(1);
  });

  test('needs a fresh passkey confirmation', async () => {
    const late = await application.operator();
    const { id } = await late.createIntegration();
    expect(codesOf(await late.call('submitForReview', { input: goodSubmission(id) }))).toEqual(['FRESH_PASSKEY_REQUIRED']);
  });

  test('cannot submit another’s integration, which reads like none', async () => {
    const stranger = await application.operator();
    await stranger.confirmFreshly();
    const answers = await Promise.all(
      [integration.id, 'int_x'].map((id) => stranger.call('submitForReview', { input: goodSubmission(id) })),
    );
    expect(answers.flatMap(codesOf)).toEqual(['NOT_FOUND', 'NOT_FOUND']);
    expect(answers[0]?.text).toBe(answers[1]?.text);
  });
});

test('a newer version of the terms has to be accepted before an integration is submitted', async () => {
  await addLogo(application, integration.id);
  await newerTerms(application, application.clock.now());
  try {
    expect((await owner.must<Page>('ownSubmissions', { slug: integration.slug })).obstacles).toMatchObject([{ kind: 'terms' }]);
    expect(codesOf(await submitForReview())).toEqual(['CONFLICT']);
  } finally {
    await application.rows('delete from terms_version where version = 2');
  }
});

describe('the queue', () => {
  const queue = async (by: PortalClient, variables: Record<string, unknown> = {}) =>
    (await by.must<Page>('submissions', { first: 30, ...variables })).edges.map(({ node }) => node.id);

  test('shows who has waited longest first, page by page, and who is on it', async () => {
    const first = await submitted();
    integration = await owner.createIntegration();
    const second = await submitted();
    const all = await queue(staff);
    expect(all.slice(-2)).toEqual([first, second]);
    expect((await queue(staff, { order: 'newest' })).slice(0, 2)).toEqual([second, first]);
    const paged: string[] = [];
    for (let after: string | undefined, more = true; more;) {
      const page = await staff.must<Page>('submissions', { first: 1, after });
      paged.push(...page.edges.map(({ node }) => node.id));
      [after, more] = [page.edges.at(-1)?.cursor, page.pageInfo.hasNextPage];
    }
    expect(paged).toEqual(all);
    expect(await staff.must('takeSubmission', { input: { submissionId: first } })).toMatchObject({ mine: true, reviewer: staff.email });
    expect([
      (await queue(staff, { assignee: 'mine' })).includes(first),
      (await queue(colleague, { assignee: 'mine' })).includes(first),
    ]).toEqual([true, false]);
    const untaken = await queue(colleague, { assignee: 'untaken' });
    expect([untaken.includes(first), untaken.includes(second)]).toEqual([false, true]);
    await staff.must('askQuestion', { input: { submissionId: first, body: 'Where is the credit?' } });
    for (const assignee of ['anyone', 'mine']) {
      expect(await queue(staff, { waitingFor: 'operator', assignee })).toEqual([first]);
      expect(await queue(staff, { waitingFor: 'reviewer', assignee })).not.toContain(first);
    }
    expect(await queue(staff, { waitingFor: 'reviewer', assignee: 'untaken' })).toContain(second);
  });

  test.each([{ first: 0 }, { first: 101 }, { after: 'AAAA' }, { status: 'approved', waitingFor: 'operator' }])(
    'refuses %j',
    async (variables) => {
      expect(codesOf(await staff.call('submissions', variables))).toEqual(['BAD_USER_INPUT']);
    },
  );

  test('has nothing of a reviewer’s own, and they cannot look at it, work on it or decide it', async () => {
    integration = await staff.createIntegration();
    const { id: submissionId } = await submit(application, staff, integration);
    expect(await queue(staff)).not.toContain(submissionId);
    expect(await queue(colleague)).toContain(submissionId);
    const answers = [
      await staff.call('submission', { id: submissionId }),
      await staff.call('takeSubmission', { input: { submissionId } }),
      await staff.call('giveVerdict', { input: { submissionId, item: 'privacy', met: true } }),
      await staff.call('askQuestion', { input: { submissionId, body: 'Why?' } }),
      await staff.call('approveSubmission', { input: { submissionId } }),
      await staff.call('rejectSubmission', { input: { submissionId, notes: 'No.' } }),
    ];
    expect(answers.map(codesOf)).toEqual(answers.map(() => ['FORBIDDEN']));
  });
});

describe('a reviewer', () => {
  test('gives each item a verdict; what is not met needs a note, and the owner reads it only after the decision', async () => {
    const submissionId = await submitted();
    const bare = await staff.call('giveVerdict', { input: { submissionId, item: 'privacy', met: false } });
    expect([codesOf(bare), Object.keys(fieldsOf(bare))]).toEqual([['BAD_USER_INPUT'], ['input.note']]);
    await staff.must('giveVerdict', { input: { submissionId, item: 'privacy', met: true } });
    await staff.must('giveVerdict', { input: { submissionId, item: 'privacy', met: false, note: 'The link is dead.' } });
    const verdictOf = ({ checklist }: Submission) => checklist.find(({ item }) => item === 'privacy')?.verdict;
    expect(verdictOf(await staff.must<Submission>('submission', { id: submissionId }))).toEqual({ met: false, note: 'The link is dead.' });
    expect((await submissions()).map(verdictOf)).toEqual([null]);
    await staff.must('rejectSubmission', { input: { submissionId, notes: 'See the notes.' } });
    const [submission] = await submissions();
    expect(submission).toMatchObject({ status: 'rejected', decisionNotes: 'See the notes.', reviewer: null });
    expect(submission && verdictOf(submission)).toEqual({ met: false, note: 'The link is dead.' });
    expect((await owner.mails())[0]).toMatchObject({ subject: 'Changes needed: Order Board' });
    expect(await statusOf()).toBe('rejected');
  });

  test('cannot work on what a colleague has taken, unless they take it over or the colleague releases it', async () => {
    const submissionId = await submitted();
    await colleague.must('takeSubmission', { input: { submissionId } });
    expect(codesOf(await staff.call('takeSubmission', { input: { submissionId } }))).toEqual(['CONFLICT']);
    expect(codesOf(await staff.call('giveVerdict', { input: { submissionId, item: 'terms', met: true } }))).toEqual(['CONFLICT']);
    expect(codesOf(await staff.call('releaseSubmission', { input: { submissionId } }))).toEqual(['CONFLICT']);
    expect(await staff.must('takeSubmission', { input: { submissionId, takeOver: true } })).toMatchObject({ mine: true });
    expect(await staff.must('releaseSubmission', { input: { submissionId } })).toMatchObject({ taken: false });
    expect(await colleague.must('takeSubmission', { input: { submissionId } })).toMatchObject({ reviewer: colleague.email });
  });

  test('asks the owner, who gets a mail and answers; the turn passes each time', async () => {
    const submissionId = await submitted();
    expect(codesOf(await owner.call('answerQuestion', { input: { submissionId, body: 'Hello?' } }))).toEqual(['CONFLICT']);
    const asked = await staff.must<Submission>('askQuestion', { input: { submissionId, body: 'Where is the credit?' } });
    expect(asked).toMatchObject({ waitingFor: 'operator', mine: true });
    expect((await owner.mails())[0]).toMatchObject({ subject: 'A question about Order Board' });
    await staff.must('askQuestion', { input: { submissionId, body: 'And on a phone?' } });
    expect(await owner.mails()).toHaveLength(
      (await owner.mails()).filter(({ subject }) => subject !== 'A question about Order Board').length + 2,
    );
    const answered = await owner.must<Submission>('answerQuestion', { input: { submissionId, body: 'Below each chart.' } });
    expect(answered).toMatchObject({ waitingFor: 'reviewer' });
    expect(answered.messages.map(({ authorRole, body }) => [authorRole, body])).toEqual([
      ['reviewer', 'Where is the credit?'],
      ['reviewer', 'And on a phone?'],
      ['operator', 'Below each chart.'],
    ]);
    const stranger = await application.operator();
    expect(codesOf(await stranger.call('answerQuestion', { input: { submissionId, body: 'x' } }))).toEqual(['NOT_FOUND']);
    expect(codesOf(await owner.call('answerQuestion', { input: { submissionId, body: ' ' } }))).toEqual(['BAD_USER_INPUT']);
  });

  test('approves only when every item is met, for exactly the submitted version and scopes', async () => {
    const submissionId = await submitted();
    const early = await staff.call('approveSubmission', { input: { submissionId } });
    expect(codesOf(early)).toEqual(['CONFLICT']);
    expect(early.errors[0]?.message).toContain('Linking page');
    await meetAll(staff, submissionId);
    await staff.must('giveVerdict', { input: { submissionId, item: 'support', met: false, note: 'No contact.' } });
    expect(codesOf(await staff.call('approveSubmission', { input: { submissionId } }))).toEqual(['CONFLICT']);
    expect(await statusOf()).toBe('submitted');
    await staff.must('giveVerdict', { input: { submissionId, item: 'support', met: true } });
    expect(await staff.must('approveSubmission', { input: { submissionId } })).toMatchObject({ status: 'approved' });
    expect((await owner.mails())[0]).toMatchObject({ subject: 'Approved: Order Board' });
    const { clients } = await owner.must<IntegrationData>('integration', { slug: integration.slug });
    expect(clients).toMatchObject([
      { environment: 'sandbox' },
      { environment: 'production', scopes: ['orders.read'], certificatesInUse: [] },
    ]);
  });

  test('rejects with notes, not without', async () => {
    const submissionId = await submitted();
    const answer = await staff.call('rejectSubmission', { input: { submissionId, notes: '  ' } });
    expect([codesOf(answer), Object.keys(fieldsOf(answer))]).toEqual([['BAD_USER_INPUT'], ['input.notes']]);
    expect(await statusOf()).toBe('submitted');
  });

  test('sees what changed against the last reviewed version, and the earlier submissions', async () => {
    await reject(application, staff, { id: await submitted() }, 'Name the purpose.');
    await owner.must('reviseProfile', { input: profileRevision(integration.id, 1, { purpose: 'Shows the owner a delivery date.' }) });
    const id = await submitted();
    const submission = await staff.must<Submission>('submission', { id });
    expect(submission).toMatchObject({ number: 2, profileVersion: 2, comparedWith: 1 });
    expect(submission.changes.map(({ field }) => field)).toContain('purpose');
    expect(submission.earlierSubmissions).toMatchObject([
      { number: 1, status: 'rejected', decisionNotes: 'Name the purpose.', comparedWith: null },
    ]);
  });
});

describe('the footer badge', () => {
  test('of a submission from before the checklist had it is looked at all the same, and the page says that nobody confirmed it', async () => {
    const submissionId = await submitted();
    await application.rows(
      `update review_submission set statement = (select json_agg(s) from json_array_elements(statement) s where s ->> 'item' <> 'footerBadge') where id = $1`,
      [submissionId],
    );
    const badge = async () =>
      (await staff.must<Submission>('submission', { id: submissionId })).checklist.find(({ item }) => item === 'footerBadge');
    expect(await badge()).toEqual({ item: 'footerBadge', confirmed: false, word: null, verdict: null });
    for (const item of reviewItems) {
      if (item !== 'footerBadge') await staff.must('giveVerdict', { input: { submissionId, item, met: true } });
    }
    expect((await staff.call('approveSubmission', { input: { submissionId } })).errors[0]?.message).toContain('Footer badge');
    await staff.must('giveVerdict', { input: { submissionId, item: 'footerBadge', met: true } });
    await staff.must('approveSubmission', { input: { submissionId } });
    expect(await badge()).toMatchObject({ confirmed: false, verdict: { met: true } });
  });

  test('is no part of a submission that was decided before the checklist had it', async () => {
    const submissionId = await submitted();
    await application.rows("update review_submission set statement = '[]' where id = $1", [submissionId]);
    await reject(application, staff, { id: submissionId });
    expect((await submissions())[0]?.checklist).toEqual([]);
  });
});

describe('mail to reviewers', () => {
  const subjects = async (client: PortalClient) => (await client.mails()).map(({ subject }) => subject);
  const mailTo = async (client: PortalClient, subject: string) => (await subjects(client)).filter((each) => each === subject).length;

  test('tells all of them of a submission, and whoever has taken it of an answer, but never the owner', async () => {
    const name = 'Mailed Board';
    integration = await staff.createIntegration({ publicName: name });
    await staff.confirmFreshly();
    await submit(application, staff, integration);
    expect([await mailTo(colleague, `New submission: ${name}`), await mailTo(staff, `New submission: ${name}`)]).toEqual([1, 0]);

    integration = await owner.createIntegration({ publicName: name });
    const { id: submissionId } = await submit(application, owner, integration);
    expect([await mailTo(colleague, `New submission: ${name}`), await mailTo(staff, `New submission: ${name}`)]).toEqual([2, 1]);
    await staff.must('askQuestion', { input: { submissionId, body: 'Where?' } });
    await owner.must('answerQuestion', { input: { submissionId, body: 'There.' } });
    expect([await mailTo(colleague, `Question answered: ${name}`), await mailTo(staff, `Question answered: ${name}`)]).toEqual([0, 1]);
    await staff.must('releaseSubmission', { input: { submissionId } });
    await owner.must('answerQuestion', { input: { submissionId, body: 'And there.' } });
    expect([await mailTo(colleague, `Question answered: ${name}`), await mailTo(staff, `Question answered: ${name}`)]).toEqual([1, 2]);
    expect(await mailTo(owner, `New submission: ${name}`)).toBe(0);
  });

  test('tells them of a change of business model, except those who have switched this mail off', async () => {
    await colleague.must('setNotificationPreferences', { input: { muted: ['businessModels'] } });
    const report = { integrationId: integration.id, description: 'We will sell adverts.' };
    await owner.must('reportBusinessModelChange', { input: report });
    const subject = 'Change of business model: Order Board';
    expect([await mailTo(colleague, subject), await mailTo(staff, subject)]).toEqual([0, 1]);
    await colleague.must('setNotificationPreferences', { input: { muted: [] } });
  });
});

describe('two reviewers who decide at once', () => {
  test.each([
    ['approveSubmission', 'rejectSubmission'],
    ['approveSubmission', 'approveSubmission'],
    ['rejectSubmission', 'rejectSubmission'],
  ] as const)('%s and %s: one wins, the other is told', async (one, other) => {
    const submissionId = await submitted();
    await meetAll(staff, submissionId);
    await staff.must('releaseSubmission', { input: { submissionId } });
    const input = { input: { submissionId, notes: 'Decided.' } };
    const answers = await Promise.all([staff.call<Submission>(one, input), colleague.call<Submission>(other, input)]);
    expect(answers.flatMap(codesOf)).toEqual(['CONFLICT']);
    const loser = answers.find(({ errors }) => errors.length > 0);
    expect(loser?.errors[0]?.message).toMatch(
      /^Another reviewer has (approved|rejected) this submission in the meantime\. Your decision was not recorded\.$/,
    );
    const winner = answers.find(({ data }) => data !== null)?.data;
    expect(await statusOf()).toBe(winner?.status);
    expect(
      await application.rows("select id from client where integration_id = $1 and environment = 'production'", [integration.id]),
    ).toHaveLength(winner?.status === 'approved' ? 1 : 0);
    expect(codesOf(await staff.call('giveVerdict', { input: { submissionId, item: 'terms', met: true } }))).toEqual(['CONFLICT']);
  });
});

test('the published review time is the median and the 90th percentile of the last 90 days', async () => {
  await application.rows("update review_submission set status = 'withdrawn', decided_at = coalesce(decided_at, now())");
  const times = () => owner.must('reviewTimes');
  expect(await times()).toMatchObject({ decisions: 0, medianSeconds: null, ninetiethPercentileSeconds: null });
  for (const hours of [1, 2, 3, 4, 200 * 24]) {
    integration = await owner.createIntegration();
    const id = await submitted();
    await application.rows(
      `update review_submission set status = 'rejected', submitted_at = now() - make_interval(hours => $2),
         decided_at = case when $2 > 100 then now() - interval '91 days' else now() end where id = $1`,
      [id, hours],
    );
  }
  expect(await times()).toMatchObject({ decisions: 4, medianSeconds: 9_000, ninetiethPercentileSeconds: 13_320 });
});

test('who was shown to whom: the trail names every step of a review, and the owner’s has no reviewer’s address', async () => {
  const submissionId = await submitted();
  await staff.must('askQuestion', { input: { submissionId, body: 'Why?' } });
  await staff.must('rejectSubmission', { input: { submissionId, notes: 'No.' } });
  const trail = await application.rows<{ action: string; text: string }>(
    'select action, details::text as text from audit_entry where integration_id = $1 order by id',
    [integration.id],
  );
  expect(trail.map(({ action }) => action)).toEqual([
    'integration.created',
    'integration.submitted',
    'submission.question_asked',
    'integration.rejected',
  ]);
  expect(JSON.stringify([trail, await submissions()])).not.toContain(staff.email);
});
