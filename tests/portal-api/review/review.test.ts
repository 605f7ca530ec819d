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
  drafts: { part: string; met: boolean | null; note: string; version: number }[];
  presence: { reviewer: string | null; openedAt: string }[];
  followedLinks: string[];
  formerNotes: { item: string; notes: string[] }[];
  points: { met: number; notMet: number; total: number } | null;
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
  for (const item of reviewItems) await by.must('saveReviewDraft', { input: { submissionId, part: item, met: true } });
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
  const queue = async (by: PortalClient, tab: string, variables: Record<string, unknown> = {}) =>
    (await by.must<Page>('submissions', { tab, first: 30, ...variables })).edges.map(({ node }) => node.id);
  const open = ['mine', 'unassigned', 'colleagues', 'waitingForOwner'];
  const tabOf = async (by: PortalClient, submissionId: string) => {
    const found: string[] = [];
    for (const tab of [...open, 'decided']) if ((await queue(by, tab)).includes(submissionId)) found.push(tab);
    return found;
  };

  test('shows who has waited longest first, page by page, and each submission in the one tab that says what to do about it', async () => {
    const first = await submitted();
    integration = await owner.createIntegration();
    const second = await submitted();
    const all = await queue(staff, 'unassigned');
    expect(all.slice(-2)).toEqual([first, second]);
    const paged: string[] = [];
    for (let after: string | undefined, more = true; more;) {
      const page = await staff.must<Page>('submissions', { tab: 'unassigned', first: 1, after });
      paged.push(...page.edges.map(({ node }) => node.id));
      [after, more] = [page.edges.at(-1)?.cursor, page.pageInfo.hasNextPage];
    }
    expect(paged).toEqual(all);
    expect(await staff.must('takeSubmission', { input: { submissionId: first } })).toMatchObject({ mine: true, reviewer: staff.email });
    expect([await tabOf(staff, first), await tabOf(colleague, first), await tabOf(colleague, second)]).toEqual([
      ['mine'],
      ['colleagues'],
      ['unassigned'],
    ]);
    await staff.must('askQuestion', { input: { submissionId: first, body: 'Where is the credit?' } });
    expect([await tabOf(staff, first), await tabOf(colleague, first)]).toEqual([['waitingForOwner'], ['waitingForOwner']]);
    await staff.must('rejectSubmission', { input: { submissionId: first, notes: 'No answer.' } });
    expect(await tabOf(colleague, first)).toEqual(['decided']);
    expect((await queue(colleague, 'decided', { ended: 'rejected' }))[0]).toBe(first);
    expect(await queue(colleague, 'decided', { ended: 'withdrawn' })).not.toContain(first);
  });

  test('counts what each tab shows, and says when the last decision was', async () => {
    const rejected = await submitted();
    await staff.must('rejectSubmission', { input: { submissionId: rejected, notes: 'No.' } });
    integration = await owner.createIntegration();
    await staff.must('takeSubmission', { input: { submissionId: await submitted() } });
    const counts = await staff.must<Record<string, unknown>>('reviewCounts');
    const shown = Object.fromEntries(
      await Promise.all([...open, 'decided'].map(async (tab) => [tab, (await queue(staff, tab)).length] as const)),
    );
    expect(counts).toMatchObject(shown);
    expect(counts['mine']).toBeGreaterThan(0);
    expect(Date.parse(String(counts['lastDecidedAt']))).toBeCloseTo(application.clock.now().getTime(), -4);
  });

  test('leads from one submission to the next: first what is theirs, then what nobody has taken', async () => {
    for (const id of await queue(staff, 'mine')) await staff.must('releaseSubmission', { input: { submissionId: id } });
    const first = await submitted();
    const [longest = ''] = await queue(staff, 'unassigned');
    expect(await staff.must('nextSubmission')).toMatchObject({ id: longest });
    await staff.must('takeSubmission', { input: { submissionId: first } });
    expect(await staff.must('nextSubmission')).toMatchObject({ id: first });
    expect(await staff.must('nextSubmission', { after: first })).toMatchObject({ id: longest });
    expect((await colleague.must<Submission>('nextSubmission')).id).not.toBe(first);
  });

  test.each([
    { tab: 'mine', first: 0 },
    { tab: 'mine', first: 101 },
    { tab: 'mine', after: 'AAAA' },
    { tab: 'mine', ended: 'approved' },
    { tab: 'decided', ended: 'submitted' },
  ])('refuses %j', async (variables) => {
    expect(codesOf(await staff.call('submissions', variables))).toEqual(['BAD_USER_INPUT']);
  });

  test('has nothing of a reviewer’s own, and they cannot look at it, work on it or decide it', async () => {
    integration = await staff.createIntegration();
    const { id: submissionId } = await submit(application, staff, integration);
    expect(await tabOf(staff, submissionId)).toEqual([]);
    expect(await tabOf(colleague, submissionId)).toEqual(['unassigned']);
    const { data } = await staff.call<Submission | null>('nextSubmission');
    expect(data?.id).not.toBe(submissionId);
    const answers = [
      await staff.call('submission', { id: submissionId }),
      await staff.call('takeSubmission', { input: { submissionId } }),
      await staff.call('saveReviewDraft', { input: { submissionId, part: 'privacy', met: true } }),
      await staff.call('askQuestion', { input: { submissionId, body: 'Why?' } }),
      await staff.call('approveSubmission', { input: { submissionId } }),
      await staff.call('rejectSubmission', { input: { submissionId, notes: 'No.' } }),
    ];
    expect(answers.map(codesOf)).toEqual(answers.map(() => ['FORBIDDEN']));
  });
});

