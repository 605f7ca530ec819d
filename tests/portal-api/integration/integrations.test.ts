import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { acceptTerms } from '../../../server/domain/integration/terms/acceptTerms.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { codesOf, fieldsOf, goodProfile, type IntegrationData, type PortalClient } from '../../support/clients/portalClient.ts';
import { newerTerms } from '../../support/world/profileFixtures.ts';

const tables = [
  'integration',
  'profile_version',
  'client',
  'client_quota',
  'client_feed',
  'sandbox_corpus',
  'graphile_worker._private_jobs',
  'audit_entry',
];

let application: PortalWorld;
let owner: PortalClient;
/** Counts every statement. It has to be in place before the first connection is made. */
const queries = jest.spyOn(pg.Client.prototype, 'query');
beforeAll(async () => {
  application = await openWorld({ portal: true });
  owner = await application.operator();
  await owner.acceptTerms();
});
afterAll(async () => {
  queries.mockRestore();
  await application.close();
});

const counts = async () => {
  const [row] = await application.rows<Record<string, number>>(
    `select ${tables.map((table, index) => `(select count(*)::int from ${table}) as t${index}`).join(', ')}`,
  );
  return row;
};

describe('accepting the terms', () => {
  test('every integration stores the promises that were made for it, at the moment they were made', async () => {
    const operator = await application.operator();
    await operator.acceptTerms();
    await application.rows("update terms_acceptance set accepted_at = accepted_at - interval '30 days' where operator_id = $1", [
      (await operator.viewer()).data?.operatorId,
    ]);
    expect(fieldsOf(await operator.tryCreateIntegration({ nonCommercialUseAccepted: false }))).toEqual({
      'input.nonCommercialUseAccepted': 'Accept that the standard licence is non-commercial only.',
    });
    for (const { id } of [await operator.createIntegration(), await operator.createIntegration()]) {
      const stored = await application.rows(
        `select terms_version as terms, attribution_accepted_at = created_at as attribution, non_commercial_accepted_at = created_at as "nonCommercial"
           from profile_version where integration_id = $1`,
        [id],
      );
      expect(stored).toEqual([{ terms: 1, attribution: true, nonCommercial: true }]);
    }
  });

  test('is needed before an integration can be created', async () => {
    const operator = await application.operator();
    const answer = await operator.tryCreateIntegration();
    expect(codesOf(answer)).toEqual(['CONFLICT']);
    expect(answer.errors[0]?.message).toContain('version 1 of the Integration Terms');
  });

  test('is stored with version, time and address, once, and shown', async () => {
    const operator = await application.operator();
    expect((await operator.viewer()).data?.acceptedTermsVersion).toBeNull();
    const before = application.clock.now();
    const { operatorId } = await operator.acceptTerms();
    await operator.acceptTerms();
    const rows = await application.rows<{ accepted_at: Date }>(
      'select terms_version, accepted_at, host(ip) as ip, non_commercial, attribution from terms_acceptance where operator_id = $1',
      [operatorId],
    );
    expect(rows).toEqual([{ terms_version: 1, accepted_at: expect.any(Date), ip: '127.0.0.1', non_commercial: true, attribution: true }]);
    expect(rows[0]?.accepted_at.getTime()).toBeGreaterThanOrEqual(before.getTime());
    expect((await operator.viewer()).data?.acceptedTermsVersion).toBe(1);
    expect(
      await application.rows("select 1 from audit_entry where action = 'terms.accepted' and operator_id = $1", [operatorId]),
    ).toHaveLength(1);
  });

  test('ten times at the same moment is one acceptance', async () => {
    const { operatorId } = (await (await application.operator()).viewer()).data ?? {};
    const actor = { type: 'operator', operatorId: operatorId ?? '', roles: [], ip: '127.0.0.1', requestId: 'req_test' } as const;
    const accept = () =>
      acceptTerms(application.orm.em.fork(), { actor, version: 1, nonCommercial: true, attribution: true, now: application.clock.now() });
    await Promise.all(Array.from({ length: 10 }, accept));
    expect(
      await application.rows("select 1 from audit_entry where action = 'terms.accepted' and operator_id = $1", [operatorId]),
    ).toHaveLength(1);
  });

  test('takes every statement or nothing', async () => {
    const operator = await application.operator();
    const answer = await operator.call('acceptTerms', { input: { version: 2, nonCommercial: false, attribution: false } });
    expect(Object.keys(fieldsOf(answer))).toEqual(['input.version', 'input.nonCommercial', 'input.attribution']);
    expect((await operator.viewer()).data?.acceptedTermsVersion).toBeNull();
  });

  test('is never carried forward to a newer version', async () => {
    const operator = await application.operator();
    await operator.acceptTerms();
    await newerTerms(application, application.clock.now());
    try {
      expect(codesOf(await operator.tryCreateIntegration({ termsVersion: 1 }))).toEqual(['CONFLICT']);
      expect(codesOf(await operator.tryCreateIntegration({ termsVersion: 2 }))).toEqual(['CONFLICT']);
      expect(
        Object.keys(fieldsOf(await operator.call('acceptTerms', { input: { version: 1, nonCommercial: true, attribution: true } }))),
      ).toEqual(['input.version']);
      await operator.acceptTerms(2);
      expect(codesOf(await operator.tryCreateIntegration({ termsVersion: 1 }))).toEqual(['CONFLICT']);
      expect((await operator.tryCreateIntegration({ termsVersion: 2 })).errors).toEqual([]);
    } finally {
      await application.rows('delete from terms_acceptance where terms_version = 2');
      await application.rows('update profile_version set terms_version = 1 where terms_version = 2');
      await application.rows('delete from terms_version where version = 2');
    }
  });
});

