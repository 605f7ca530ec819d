import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { codesOf, fieldsOf, type PortalClient } from '../../support/clients/portalClient.ts';
import { reviewer } from '../../support/world/reviewPath.ts';
import { administrator } from '../../support/clients/toolingClient.ts';

type Shown = { businessModelReports: { description: string }[]; commercialAgreements: { id: string; state: string }[] };

let application: PortalWorld;
let admin: PortalClient;
let owner: PortalClient;
let integration: Awaited<ReturnType<PortalClient['createIntegration']>>;
beforeAll(async () => {
  application = await openWorld({ portal: true });
  [admin, owner] = [await administrator(application), await application.operator()];
  await admin.confirmFreshly();
  integration = await owner.createIntegration();
});
afterAll(() => application.close());

const shown = async (): Promise<Shown | undefined> =>
  (
    await owner.graphql<{ integration: Shown }>(
      `query ($slug: String!) { integration(slug: $slug) { businessModelReports { description }
         commercialAgreements { id reference summary validFrom validUntil state withdrawnAt withdrawalReason } } }`,
      { slug: integration.slug },
    )
  ).data?.integration;
const agree = (changes: object = {}) =>
  admin.call<{ id: string; state: string }>('recordCommercialAgreement', {
    input: {
      integrationId: integration.id,
      reference: 'OIS-2026-014',
      summary: 'Subscriptions of at most 5 EUR a month.',
      validFrom: '2026-01-01',
      ...changes,
    },
  });
const report = (description: string, by = owner) =>
  by.call('reportBusinessModelChange', { input: { integrationId: integration.id, description } });

test('an owner reports a change of business model; it is kept, audited, and nobody else can report for them', async () => {
  expect((await report('  From March on we want to sell a premium plan.  ')).errors).toEqual([]);
  expect((await shown())?.businessModelReports).toEqual([{ description: 'From March on we want to sell a premium plan.' }]);
  const audit = await application.rows(
    "select operator_id = actor_id as own, integration_id, details::text from audit_entry where action = 'business_model.reported'",
  );
  expect(audit).toEqual([{ own: true, integration_id: integration.id, details: '{}' }]);
  const stranger = await application.operator();
  expect(codesOf(await report('Mine now.', stranger))).toEqual(['NOT_FOUND']);
});

test('a report without words or with too many is refused, and so is the eleventh of a day, with the time until the next', async () => {
  expect(fieldsOf(await report('   '))).toEqual({ 'input.description': 'The description must have 1 to 2,000 characters.' });
  expect(fieldsOf(await report('x'.repeat(2_001)))).toEqual({ 'input.description': 'The description must have 1 to 2,000 characters.' });
  for (let count = 2; count <= 10; count += 1) expect((await report(`Change ${count}`)).errors).toEqual([]);
  const refused = await report('Change 11');
  expect(codesOf(refused)).toEqual(['RATE_LIMITED']);
  // A day after the first of the ten, less the time that this test has taken.
  const retryAfterSeconds = refused.errors[0]?.extensions.retryAfterSeconds;
  expect(retryAfterSeconds).toBeGreaterThan(86_000);
  expect(retryAfterSeconds).toBeLessThanOrEqual(86_400);
  expect((await shown())?.businessModelReports).toHaveLength(10);
});

test('an administrator records a written agreement with its days, and the owner sees it and how it stands', async () => {
  expect((await agree()).data).toMatchObject({ state: 'valid' });
  expect((await agree({ reference: 'Old', validUntil: '2026-02-01' })).data).toMatchObject({ state: 'ended' });
  expect((await agree({ reference: 'Next', validFrom: '2090-01-01' })).data).toMatchObject({ state: 'future' });
  expect((await shown())?.commercialAgreements).toMatchObject([
    { reference: 'Next', validFrom: '2090-01-01', validUntil: null, state: 'future' },
    { reference: 'Old', validUntil: '2026-02-01', state: 'ended' },
    { reference: 'OIS-2026-014', summary: 'Subscriptions of at most 5 EUR a month.', state: 'valid' },
  ]);
  const [entry] = await application.rows(
    "select operator_id, details->>'reference' as reference from audit_entry where action = 'commercial_agreement.recorded' order by id limit 1",
  );
  expect(entry).toEqual({ operator_id: (await owner.viewer()).data?.operatorId, reference: 'OIS-2026-014' });
});