describe('a reviewer', () => {
  const verdictOf = ({ checklist }: Submission) => checklist.find(({ item }) => item === 'privacy')?.verdict;
  const draft = (by: PortalClient, submissionId: string, more: Record<string, unknown>) =>
    by.call<number>('saveReviewDraft', { input: { submissionId, part: 'privacy', ...more } });
  const trail = async () =>
    application.rows<{ action: string; details: Record<string, unknown> }>(
      "select action, details from audit_entry where integration_id = $1 and action like 'submission.%' order by id",
      [integration.id],
    );

  test('drafts verdicts that nobody else reads; the decision makes them verdicts, in one line of the trail, and the owner reads them', async () => {
    const submissionId = await submitted();
    for (const item of reviewItems)
      await draft(staff, submissionId, { part: item, met: item !== 'privacy', note: item === 'privacy' ? 'The link is dead.' : '' });
    const mine = await staff.must<Submission>('submission', { id: submissionId });
    expect(mine.drafts.find(({ part }) => part === 'privacy')).toMatchObject({
      met: false,
      note: 'The link is dead.',
      version: expect.any(Number),
    });
    expect(mine.points).toEqual({ met: reviewItems.length - 1, notMet: 1, total: reviewItems.length });
    const theirs = await colleague.must<Submission>('submission', { id: submissionId });
    expect([verdictOf(theirs), theirs.drafts, theirs.points]).toEqual([null, [], { met: 0, notMet: 0, total: reviewItems.length }]);
    expect((await submissions()).map((each) => [verdictOf(each), each.drafts, each.points])).toEqual([[null, [], null]]);
    await staff.must('rejectSubmission', { input: { submissionId, notes: 'See the notes.' } });
    const [submission] = await submissions();
    expect(submission).toMatchObject({ status: 'rejected', decisionNotes: 'See the notes.', reviewer: null });
    expect(submission && verdictOf(submission)).toEqual({ met: false, note: 'The link is dead.' });
    expect(await trail()).toEqual([
      { action: 'submission.taken', details: { takenOver: false } },
      {
        action: 'submission.verdicts_given',
        details: { submissionNumber: 1, met: reviewItems.filter((item) => item !== 'privacy').join(' '), notMet: 'privacy' },
      },
    ]);
    expect(await application.rows('select 1 from review_draft where submission_id = $1', [submissionId])).toEqual([]);
    expect((await owner.mails())[0]).toMatchObject({ subject: 'Changes needed: Order Board' });
    expect(await statusOf()).toBe('rejected');
  });

  test('may hold an item for not met before they say why, but not decide', async () => {
    const submissionId = await submitted();
    await draft(staff, submissionId, { met: true, note: '' });
    await staff.must('releaseSubmission', { input: { submissionId } });
    await meetAll(staff, submissionId);
    await draft(staff, submissionId, { met: false });
    for (const decision of ['rejectSubmission', 'approveSubmission'] as const) {
      const answer = await staff.call(decision, { input: { submissionId, notes: 'See the items.' } });
      expect([codesOf(answer), answer.errors[0]?.message]).toEqual([
        ['CONFLICT'],
        'Say what is missing, because the owner works from these notes: Privacy policy.',
      ]);
    }
    expect(await statusOf()).toBe('submitted');
  });

  test('cannot decide over a note that they left without a verdict, because nobody would read it', async () => {
    const submissionId = await submitted();
    await draft(staff, submissionId, { note: 'The link is dead.', version: 0 });
    const answer = await staff.call('rejectSubmission', { input: { submissionId, notes: 'See the items.' } });
    expect([codesOf(answer), answer.errors[0]?.message]).toEqual([
      ['CONFLICT'],
      'Say whether these points are met, or clear their notes, because the owner reads a note only with a verdict: Privacy policy.',
    ]);
    expect(await statusOf()).toBe('submitted');
  });

  test('finds their notes on a page that they open again, and overwrites nothing that they wrote in another window', async () => {
    const submissionId = await submitted();
    const first = (await draft(staff, submissionId, { note: 'The link', version: 0 })).data;
    const second = (await draft(staff, submissionId, { note: 'The link is dead.', version: first })).data;
    const other = await draft(staff, submissionId, { note: 'Fine.', met: true, version: first });
    expect([codesOf(other), other.errors[0]?.message]).toEqual([
      ['CONFLICT'],
      'You have changed this in another window in the meantime. What you wrote here is not saved.',
    ]);
    const question = (await draft(staff, submissionId, { part: 'question', note: 'Where is the credit?' })).data;
    expect((await staff.must<Submission>('submission', { id: submissionId })).drafts).toEqual(
      expect.arrayContaining([
        { part: 'privacy', met: null, note: 'The link is dead.', version: second },
        { part: 'question', met: null, note: 'Where is the credit?', version: question },
      ]),
    );
    const tooLong = await draft(staff, submissionId, { note: 'x'.repeat(2_001) });
    expect(Object.keys(fieldsOf(tooLong))).toEqual(['input.note']);
    expect(Object.keys(fieldsOf(await draft(staff, submissionId, { part: 'question', met: true })))).toEqual(['input.met']);
  });

  test('does not bring notes of a former sitting back with a window that was open all the time', async () => {
    const submissionId = await submitted();
    const before = (await draft(staff, submissionId, { met: true, version: 0 })).data;
    await staff.must('releaseSubmission', { input: { submissionId } });
    const second = (await draft(staff, submissionId, { met: false, note: 'The link is dead.', version: 0 })).data;
    expect(second).not.toBe(before);
    expect(codesOf(await draft(staff, submissionId, { met: true, version: before }))).toEqual(['CONFLICT']);
    expect((await staff.must<Submission>('submission', { id: submissionId })).drafts).toMatchObject([{ met: false, version: second }]);
  });

  test.each(['takes it over', 'is given it back'] as const)('whose colleague %s leaves them the verdicts, not the notes', async (how) => {
    const submissionId = await submitted();
    await draft(staff, submissionId, { met: false, note: 'The link is dead.' });
    await draft(staff, submissionId, { part: 'terms', note: 'Look again.' });
    if (how === 'is given it back') await staff.must('releaseSubmission', { input: { submissionId } });
    await colleague.must('takeSubmission', { input: { submissionId, takeOver: true } });
    const theirs = await colleague.must<Submission>('submission', { id: submissionId });
    expect([verdictOf(theirs), theirs.drafts, theirs.points]).toEqual([
      { met: false, note: 'The link is dead.' },
      [],
      { met: 0, notMet: 1, total: reviewItems.length },
    ]);
    expect(codesOf(await draft(staff, submissionId, { part: 'terms', note: 'Look again, twice.' }))).toEqual(['CONFLICT']);
    expect((await staff.must<Submission>('submission', { id: submissionId })).drafts).toMatchObject([
      { part: 'terms', note: 'Look again.' },
    ]);
    const given = (await trail()).filter(({ action }) => action === 'submission.verdicts_given');
    expect(given).toEqual([
      {
        action: 'submission.verdicts_given',
        details: {
          submissionNumber: 1,
          met: '',
          notMet: 'privacy',
          ...(how === 'takes it over' && { reviewerId: (await staff.viewer()).data?.operatorId }),
        },
      },
    ]);
  });

  test.each(['takes it over', 'is given it back'] as const)(
    'who doubts what was met before, without saying why, leaves that open to a colleague who %s',
    async (how) => {
      const submissionId = await submitted();
      await meetAll(staff, submissionId);
      await staff.must('releaseSubmission', { input: { submissionId } });
      await draft(staff, submissionId, { met: false });
      if (how === 'is given it back') await staff.must('releaseSubmission', { input: { submissionId } });
      await colleague.must('takeSubmission', { input: { submissionId, takeOver: true } });
      const theirs = await colleague.must<Submission>('submission', { id: submissionId });
      expect([verdictOf(theirs), theirs.points]).toEqual([null, { met: reviewItems.length - 1, notMet: 0, total: reviewItems.length }]);
      expect((await colleague.call('approveSubmission', { input: { submissionId } })).errors[0]?.message).toBe(
        'These checklist items are not met yet: Privacy policy.',
      );
      const given = (await trail()).filter(({ action }) => action === 'submission.verdicts_given');
      expect(given.at(-1)?.details).toMatchObject({ submissionNumber: 1, met: '', notMet: '', withdrawn: 'privacy' });
    },
  );

  test('is offered their own notes from submissions that were rejected, each once, the latest first', async () => {
    const experienced = await reviewer(application);
    await experienced.confirmFreshly();
    const offered = async (by: PortalClient, id: string) => (await by.must<Submission>('submission', { id })).formerNotes;
    for (const note of ['The link is dead.', 'No purpose is named.', 'The link is dead.']) {
      integration = await owner.createIntegration();
      const submissionId = await submitted();
      await draft(experienced, submissionId, { met: false, note });
      await experienced.must('rejectSubmission', { input: { submissionId, notes: 'See the item.' } });
      application.clock.advance(1_000);
    }
    integration = await owner.createIntegration();
    const submissionId = await submitted();
    expect(await offered(experienced, submissionId)).toEqual([{ item: 'privacy', notes: ['The link is dead.', 'No purpose is named.'] }]);
    expect((await offered(colleague, submissionId)).flatMap(({ notes }) => notes)).not.toContain('No purpose is named.');
    expect((await submissions()).flatMap(({ formerNotes }) => formerNotes)).toEqual([]);
  });

  test('sees which colleague has the submission open, and their own followed links, and the owner sees neither', async () => {
    const submissionId = await submitted();
    const visit = (by: PortalClient, link?: string) => by.must('noteReviewVisit', { input: { submissionId, link } });
    const seenBy = async (by: PortalClient) => {
      const { presence, followedLinks } = await by.must<Submission>('submission', { id: submissionId });
      return [presence.map((each) => each.reviewer), followedLinks];
    };
    await visit(colleague, 'privacyPolicyUrl');
    await visit(colleague, 'reviewUrl');
    expect(await seenBy(staff)).toEqual([[colleague.email], []]);
    await application.rows(`update review_visit set links = array['ofALaterRelease'] || links where submission_id = $1`, [submissionId]);
    expect(await seenBy(colleague)).toEqual([[], ['privacyPolicyUrl', 'reviewUrl']]);
    const written = () =>
      application.rows<{ at: string }>('select seen_at::text as at from review_visit where submission_id = $1', [submissionId]);
    const before = await written();
    await visit(colleague);
    expect(await written()).toEqual(before);
    expect((await submissions()).map(({ presence, followedLinks }) => [presence, followedLinks])).toEqual([[[], []]]);
    application.clock.advance(3 * 60_000);
    expect(await seenBy(staff)).toEqual([[], []]);
    await staff.confirmFreshly();
    await staff.must('rejectSubmission', { input: { submissionId, notes: 'No.' } });
    expect(await written()).toEqual([]);
  });

  test('cannot work on what a colleague has taken, unless they take it over or the colleague releases it', async () => {
    const submissionId = await submitted();
    await colleague.must('takeSubmission', { input: { submissionId } });
    expect(codesOf(await staff.call('takeSubmission', { input: { submissionId } }))).toEqual(['CONFLICT']);
    expect(codesOf(await staff.call('saveReviewDraft', { input: { submissionId, part: 'terms', met: true } }))).toEqual(['CONFLICT']);
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
    expect((await owner.mails())[0]).toMatchObject({ subject: 'The reviewers have a question: Order Board' });
    await staff.must('askQuestion', { input: { submissionId, body: 'And on a phone?' } });
    expect(await owner.mails()).toHaveLength(
      (await owner.mails()).filter(({ subject }) => subject !== 'The reviewers have a question: Order Board').length + 2,
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

  test('the owner sees the place in the queue, which only waiting for the reviewers moves, and whose turn it is', async () => {
    const placeOf = async (slug = integration.slug) => {
      const { data } = await owner.graphql<{ integration: { reviewQueue: object | null } }>(
        'query ($slug: String!) { integration(slug: $slug) { reviewQueue { before medianDays turn } } }',
        { slug },
      );
      return data?.integration.reviewQueue;
    };
    const submissionId = await submitted();
    const before =
      Number(
        (
          await application.rows<{ n: string }>(
            `select count(*) as n from review_submission where status = 'submitted' and waiting_for = 'reviewer'`,
          )
        )[0]?.n,
      ) - 1;
    expect(await placeOf()).toEqual({ before, medianDays: null, turn: 'reviewer' });
    const later = await owner.createIntegration();
    expect(await placeOf(later.slug)).toBeNull();
    application.clock.advance(1_000);
    await submit(application, owner, later);
    expect(await placeOf(later.slug)).toMatchObject({ before: before + 1 });
    await staff.must('askQuestion', { input: { submissionId, body: 'Where is the credit?' } });
    expect(await placeOf()).toEqual({ before: null, medianDays: null, turn: 'operator' });
    expect(await placeOf(later.slug)).toMatchObject({ before });
  });

  test('approves only when every item is met, for exactly the submitted version and scopes', async () => {
    const submissionId = await submitted();
    const early = await staff.call('approveSubmission', { input: { submissionId } });
    expect(codesOf(early)).toEqual(['CONFLICT']);
    expect(early.errors[0]?.message).toContain('Linking page');
    await meetAll(staff, submissionId);
    await staff.must('saveReviewDraft', { input: { submissionId, part: 'support', met: false, note: 'No contact.' } });
    expect(codesOf(await staff.call('approveSubmission', { input: { submissionId } }))).toEqual(['CONFLICT']);
    expect(await statusOf()).toBe('submitted');
    await staff.must('saveReviewDraft', { input: { submissionId, part: 'support', met: true } });
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
      if (item !== 'footerBadge') await staff.must('saveReviewDraft', { input: { submissionId, part: item, met: true } });
    }
    expect((await staff.call('approveSubmission', { input: { submissionId } })).errors[0]?.message).toContain('Footer badge');
    await staff.must('saveReviewDraft', { input: { submissionId, part: 'footerBadge', met: true } });
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

  test('tells all of them of a submission, and the one who has taken it of an answer, but never the owner', async () => {
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
    expect(codesOf(await staff.call('saveReviewDraft', { input: { submissionId, part: 'terms', met: true } }))).toEqual(['CONFLICT']);
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
    'submission.taken',
    'submission.question_asked',
    'integration.rejected',
  ]);
  expect(JSON.stringify([trail, await submissions()])).not.toContain(staff.email);
});
