import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { SubmissionCheck } from '../../../../server/domain/review/check/submissionChecks.ts';
import { accountLimits } from '../../../../server/domain/account/accountLimits.ts';
import { reviewLimits } from '../../../../server/domain/review/reviewLimits.ts';
import type { IntegrationData, PortalClient } from '../../../support/clients/portalClient.ts';
import { WebhookReceiver, type ReceiverAnswer } from '../../../support/clients/webhookReceiver.ts';
import { openWorld, type PortalWorld } from '../../../support/world/openWorld.ts';
import { addLogo, goodSubmission, reviewer } from '../../../support/world/reviewPath.ts';

const badge = '<i data-svc-attribution></i><script defer referrerpolicy="no-referrer" src="/assets/svc-data-credit-v1.js"></script>';
const linking = `<form><input name="code"></form><a href="/privacy">P</a><a href="/terms">T</a><a href="mailto:support@example.com">S</a>${badge}`;
const html = (body: string): ReceiverAnswer => ({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body });

let application: PortalWorld;
let receiver: WebhookReceiver;
let owner: PortalClient;
let staff: PortalClient;
let integration: IntegrationData;
/** What each path of the operator’s site answers; 200 without anything else. */
let answers: Record<string, ReceiverAnswer>;
beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  application = await openWorld({ portal: { webhookHosts: receiver.developmentHosts } });
  application.onClose(() => receiver.close());
  receiver.answer = ({ target }) => answers[target] ?? html('');
  owner = await application.operator();
  staff = await reviewer(application);
});
afterAll(() => application.close());

beforeEach(async () => {
  answers = { '/link': html(linking) };
  receiver.requests.splice(0);
  const at = (path: string) => receiver.pageUrl('site', path);
  integration = await owner.createIntegration({
    websiteUrl: at('/'),
    privacyPolicyUrl: at('/privacy'),
    termsOfServiceUrl: at('/terms'),
    orderLinkingUrl: at('/link'),
    donationUrl: null,
    supportEmail: 'support@example.com',
  });
  await addLogo(application, integration.id);
});

const input = (more: object = {}) => ({ input: { integrationId: integration.id, ...more } });
const fields = '{ check level outcome found checkedAt checking checklistItem }';
async function checks(): Promise<SubmissionCheck[]> {
  const { data } = await owner.graphql(`query ($slug: String!) { integration(slug: $slug) { submissionChecks ${fields} } }`, {
    slug: integration.slug,
  });
  return (data as { integration: { submissionChecks: SubmissionCheck[] } }).integration.submissionChecks;
}
async function outcomes() {
  return Object.fromEntries((await checks()).map(({ check, outcome }) => [check, outcome]));
}
const found = async (name: string) => (await checks()).find(({ check }) => check === name)?.found;
async function checkNow() {
  await owner.must('checkPages', input());
  await application.work();
}
const submit = () =>
  owner.call<{ id: string }>('submitForReview', {
    input: goodSubmission(integration.id, { reviewUrl: receiver.pageUrl('site', '/demo') }),
  });

test('before the first check, an owner knows only what the service knows by itself', async () => {
  expect(await outcomes()).toMatchObject({
    logo: 'passed',
    terms: 'passed',
    website: 'unknown',
    codeField: 'unknown',
    deletion: 'failed',
    evidence: 'failed',
  });
  expect((await checks()).find(({ check }) => check === 'website')).toMatchObject({
    found: 'Not checked yet.',
    checkedAt: null,
    checking: false,
  });
});

test('a check visits every page once, as a stranger would, and finds what the kit gives', async () => {
  await owner.must('checkPages', input());
  expect((await checks()).filter(({ checking }) => checking).map(({ check }) => check)).toContain('linkingPage');
  await application.work();
  expect(await outcomes()).toMatchObject({
    website: 'passed',
    linkingPage: 'passed',
    privacyPolicy: 'passed',
    termsOfService: 'passed',
    footerBadge: 'passed',
    codeField: 'passed',
    privacyPolicyLinked: 'passed',
    termsOfServiceLinked: 'passed',
    supportLinked: 'passed',
  });
  expect(receiver.requests.map(({ method, target }) => `${method} ${target}`).toSorted()).toEqual([
    'GET /',
    'GET /link',
    'GET /privacy',
    'GET /terms',
  ]);
  for (const { headers, body } of receiver.requests) {
    expect(headers).toMatchObject({ 'user-agent': 'Svc-Page-Check/1.0', 'accept-encoding': 'identity' });
    expect([headers.cookie, headers.referer, body.length]).toEqual([undefined, undefined, 0]);
  }
  expect((await checks()).find(({ check }) => check === 'website')).toMatchObject({
    checkedAt: expect.any(String),
    checking: false,
    found: 'It answers with 200.',
  });
});