describe('creating an integration', () => {
  test('makes profile version 1, the sandbox client, its quota and feed, the corpus and its job at once', async () => {
    const input = goodProfile({
      publicName: '  Order Board ',
      requestedScopes: ['shipping.read', 'orders.read'],
      donationUrl: '',
      webhookModel: 'notification',
    });
    const before = await counts();
    const { data } = await owner.call<IntegrationData>('createIntegration', { input });
    const after = await counts();
    expect(Object.values(after ?? {}).map((count, index) => count - (before?.[`t${index}`] ?? 0))).toEqual(tables.map(() => 1));
    expect(data).toMatchObject({
      id: expect.stringMatching(/^int_[0-9a-hjkmnp-tv-z]{26}$/),
      slug: input['slug'],
      status: 'sandbox',
      profile: {
        version: 1,
        publicName: 'Order Board',
        country: 'DE',
        donationUrl: null,
        requestedScopes: ['orders.read', 'shipping.read'],
        webhookModel: 'notification',
      },
      clients: [{ environment: 'sandbox', scopes: ['orders.read', 'shipping.read'], corpus: { state: 'queued' }, certificatesInUse: [] }],
    });
    const [client] = data?.clients ?? [];
    expect(client?.id).toMatch(/^cli_[0-9a-hjkmnp-tv-z]{26}$/);
    expect(client?.commonName).toBe(`svc:sandbox:${client?.id}`);
    const jobs = await application.rows('select task_identifier from graphile_worker.jobs order by id desc limit 1');
    expect(jobs).toEqual([{ task_identifier: 'buildSandboxCorpus' }]);
    expect(await owner.must('integration', { slug: input['slug'] })).toMatchObject({ id: data?.id });
  });

  test('leaves nothing behind when its last step fails, and says nothing about why', async () => {
    await application.rows(
      "create function refuse_audit() returns trigger language plpgsql as $$ begin raise exception 'no audit of secret_table today'; end $$",
    );
    await application.rows('create trigger refuse_audit before insert on audit_entry for each row execute function refuse_audit()');
    const before = await counts();
    try {
      const answer = await owner.tryCreateIntegration();
      expect(codesOf(answer)).toEqual(['INTERNAL_SERVER_ERROR']);
      expect(answer.text).not.toMatch(/secret_table|audit|insert|select|\bat |plpgsql|P0001|\.ts/i);
    } finally {
      await application.rows('drop trigger refuse_audit on audit_entry');
    }
    expect(await counts()).toEqual(before);
  });

  test.each([
    [['shipping.read', 'vehicles.read'], /^shipping\.read shows nothing without orders\.read\./],
    [['orders.history.read'], /^orders\.history\.read shows nothing without orders\.read\./],
    [['orders.read', 'vehicles.history.read'], /^vehicles\.history\.read shows nothing without vehicles\.read\./],
    [['revocations.ack'], /^revocations\.ack reads nothing on its own\./],
  ])('refuses %j, with which nobody could ever read all of it, as its advice had said', async (requestedScopes, words) => {
    const answer = await owner.tryCreateIntegration({ requestedScopes });
    expect(fieldsOf(answer)).toEqual({ 'input.requestedScopes': expect.stringMatching(words) });
    expect(await owner.must('scopeAdvice', { scopes: requestedScopes })).toEqual({ refusal: expect.stringMatching(words), warnings: [] });
  });

  test('warns of scopes that read individual data and cannot acknowledge its deletion, before and after', async () => {
    const warnings = [expect.stringContaining('Without revocations.ack')];
    for (const requestedScopes of [['orders.read'], ['statistics.orders.read', 'orders.read']]) {
      expect(await owner.must('scopeAdvice', { scopes: requestedScopes })).toEqual({ refusal: null, warnings });
      const { data } = await owner.tryCreateIntegration({ requestedScopes });
      expect(data).toMatchObject({ profile: { scopeWarnings: warnings } });
    }
    expect(await owner.must('scopeAdvice', { scopes: ['orders.read', 'revocations.ack'] })).toEqual({ refusal: null, warnings: [] });
  });

  test('reports all broken rules at once, each at its field, and stores nothing', async () => {
    const before = await counts();
    const answer = await owner.tryCreateIntegration({
      slug: 'Nope',
      publicName: ' ',
      country: 'XX',
      supportEmail: 'help',
      websiteUrl: 'http://example.com',
      orderLinkingUrl: 'https://10.0.0.1/',
      requestedScopes: [],
      pollingCadenceMinutes: 1,
      attributionRulesAccepted: false,
      nonCommercialUseAccepted: false,
    });
    expect(codesOf(answer)).toEqual(['BAD_USER_INPUT']);
    expect(fieldsOf(answer)).toEqual({
      'input.slug': expect.stringContaining('a to z'),
      'input.publicName': 'The public name is required.',
      'input.country': expect.stringContaining('two-letter ISO 3166-1 code'),
      'input.supportEmail': expect.stringContaining('email address'),
      'input.websiteUrl': 'The address must start with https://.',
      'input.orderLinkingUrl': expect.stringContaining('private network'),
      'input.requestedScopes': expect.stringContaining('at least one scope'),
      'input.pollingCadenceMinutes': expect.stringContaining('15 to 1,440'),
      'input.attributionRulesAccepted': 'Accept the attribution and app-link rules.',
      'input.nonCommercialUseAccepted': 'Accept that the standard licence is non-commercial only.',
    });
    expect(await counts()).toEqual(before);
  });

  test('refuses a slug that another operator has, at its field', async () => {
    const { slug } = await owner.createIntegration();
    const other = await application.operator();
    await other.acceptTerms();
    expect(fieldsOf(await other.tryCreateIntegration({ slug }))).toEqual({ 'input.slug': expect.stringContaining('taken') });
  });

  test('gives a slug to one of ten that ask for it at the same moment; the others read so at the field', async () => {
    const before = await counts();
    const wishes = Array.from({ length: 10 }, (_, index) => ({ slug: 'wanted-by-many', publicName: `Order Board ${index}` }));
    const answers = await Promise.all(wishes.map((wish) => owner.tryCreateIntegration(wish)));
    expect(answers.filter(({ data }) => data !== null)).toHaveLength(1);
    for (const answer of answers.filter(({ data }) => data === null)) {
      expect(codesOf(answer)).toEqual(['BAD_USER_INPUT']);
      expect(Object.keys(fieldsOf(answer))).toEqual(['input.slug']);
    }
    expect((await counts())?.['t0']).toBe((before?.['t0'] ?? 0) + 1);
  });

  test('makes one of ten that are the same and come at the same moment', async () => {
    const before = await counts();
    const answers = await Promise.all(Array.from({ length: 10 }, () => owner.tryCreateIntegration({ slug: 'asked-ten-times' })));
    expect(new Set(answers.map(({ data }) => data?.id)).size).toBe(1);
    expect((await counts())?.['t0']).toBe((before?.['t0'] ?? 0) + 1);
  });

  test('makes a hundred a day at most; what is refused does not count', async () => {
    const busy = await application.operator();
    await busy.acceptTerms();
    const counted = () =>
      application.rows<{ count: number }>("select count from attempt_window where kind = 'integration_operator' and count > 90");
    expect(codesOf(await busy.tryCreateIntegration({ publicName: '' }))).toEqual(['BAD_USER_INPUT']);
    const { data } = await busy.tryCreateIntegration();
    await application.rows(
      "update attempt_window set count = 99 where kind = 'integration_operator' and source = (select operator_id from integration where slug = $1)",
      [data?.slug],
    );
    expect(codesOf(await busy.tryCreateIntegration({ slug: data?.slug, publicName: 'Another Board' }))).toEqual(['BAD_USER_INPUT']);
    expect(await counted()).toEqual([{ count: 99 }]);
    const both = await Promise.all([busy.tryCreateIntegration(), busy.tryCreateIntegration()]);
    expect(both.flatMap(codesOf)).toEqual(['RATE_LIMITED']);
    expect(await counted()).toEqual([{ count: 100 }]);
  });

  test('keeps markup and quotes as they are typed', async () => {
    const publicName = `O'Brien & "Söhne" <b>`;
    const { slug } = await owner.createIntegration({ publicName });
    expect((await owner.must<IntegrationData>('integration', { slug })).profile['publicName']).toBe(publicName);
  });

  test.each([
    ['publicName', 5],
    ['requestedScopes', [null]],
    ['pollingCadenceMinutes', '15'],
    ['pollingCadenceMinutes', 1e10],
    ['webhookModel', 'push'],
    ['surprise', true],
  ])('refuses a wrong type in %s (%j) as bad input', async (field, value) => {
    expect(codesOf(await owner.tryCreateIntegration({ [field]: value }))).toEqual(['BAD_USER_INPUT']);
  });
});

