import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { announceTerms } from '../../../server/domain/integration/terms/announceTerms.ts';
import { currentTerms, refuseUnlessTermsAccepted } from '../../../server/domain/integration/terms/acceptTerms.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { codesOf, fieldsOf, profileRevision, type PortalClient } from '../../support/clients/portalClient.ts';
import { administrator } from '../../support/clients/toolingClient.ts';
import { operators } from '../../support/world/accountFixtures.ts';

type Terms = { version: number; title: string; markdown: string; publishedAt: string };
type Acceptance = { termsVersion: number; acceptedAt: string; ip: string };

let application: PortalWorld;
let admin: PortalClient;
let operator: PortalClient;
let gone: PortalClient;
let reviser: PortalClient;
let revised: { id: string };
beforeAll(async () => {
  application = await openWorld({ portal: true });
  admin = await administrator(application);
  await admin.confirmFreshly();
  operator = await application.operator();
  gone = await application.operator();
  await operator.createIntegration();
  reviser = await application.operator();
  revised = await reviser.createIntegration();
});
afterAll(() => application.close());

const publish = (changes: object = {}) =>
  admin.call<Terms>('publishTerms', { input: { title: 'Integration Terms', markdown: '# Terms\n\nNew words.', replaces: 1, ...changes } });
type Snapshot = { terms: number; attribution: Date; nonCommercial: Date | null };
/** What was accepted according to each version of the revised profile, oldest first. */
const snapshots = () =>
  application.rows<Snapshot>(
    `select terms_version as terms, attribution_accepted_at as attribution, non_commercial_accepted_at as "nonCommercial"
       from profile_version where integration_id = $1 order by version`,
    [revised.id],
  );
const acceptedAt = async (version: number): Promise<Date> =>
  new Date((await ownAcceptances(reviser)).find(({ termsVersion }) => termsVersion === version)?.acceptedAt ?? '');
const ownAcceptances = async (client: PortalClient): Promise<Acceptance[]> => {
  const { data } = await client.graphql<{ viewer: { termsAcceptances: Acceptance[] } }>(
    '{ viewer { termsAcceptances { termsVersion acceptedAt ip } } }',
  );
  return data?.viewer.termsAcceptances ?? [];
};

test('terms without a title, without a text, too long, or word for word the current ones are refused at their field', async () => {
  expect(fieldsOf(await publish({ title: ' ' }))).toEqual({ 'input.title': 'A title must have 1 to 120 characters.' });
  expect(fieldsOf(await publish({ markdown: '\n' }))).toEqual({ 'input.markdown': 'The terms have no text yet.' });
  expect(fieldsOf(await publish({ markdown: 'x'.repeat(40_001) }))).toEqual({
    'input.markdown': 'The text has 40001 characters; at most 40000 are allowed.',
  });
  const { title, markdown } = await admin.must<Terms>('currentTerms');
  expect(fieldsOf(await publish({ title, markdown }))).toEqual({ 'input.markdown': 'This is the text of version 1, unchanged.' });
  expect(await admin.must('currentTerms')).toMatchObject({ version: 1 });
});

test('of two administrators who publish over the same version one wins, and the other is told', async () => {
  const answers = await Promise.all([publish(), publish({ markdown: '# Terms\n\nOther words.' })]);
  expect(answers.flatMap(codesOf)).toEqual(['CONFLICT']);
  expect(answers.flatMap(({ errors }) => errors).map(({ message }) => message)).toEqual([
    'Version 2 is now current. Read it before you publish another one.',
  ]);
  expect(await operator.must('currentTerms')).toMatchObject({ version: 2, title: 'Integration Terms' });
  const entries = await application.rows("select actor_id, subject_id from audit_entry where action = 'terms.published'");
  expect(entries).toEqual([{ actor_id: expect.stringMatching(/^opr_/), subject_id: '2' }]);
});

test('a new version blocks new integrations until it is accepted; what exists goes on, and the former acceptance counts for nothing', async () => {
  const refused = await operator.tryCreateIntegration({ termsVersion: 2 });
  expect(codesOf(refused)).toEqual(['CONFLICT']);
  expect(refused.errors[0]?.message).toBe('Accept version 2 of the Integration Terms first.');
  const em = application.orm.em.fork();
  const { operatorId } = (await operator.viewer()).data ?? {};
  await expect(em.transactional((tx) => refuseUnlessTermsAccepted(tx, operatorId ?? ''))).rejects.toThrow('Accept version 2');
  expect(await operator.must('integrations')).toMatchObject({ totalCount: 1, edges: [{ node: { status: 'sandbox' } }] });

  const old = await operator.call('acceptTerms', { input: { version: 1, nonCommercial: true, attribution: true } });
  expect(fieldsOf(old)).toEqual({ 'input.version': 'Version 2 of the terms is current. Read and accept that version.' });
  const half = await operator.call('acceptTerms', { input: { version: 2, nonCommercial: false, attribution: true } });
  expect(Object.keys(fieldsOf(half))).toEqual(['input.nonCommercial']);
  const other = await operator.call('acceptTerms', { input: { version: 2, nonCommercial: true, attribution: false } });
  expect(Object.keys(fieldsOf(other))).toEqual(['input.attribution']);
  expect((await ownAcceptances(operator)).map(({ termsVersion }) => termsVersion)).toEqual([1]);
  expect(await operator.acceptTerms(2)).toMatchObject({ acceptedTermsVersion: 2 });
  expect((await operator.tryCreateIntegration({ termsVersion: 2 })).errors).toEqual([]);
});

