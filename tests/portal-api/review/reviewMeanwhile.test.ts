import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { reviewItems } from '../../../server/domain/review/reviewChecklist.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { codesOf, profileRevision, type IntegrationData, type PortalClient } from '../../support/clients/portalClient.ts';
import { addLogo, approve, goodSubmission, reviewer, submit } from '../../support/world/reviewPath.ts';
import { listenToStatements, statementsOf } from '../../support/database/queryPlans.ts';
import { administrator } from '../../support/clients/toolingClient.ts';
import { nextProfile } from '../../support/world/profileFixtures.ts';
import { laterSubmissions } from '../../support/world/submissionFixtures.ts';

/** What changes between looking at a submission and deciding about it. */
let application: PortalWorld;
let owner: PortalClient;
let staff: PortalClient;
let colleague: PortalClient;
let admin: PortalClient;
let integration: IntegrationData;
beforeAll(async () => {
  listenToStatements();
  application = await openWorld({ portal: true });
  [staff, colleague, admin] = [await reviewer(application), await reviewer(application), await administrator(application)];
});
beforeEach(async () => {
  owner = await application.operator();
  integration = await owner.createIntegration();
  for (const browser of [owner, staff, colleague, admin]) await browser.confirmFreshly();
});
afterAll(() => application.close());

const statusOf = async () => (await owner.must<IntegrationData>('integration', { slug: integration.slug })).status;
const meetAll = async (by: PortalClient, submissionId: string) => {
  for (const item of reviewItems) await by.must('saveReviewDraft', { input: { submissionId, part: item, met: true } });
};

describe('an owner', () => {
  test('submits the version that the page showed, and none that was stored in another tab meanwhile', async () => {
    await addLogo(application, integration.id);
    await owner.must('reviseProfile', { input: profileRevision(integration.id, 1, { purpose: 'Shows the owner a delivery date.' }) });
    const answer = await owner.call('submitForReview', { input: goodSubmission(integration.id) });
    expect(codesOf(answer)).toEqual(['CONFLICT']);
    expect(answer.errors[0]?.message).toBe('Version 2 of the profile was saved after you opened version 1. Review it, then submit again.');
    expect(await statusOf()).toBe('sandbox');
    expect((await owner.call('submitForReview', { input: goodSubmission(integration.id, { profileVersion: 2 }) })).errors).toEqual([]);
  });

  test('who changes the profile while submitting it has it changed before or not at all', async () => {
    await addLogo(application, integration.id);
    const revision = profileRevision(integration.id, 1, { purpose: 'Shows the owner a delivery date.' });
    const answers = await Promise.all([
      owner.call('submitForReview', { input: goodSubmission(integration.id) }),
      owner.call('reviseProfile', { input: revision }),
    ]);
    expect(answers.flatMap(codesOf)).toEqual(['CONFLICT']);
    const [row] = await application.rows<{ current: number; submitted: number | null }>(
      `select i.profile_version as current, s.profile_version as submitted from integration i left join review_submission s on s.integration_id = i.id where i.id = $1`,
      [integration.id],
    );
    expect([
      { current: 1, submitted: 1 },
      { current: 2, submitted: null },
    ]).toContainEqual(row);
  });
});

describe('a reviewer', () => {
  test('whose submission a colleague takes over meanwhile can no longer decide', async () => {
    const { id: submissionId } = await submit(application, owner, integration);
    await meetAll(staff, submissionId);
    await colleague.must('takeSubmission', { input: { submissionId, takeOver: true } });
    for (const operation of ['approveSubmission', 'rejectSubmission'] as const) {
      const answer = await staff.call(operation, { input: { submissionId, notes: 'Decided.' } });
      expect([codesOf(answer), answer.errors[0]?.message]).toEqual([
        ['CONFLICT'],
        'This submission is assigned to another reviewer. Reassign it to yourself first.',
      ]);
    }
    expect(await statusOf()).toBe('submitted');
  });

  test('who has not read what the owner wrote or reported meanwhile is told to read it, and can then decide', async () => {
    const { id: submissionId } = await submit(application, owner, integration);
    await meetAll(staff, submissionId);
    await staff.must('askQuestion', { input: { submissionId, body: 'Are there adverts?' } });
    await owner.must('answerQuestion', { input: { submissionId, body: 'From tomorrow on.' } });
    await owner.must('reportBusinessModelChange', { input: { integrationId: integration.id, description: 'Adverts.' } });
    const decide = (seen: object) => staff.call('approveSubmission', { input: { submissionId, ...seen } });
    expect((await decide({ messagesSeen: 1, reportsSeen: 1 })).errors[0]?.message).toBe(
      'There are new messages since you opened this page. Read them, then decide.',
    );
    expect((await decide({ messagesSeen: 2, reportsSeen: 0 })).errors[0]?.message).toBe(
      'The owner has reported a change of business model since you opened this page. Read it, then decide.',
    );
    expect(await statusOf()).toBe('submitted');
    expect((await decide({ messagesSeen: 2, reportsSeen: 1 })).errors).toEqual([]);
  });

  test('who presses twice is told that the decision stands', async () => {
    const { id: submissionId } = await submit(application, owner, integration);
    const decision = { input: { submissionId, notes: 'The link is dead.' } };
    await staff.must('rejectSubmission', decision);
    expect((await staff.call('rejectSubmission', decision)).errors[0]?.message).toBe(
      'You have already rejected this submission. Your decision stands.',
    );
  });

  test('approves no other version than the one that was submitted, whatever stands in the profile', async () => {
    const { id: submissionId } = await submit(application, owner, integration);
    await meetAll(staff, submissionId);
    await nextProfile(application, integration.id);
    expect(codesOf(await staff.call('approveSubmission', { input: { submissionId } }))).toEqual(['CONFLICT']);
    expect(
      await application.rows(`select 1 from client where integration_id = $1 and environment = 'production'`, [integration.id]),
    ).toEqual([]);
  });

  test('cannot decide about an integration that has become theirs, nor about one that was', async () => {
    const { id: submissionId } = await submit(application, owner, integration);
    const { operatorId } = (await staff.viewer()).data ?? {};
    await application.rows('update integration set operator_id = $2 where id = $1', [integration.id, operatorId]);
    for (const [operation, input] of [
      ['takeSubmission', { submissionId }],
      ['saveReviewDraft', { submissionId, part: 'privacy', met: true }],
      ['rejectSubmission', { submissionId, notes: 'No.' }],
      ['approveSubmission', { submissionId }],
    ] as const) {
      expect(codesOf(await staff.call(operation, { input }))).toEqual(['FORBIDDEN']);
    }
    expect(codesOf(await staff.call('submission', { id: submissionId }))).toEqual(['FORBIDDEN']);
    const former = await reviewer(application);
    const { operatorId: formerId } = (await former.viewer()).data ?? {};
    await application.rows('update review_submission set operator_id = $2 where id = $1', [submissionId, formerId]);
    expect(codesOf(await former.call('submission', { id: submissionId }))).toEqual(['FORBIDDEN']);
  });

  test('who loses the role in the middle decides nothing with the next request', async () => {
    const leaving = await reviewer(application);
    const { id: submissionId } = await submit(application, owner, integration);
    await meetAll(leaving, submissionId);
    await leaving.confirmFreshly();
    const { operatorId } = (await leaving.viewer()).data ?? {};
    await admin.must('withdrawRole', { input: { operatorId, role: 'reviewer' } });
    expect(codesOf(await leaving.call('approveSubmission', { input: { submissionId } }))).toEqual(['FORBIDDEN']);
    expect(await statusOf()).toBe('submitted');
  });
});