describe('the list of integrations', () => {
  type Page = {
    totalCount: number;
    pageInfo: { hasNextPage: boolean; endCursor: string | null };
    edges: { cursor: string; node: IntegrationData }[];
  };
  let lister: PortalClient;
  const slugs: string[] = [];
  beforeAll(async () => {
    lister = await application.operator();
    await lister.acceptTerms();
    for (let index = 0; index < 20; index += 1) {
      const { data } = await lister.tryCreateIntegration();
      slugs.unshift(data?.slug ?? '');
    }
  });

  test('holds the operator’s own, newest first, and can be read page by page', async () => {
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const page: Page = await lister.must<Page>('integrations', { first: 7, after });
      expect(page.totalCount).toBe(20);
      seen.push(...page.edges.map(({ node }) => node.slug));
      after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
    } while (after !== null);
    expect(seen).toEqual(slugs);
  });

  test.each([0, -1, 101, 1_000_000])('refuses a page of %d', async (first) => {
    expect(codesOf(await lister.graphql('query ($first: Int!) { integrations(first: $first) { totalCount } }', { first }))).toEqual([
      'BAD_USER_INPUT',
    ]);
  });

  test('takes as many statements for twenty as for one: no N+1', async () => {
    const statements = async (first: number) => {
      const before = queries.mock.calls.length;
      expect((await lister.must<Page>('integrations', { first })).edges).toHaveLength(first);
      return queries.mock.calls.length - before;
    };
    const one = await statements(1);
    expect(one).toBeGreaterThan(3);
    expect(await statements(20)).toBe(one);
  });
});