test('redirects are followed on the same host, and nowhere else', async () => {
  answers['/privacy'] = { status: 301, headers: { location: '/privacy/en' } };
  answers['/terms'] = { status: 302, headers: { location: `${receiver.pageUrl('elsewhere', '/terms')}?secret=1` } };
  for (const [from, to] of [
    ['link', 'link1'],
    ['link1', 'link2'],
    ['link2', 'link3'],
    ['link3', 'link4'],
  ] as const)
    answers[`/${from}`] = { status: 307, headers: { location: `/${to}` } };
  answers['/'] = { status: 302, headers: { location: 'http://169.254.169.254/latest' } };
  await checkNow();
  expect(await outcomes()).toMatchObject({
    privacyPolicy: 'passed',
    termsOfService: 'failed',
    linkingPage: 'failed',
    website: 'failed',
    codeField: 'unknown',
  });
  expect(await found('termsOfService')).toContain('It redirects to https://elsewhere.pages.example/terms. ');
  expect(receiver.requests.filter(({ host }) => host.startsWith('elsewhere'))).toEqual([]);
  // The first visit and three redirects.
  expect(receiver.requests.filter(({ target }) => target.startsWith('/link'))).toHaveLength(1 + reviewLimits.pageRedirects);
});

test('a page that redirects to where it was, as with a cookie that it sets first, keeps nobody from submitting', async () => {
  answers['/link'] = { status: 302, headers: { location: '/session', 'set-cookie': 'seen=1' } };
  answers['/session'] = { status: 302, headers: { location: '/link' } };
  await checkNow();
  expect(await outcomes()).toMatchObject({ linkingPage: 'unknown', codeField: 'unknown' });
  expect(await found('linkingPage')).toContain('keeps redirecting');
  expect(receiver.requests.filter(({ target }) => target === '/link')).toHaveLength(1);
});

test('a page that is gone keeps the integration from being submitted, until a check finds it', async () => {
  answers['/privacy'] = 404;
  await checkNow();
  await owner.confirmFreshly();
  const refused = await submit();
  expect(refused.errors?.[0]).toMatchObject({
    message: 'The check “Answer of the privacy policy” has failed: It answers with 404; 200 is needed, without a login.',
    extensions: { code: 'CONFLICT' },
  });
  const { obstacles } = await owner.must<{ obstacles: object[] }>('ownSubmissions', { slug: integration.slug });
  expect(obstacles).toMatchObject([{ kind: 'pages' }]);
  delete answers['/privacy'];
  await checkNow();
  expect((await submit()).errors).toEqual([]);
});

test('what could not be reached, warnings and suggestions keep nobody from submitting', async () => {
  answers['/'] = 503;
  answers['/link'] = html('<input type="number" name="code">');
  answers['/privacy'] = {
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: 'x'.repeat(reviewLimits.pageCheck.responseBodyBytes + 1),
  };
  await application.rows(
    `update profile_version set terms_of_service_url = 'https://nowhere.example.org/terms' where integration_id = $1`,
    [integration.id],
  );
  await checkNow();
  expect(await outcomes()).toMatchObject({
    website: 'unknown',
    termsOfService: 'unknown',
    privacyPolicy: 'passed',
    codeField: 'failed',
    footerBadge: 'failed',
    supportLinked: 'failed',
  });
  await owner.confirmFreshly();
  expect((await submit()).errors).toEqual([]);
});