test('an agreement without reference, or with days that do not exist or are the wrong way round, is refused at its field', async () => {
  expect(Object.keys(fieldsOf(await agree({ reference: '', summary: '' })))).toEqual(['input.reference', 'input.summary']);
  expect(fieldsOf(await agree({ validFrom: '2026-02-30' }))).toEqual({ 'input.validFrom': 'Enter a day such as 2026-12-31.' });
  expect(fieldsOf(await agree({ validUntil: '2025-12-31' }))).toEqual({
    'input.validUntil': 'The last day is before the first day.',
  });
  expect(codesOf(await agree({ integrationId: 'int_x' }))).toEqual(['NOT_FOUND']);
});

test('an agreement for a retired integration is refused: there is nothing left that it could allow', async () => {
  const retired = await owner.createIntegration();
  await owner.confirmFreshly();
  await owner.must('retireIntegration', { input: { integrationId: retired.id } });
  const refused = await agree({ integrationId: retired.id });
  expect([codesOf(refused), refused.errors[0]?.message]).toEqual([['CONFLICT'], 'This integration is retired.']);
  expect(await application.rows('select from commercial_agreement where integration_id = $1', [retired.id])).toEqual([]);
});

test('reviewers read all reports, newest first, with what was agreed, but none of their own integrations', async () => {
  type Page = { pageInfo: { hasNextPage: boolean; endCursor: string }; edges: { node: { description: string; slug: string } }[] };
  const staff = await reviewer(application);
  const own = await staff.createIntegration();
  expect((await staff.call('reportBusinessModelChange', { input: { integrationId: own.id, description: 'Mine.' } })).errors).toEqual([]);
  const seen: string[] = [];
  for (let after: string | undefined, more = true; more;) {
    const page = await staff.must<Page>('businessModelReports', { first: 4, after });
    seen.push(...page.edges.map(({ node }) => node.description));
    [after, more] = [page.pageInfo.endCursor, page.pageInfo.hasNextPage];
  }
  expect(seen).toEqual(
    [10, 9, 8, 7, 6, 5, 4, 3, 2].map((count) => `Change ${count}`).concat('From March on we want to sell a premium plan.'),
  );
  const { edges } = await staff.must<Page>('businessModelReports', { first: 1 });
  expect(edges[0]?.node).toMatchObject({
    slug: integration.slug,
    status: 'sandbox',
    publicName: 'Order Board',
    commercialAgreements: [{ reference: 'Next' }, { reference: 'Old' }, { reference: 'OIS-2026-014' }],
  });
  for (const wrong of [{ first: 0 }, { first: 101 }, { after: 'AAAA' }]) {
    expect(codesOf(await staff.call('businessModelReports', wrong))).toEqual(['BAD_USER_INPUT']);
  }
});

test('an agreement is withdrawn once, with a reason that the owner reads', async () => {
  const agreementId = (await shown())?.commercialAgreements.at(-1)?.id;
  const withdraw = () => admin.call('withdrawCommercialAgreement', { input: { agreementId, reason: 'The contract was ended.' } });
  expect((await withdraw()).data).toMatchObject({ state: 'withdrawn', withdrawalReason: 'The contract was ended.' });
  expect(codesOf(await withdraw())).toEqual(['CONFLICT']);
  expect((await shown())?.commercialAgreements.at(-1)).toMatchObject({ state: 'withdrawn', withdrawalReason: 'The contract was ended.' });
});

test('owners see the evidence from their own sandbox, every kind of it', async () => {
  const { data } = await owner.graphql<{ integration: { evidence: unknown[] } }>(
    `query ($slug: String!) { integration(slug: $slug) { evidence { kind title explanation seen { firstAt lastAt count }
       companion { title against seen { count } } } } }`,
    { slug: integration.slug },
  );
  expect(data?.integration.evidence).toHaveLength(7);
  expect(data?.integration.evidence[4]).toEqual({
    kind: 'link_code_redeemed',
    title: 'Link code redeemed',
    explanation: 'A link code was exchanged for a connection.',
    seen: null,
    companion: null,
  });
});