test('each version of a profile says what its owner had accepted by then: terms, attribution rules and non-commercial use', async () => {
  const revise = (version: number, publicName: string) =>
    reviser.must('reviseProfile', { input: profileRevision(revised.id, version, { publicName }) });
  const [created] = await snapshots();
  // Both promises were made again when the integration was created.
  expect(created).toMatchObject({ terms: 1, nonCommercial: created?.attribution });
  expect(created?.nonCommercial?.getTime()).toBeGreaterThan((await acceptedAt(1)).getTime());
  // The newer terms are published, but nobody has accepted them for this owner.
  await revise(1, 'Before');
  application.clock.advance(60_000);
  await reviser.acceptTerms(2);
  await revise(2, 'After');
  const second = await acceptedAt(2);
  expect(await snapshots()).toEqual([created, created, { terms: 2, attribution: second, nonCommercial: second }]);
});

test('operators see their own acceptances with version, time and IP address, and nobody else’s', async () => {
  const acceptances = await ownAcceptances(operator);
  expect(acceptances).toEqual([
    { termsVersion: 2, acceptedAt: expect.any(String), ip: expect.stringMatching(/^(127\.0\.0\.1|::1)/) },
    { termsVersion: 1, acceptedAt: expect.any(String), ip: expect.stringMatching(/^(127\.0\.0\.1|::1)/) },
  ]);
  expect(await ownAcceptances(admin)).toEqual([]);
});

test('every operator who has not accepted them yet is told by mail, once, in slices; a deleted account is not', async () => {
  const { operatorId: goneId } = (await gone.viewer()).data ?? {};
  await application.rows('update operator set deleted_at = now(), email = null, email_key = null, user_handle = null where id = $1', [
    goneId,
  ]);
  // More operators than fit into one slice.
  await operators(
    application,
    Array.from({ length: 230 }, (_, n) => `${n}@many.example.com`),
  );
  await application.work();
  const count = async () => {
    const [row] = await application.rows<{ mails: number; operators: number; first: string }>(
      `select count(*)::int as mails, count(distinct operator_id)::int as operators, min(details->>'title') as first from mail where kind = 'terms_published'`,
    );
    return row;
  };
  // The administrator and these operators; the others have accepted version 2 above.
  expect(await count()).toEqual({ mails: 231, operators: 231, first: 'Integration Terms' });
  expect(await application.rows("select from mail where kind = 'terms_published' and operator_id = $1", [goneId])).toEqual([]);
  await announceTerms(application.orm.em.fork(), { version: 2, after: null, now: application.clock.now() });
  expect((await count())?.mails).toBe(231);
  // A job that runs after yet another version has been published announces nothing.
  await announceTerms(application.orm.em.fork(), { version: 1, after: null, now: application.clock.now() });
  expect((await count())?.mails).toBe(231);
}, 60_000);

test('administrators list every version, newest first, and anybody reads one', async () => {
  type Page = { pageInfo: { hasNextPage: boolean; endCursor: string }; edges: { node: { version: number; publishedBy: string | null } }[] };
  const first = await admin.must<Page>('termsVersions', { first: 1 });
  expect(first).toMatchObject({ pageInfo: { hasNextPage: true }, edges: [{ node: { version: 2, publishedBy: expect.any(String) } }] });
  const second = await admin.must<Page>('termsVersions', { first: 1, after: first.pageInfo.endCursor });
  expect(second).toMatchObject({ pageInfo: { hasNextPage: false }, edges: [{ node: { version: 1, publishedBy: null } }] });
  expect(codesOf(await admin.call('termsVersions', { first: 101 }))).toEqual(['BAD_USER_INPUT']);
  expect(codesOf(await admin.call('termsVersions', { after: 'AAAA' }))).toEqual(['BAD_USER_INPUT']);
  expect(await application.browser().must('terms', { version: 1 })).toMatchObject({ version: 1 });
  expect(codesOf(await application.browser().call('terms', { version: 3 }))).toEqual(['NOT_FOUND']);
});

test('terms that are published while an integration is being created wait for it', async () => {
  const em = application.orm.em.fork();
  const { operatorId } = (await operator.viewer()).data ?? {};
  let published: Promise<unknown> = Promise.resolve();
  await em.transactional(async (tx) => {
    await refuseUnlessTermsAccepted(tx, operatorId ?? '');
    published = publish({ replaces: 2, markdown: '# Terms\n\nThird words.' });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await currentTerms(application.orm.em.fork())).version).toBe(2);
  });
  expect(await published).toMatchObject({ data: { version: 3 } });
});

test('an approved integration is activated only after the newer terms are accepted', async () => {
  const [integration] = await application.rows<{ id: string }>(
    "update integration set status = 'approved', reviewed_profile_version = profile_version where operator_id = $1 returning id",
    [(await operator.viewer()).data?.operatorId],
  );
  await operator.confirmFreshly();
  const activate = () => operator.call('activateForProduction', { input: { integrationId: integration?.id, profileVersion: 1 } });
  const refused = await activate();
  expect([codesOf(refused), refused.errors[0]?.message]).toEqual([['CONFLICT'], 'Accept version 3 of the Integration Terms first.']);
  await operator.acceptTerms(3);
  expect((await activate()).errors).toEqual([]);
});