test('a submission has its pages and its review address checked, and reviewers see what was found and check again', async () => {
  await owner.confirmFreshly();
  const { data } = await submit();
  const id = data?.id;
  await application.work();
  expect(await outcomes()).toMatchObject({ website: 'passed', reviewAddress: 'passed' });
  const read = async () => {
    const answer = await staff.graphql(`query ($id: ID!) { submission(id: $id) { checks ${fields} } }`, { id });
    return (answer.data as { submission: { checks: SubmissionCheck[] } }).submission.checks;
  };
  const before = await read();
  expect(before.find(({ check }) => check === 'terms')?.found).toMatch(
    /^The owner has accepted version (\d+) of the Integration Terms, the current one\.$/,
  );
  // What the owner is told to do about it is not for the reviewer.
  const advice = ' Revoke a share on the page Test data, delete your copies, and record it on the page Deletions.';
  const undeleted = 'No deletion in the sandbox has been acknowledged or recorded in time yet.';
  expect([await found('deletion'), before.find(({ check }) => check === 'deletion')?.found]).toEqual([`${undeleted}${advice}`, undeleted]);
  expect(before.find(({ check }) => check === 'reviewAddress')).toMatchObject({ outcome: 'passed', checkedAt: expect.any(String) });
  expect(before.find(({ check }) => check === 'codeField')).toMatchObject({ checklistItem: 'linkingPage', level: 'warning' });
  answers['/demo'] = 410;
  await staff.must('checkSubmittedPages', { input: { submissionId: id } });
  expect((await staff.call('checkSubmittedPages', { input: { submissionId: id } })).errors?.[0]?.extensions?.code).toBe('CONFLICT');
  await application.work();
  expect((await read()).find(({ check }) => check === 'reviewAddress')).toMatchObject({ outcome: 'failed' });
  await staff.confirmFreshly();
  await staff.must('rejectSubmission', { input: { submissionId: id, notes: 'No.' } });
  // The decision keeps what it was made with, whatever becomes of the pages.
  const decidedWith = await read();
  expect(decidedWith.find(({ check }) => check === 'reviewAddress')).toMatchObject({
    outcome: 'failed',
    checking: false,
    level: 'required',
  });
  expect(decidedWith).toHaveLength(14);
  answers = {};
  await checkNow();
  await application.rows('delete from page_check');
  expect(await read()).toEqual(decidedWith);
  expect((await staff.call('checkSubmittedPages', { input: { submissionId: id } })).errors?.[0]?.extensions?.code).toBe('CONFLICT');
});

test('a check is made ten times an hour for an integration, one at a time, and one that no worker finishes is said to have ended', async () => {
  await owner.must('checkPages', input());
  expect((await owner.call('checkPages', input())).errors?.[0]?.message).toContain('The pages are being checked right now.');
  // However long it waits behind those of others, its own time begins with the worker.
  application.clock.advance(reviewLimits.pageCheckTimes.wait - 1_000);
  await application.work();
  expect((await checks()).some(({ checking }) => checking)).toBe(false);
  expect(await found('website')).not.toContain('The check did not finish');
  await owner.must('checkPages', input());
  application.clock.advance(reviewLimits.pageCheckTimes.wait);
  expect(await found('website')).toContain('The check did not finish');
  expect((await checks()).some(({ checking }) => checking)).toBe(false);
  for (let made = 2; made < accountLimits.pageChecksPerIntegrationPerHour; made += 1) await checkNow();
  expect((await owner.call('checkPages', input())).errors?.[0]?.extensions?.code).toBe('RATE_LIMITED');
  // Submitting goes on without one.
  await owner.confirmFreshly();
  const submitted = await submit();
  expect(submitted.errors).toEqual([]);
  await application.work();
  // What the owner has used up is the owner’s.
  staff.cookie = undefined;
  await staff.signIn();
  await staff.must('checkSubmittedPages', { input: { submissionId: submitted.data?.id } });
  await application.work();
});

test('an operator’s second check waits behind the first of everybody else', async () => {
  const busy = await application.operator();
  for (let made = 1; made <= 3; made += 1) {
    await busy.must('checkPages', { input: { integrationId: (await busy.createIntegration()).id } });
  }
  await owner.must('checkPages', input());
  const jobs = await application.rows<{ priority: number }>(
    `select j.priority from graphile_worker._private_jobs j join page_check c on c.id = j.payload->>'pageCheckId'
      where c.finished_at is null order by j.id`,
  );
  expect(jobs.slice(-4).map(({ priority }) => priority)).toEqual([1, 2, 3, 1]);
  await application.work();
});

test('however often an address is retyped, the checks that the owner asks for are left', async () => {
  for (let typed = 1; typed <= accountLimits.pageChecksPerIntegrationPerHour; typed += 1) {
    await owner.must('saveSubmissionDraft', input({ reviewUrl: receiver.pageUrl('site', `/demo${typed}`), confirmations: [] }));
    await application.work();
  }
  const visits = receiver.requests.filter(({ target }) => target.startsWith('/demo'));
  expect(visits).toHaveLength(accountLimits.draftChecksPerIntegrationPerHour);
  await checkNow();
  expect(await outcomes()).toMatchObject({ reviewAddress: 'passed' });
});