test('a decision and a retirement at once: one of them happens first, and the other says so', async () => {
  const { id: submissionId } = await submit(application, owner, integration);
  const [rejected] = await Promise.all([
    staff.call('rejectSubmission', { input: { submissionId, notes: 'The link is dead.' } }),
    admin.must('retireIntegration', { input: { integrationId: integration.id, reason: 'Fraud.' } }),
  ]);
  const [row] = await application.rows<{ status: string }>('select status from review_submission where id = $1', [submissionId]);
  expect(await statusOf()).toBe('retired');
  expect([codesOf(rejected), row?.status]).toEqual(rejected.errors.length > 0 ? [['CONFLICT'], 'withdrawn'] : [[], 'rejected']);
});

test('an old submission is shown with those before it and what changed then, however many came after', async () => {
  const { id: submissionId } = await submit(application, owner, integration);
  await staff.must('rejectSubmission', { input: { submissionId, notes: 'No.' } });
  const ids = [submissionId, ...(await laterSubmissions(application, submissionId, 30))];
  type Shown = { comparedWith: number | null; earlierSubmissions: { number: number }[] };
  const submission = (n: number) => staff.must<Shown>('submission', { id: ids[n - 1] });
  const earlier = ({ comparedWith, earlierSubmissions }: Shown) => [comparedWith, earlierSubmissions.map(({ number }) => number)];
  expect(earlier(await submission(1))).toEqual([null, []]);
  expect(earlier(await submission(3))).toEqual([1, [2, 1]]);
  expect(earlier(await submission(30))).toEqual([1, Array.from({ length: 20 }, (_, index) => 29 - index)]);
});

test('a cursor of no submission is refused, however large its number', async () => {
  for (const text of ['99999999999', '0', '1e3', '-1', 'x']) {
    const after = Buffer.from(text).toString('base64url');
    expect(codesOf(await owner.call('ownSubmissions', { slug: integration.slug, after }))).toEqual(['BAD_USER_INPUT']);
  }
});

test('evidence, reports and agreements of a whole list are read at once, and a page cannot ask for thousands of messages', async () => {
  await owner.createIntegration();
  await owner.createIntegration();
  const list = `{ integrations(first: 3) { edges { node { slug evidence { kind seen { count } } businessModelReports { id } commercialAgreements { id state } } } } }`;
  const { result, statements } = await statementsOf(() => owner.graphql<{ integrations: { edges: unknown[] } }>(list));
  expect(result.data?.integrations.edges).toHaveLength(3);
  for (const table of ['review_evidence', 'business_model_report', 'commercial_agreement']) {
    expect([table, statements.filter(({ text }) => text.includes(table)).length <= 2]).toEqual([table, true]);
  }
  const many = `{ submissions(tab: mine, first: 100) { edges { node { earlierSubmissions { messages { body } } } } } }`;
  expect((await staff.graphql(many)).errors[0]?.message).toMatch(/^The operation costs /);
});

test('terms that are published during a review do not stop it; the activation waits for their acceptance', async () => {
  const submission = await submit(application, owner, integration);
  const { version } = await admin.must<{ version: number }>('currentTerms');
  await admin.must('publishTerms', {
    input: { title: 'Integration Terms', markdown: `# Terms\n\nVersion ${version + 1}.`, replaces: version },
  });
  await approve(application, staff, submission);
  const [row] = await application.rows('select terms_version, status from review_submission where id = $1', [submission.id]);
  expect(row).toEqual({ terms_version: version, status: 'approved' });
  const activate = () => owner.call('activateForProduction', { input: { integrationId: integration.id, profileVersion: 1 } });
  expect((await activate()).errors[0]?.message).toBe(`Accept version ${version + 1} of the Integration Terms first.`);
  await owner.acceptTerms(version + 1);
  expect((await activate()).errors).toEqual([]);
});