test('what an owner writes is kept until it is submitted, and its pages are checked meanwhile', async () => {
  const confirmations = [{ item: 'deletion', confirmed: true, word: ' Every night. ' }];
  await owner.must('saveSubmissionDraft', input({ reviewUrl: 'https://sit', confirmations }));
  await application.work();
  expect(await outcomes()).toMatchObject({ website: 'passed' });
  expect(await outcomes()).not.toHaveProperty('reviewAddress');
  const draft = await owner.must<object>('saveSubmissionDraft', input({ reviewUrl: 'https://site.example.com/demo', confirmations }));
  expect(draft).toEqual({
    profileVersion: 1,
    reviewUrl: 'https://site.example.com/demo',
    confirmations: [{ item: 'deletion', confirmed: true, word: 'Every night.' }],
    version: expect.any(Number),
    savedAt: expect.any(String),
  });
  await application.work();
  expect(await outcomes()).toMatchObject({ reviewAddress: 'unknown' });
  const twice = await owner.call(
    'saveSubmissionDraft',
    input({ reviewUrl: 'x'.repeat(2_049), confirmations: [...confirmations, ...confirmations] }),
  );
  expect(twice.errors?.[0]?.extensions?.['fields']).toMatchObject([{ path: 'input.reviewUrl' }, { path: 'input.confirmations.deletion' }]);
  await owner.confirmFreshly();
  await submit();
  expect(await application.rows('select 1 from submission_draft where integration_id = $1', [integration.id])).toEqual([]);
  expect((await owner.call('saveSubmissionDraft', input({ reviewUrl: '', confirmations: [] }))).errors?.[0]?.extensions?.code).toBe(
    'CONFLICT',
  );
});

describe('a draft that another window has changed', () => {
  const save = (more: object) =>
    owner.call<{ version: number; profileVersion: number }>('saveSubmissionDraft', input({ confirmations: [], ...more }));
  const stored = () => application.rows('select review_url as url from submission_draft where integration_id = $1', [integration.id]);

  test('is not overwritten by a page that has not seen it', async () => {
    const first = (await save({ reviewUrl: 'https://one', version: 0 })).data;
    const second = (await save({ reviewUrl: 'https://two', version: first?.version })).data;
    for (const version of [0, first?.version]) {
      const refused = await save({ reviewUrl: 'https://three', version });
      expect([refused.errors[0]?.extensions.code, refused.errors[0]?.message]).toEqual([
        'CONFLICT',
        'You have changed this in another window in the meantime. What you wrote here is not saved.',
      ]);
    }
    expect(await stored()).toEqual([{ url: 'https://two' }]);
    expect((await save({ reviewUrl: 'https://three', version: second?.version })).errors).toEqual([]);
  });

  test('ends with the submission: after a withdrawal, a page from before does not bring it back', async () => {
    const before = (await save({ reviewUrl: 'https://one', version: 0 })).data;
    await owner.confirmFreshly();
    const submissionId = (await submit()).data?.id;
    await owner.must('withdrawSubmission', { input: { submissionId } });
    expect((await save({ reviewUrl: 'https://one', version: before?.version })).errors[0]?.extensions.code).toBe('CONFLICT');
    const second = (await save({ reviewUrl: 'https://two', version: 0 })).data;
    expect(second?.version).not.toBe(before?.version);
    expect((await save({ reviewUrl: 'https://one', version: before?.version })).errors[0]?.extensions.code).toBe('CONFLICT');
    expect(await stored()).toEqual([{ url: 'https://two' }]);
  });

  test('ends with the integration', async () => {
    await save({ reviewUrl: 'https://one', version: 0 });
    await owner.confirmFreshly();
    await owner.must('retireIntegration', { input: { integrationId: integration.id } });
    expect(await stored()).toEqual([]);
  });

  test('belongs to the version of the profile that the page showed', async () => {
    expect((await save({ reviewUrl: '', profileVersion: 7 })).data).toMatchObject({ profileVersion: 1 });
    expect((await save({ reviewUrl: '', profileVersion: 0 })).data).toMatchObject({ profileVersion: 0 });
  });
});
