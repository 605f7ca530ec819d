import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from '../../../server/domain/shared/sql.ts';
import { crontab } from '../../../workers/crontab.ts';
import { judgeHealth } from '../../../workers/tasks/judgeHealth.ts';
import type { Connection } from '../../support/clients/pages.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { codesOf, fieldsOf, requestFor, type PortalClient } from '../../support/clients/portalClient.ts';
import { reviewer } from '../../support/world/reviewPath.ts';
import { acknowledge, numberOfClient, revokedOrder } from '../../support/world/revocationFixtures.ts';
import { administrator } from '../../support/clients/toolingClient.ts';
import { writeRequests } from '../../support/world/usageFixtures.ts';

type Operator = {
  id: string;
  email: string | null;
  roles: string[];
  integrationCount: number;
  access: { sessions: number; passkeys: number };
};

let application: PortalWorld;
let admin: PortalClient;
let owner: PortalClient;
let integration: Awaited<ReturnType<PortalClient['createIntegration']>>;
beforeAll(async () => {
  application = await openWorld({ portal: true });
  [admin, owner] = [await administrator(application), await application.operator('anna.keller@example.org')];
  integration = await owner.createIntegration();
  await admin.confirmFreshly();
});
afterAll(() => application.close());

const idOf = async (client: PortalClient) => (await client.viewer()).data?.operatorId ?? '';

describe('finding operators', () => {
  const found = async (filter: Record<string, unknown>) =>
    (await admin.must<Connection<Operator>>('operators', { filter })).edges.map(({ node }) => node);

  test('an administrator finds an account by a part of its address, in any spelling, by its id, or by what names an integration of it', async () => {
    const id = await idOf(owner);
    expect((await found({ search: 'Anna.KELL' })).map((each) => each.id)).toEqual([id]);
    expect((await found({ search: 'keller@' })).map((each) => each.id)).toEqual([id]);
    for (const search of [integration.slug, integration.id, integration.clientId])
      expect((await found({ search })).map((each) => each.id)).toEqual([id]);
    expect(await found({ search: id })).toMatchObject([{ email: owner.email, integrationCount: 1 }]);
    expect(await found({ search: 'anna.kell_' })).toEqual([]);
    expect(await found({ search: `opr_${'0'.repeat(26)}` })).toEqual([]);
  });

  test('the list shows the newest accounts first and is read page by page, by age and by address', async () => {
    const everybody = await found({});
    expect(everybody.map((each) => each.id)).toEqual([await idOf(owner), await idOf(admin)]);
    for (const filter of [{}, { search: 'a' }]) {
      await application.rows("update operator set email = 'admin@example.org', email_key = 'admin@example.org' where id = $1", [
        await idOf(admin),
      ]);
      const first = await admin.must<Connection<Operator>>('operators', { filter, first: 1 });
      expect(first.pageInfo.hasNextPage).toBe(true);
      const second = await admin.must<Connection<Operator>>('operators', { filter, first: 1, after: first.pageInfo.endCursor });
      expect(second.pageInfo.hasNextPage).toBe(false);
      expect(new Set([...first.edges, ...second.edges].map(({ node }) => node.id)).size).toBe(2);
    }
  });

  test('only those with a role, and one account with its sessions and passkeys', async () => {
    expect((await found({ role: 'administrator' })).map((each) => each.id)).toEqual([await idOf(admin)]);
    expect(await found({ role: 'reviewer' })).toEqual([]);
    expect(await admin.must('operator', { id: await idOf(owner) })).toMatchObject({ access: { sessions: 1, passkeys: 1 }, roles: [] });
  });

  test('the list is ordered by age or by address', async () => {
    const slot = async (order: string) =>
      (await admin.must<Connection<Operator>>('operators', { order, filter: {} })).edges.map(({ node }) => node.email);
    expect(await slot('oldest')).toEqual((await slot('newest')).toReversed());
    expect(await slot('address')).toEqual((await slot('newest')).toSorted());
  });

  test('a search that no address can be is refused in words', async () => {
    expect(fieldsOf(await admin.call('operators', { filter: { search: '\u0000' } }))).toHaveProperty(['filter.search']);
    expect(fieldsOf(await admin.call('operators', { after: 'AAAA' }))).toHaveProperty('after');
    expect(fieldsOf(await admin.call('operators', { first: 101 }))).toHaveProperty('first');
  });
});

describe('roles', () => {
  test('a granted role holds from the next request on, a withdrawn one no longer, and both stand in the trail', async () => {
    const operatorId = await idOf(owner);
    await admin.must('grantRole', { input: { operatorId, role: 'reviewer' } });
    expect((await owner.viewer()).data?.roles).toEqual(['reviewer']);
    expect(await admin.must('withdrawRole', { input: { operatorId, role: 'reviewer' } })).toEqual({ id: operatorId, roles: [] });
    expect((await owner.viewer()).data?.roles).toEqual([]);
    type Told = { action: string; details: unknown; actorId: string | null };
    const { edges } = await admin.must<Connection<Told>>('auditTrail', { filter: { operatorId }, first: 2 });
    expect(edges.map(({ node }) => [node.action, node.details, node.actorId])).toEqual([
      ['role.withdrawn', { role: 'reviewer' }, await idOf(admin)],
      ['role.granted', { role: 'reviewer' }, await idOf(admin)],
    ]);
  });

  test('the last administrator stays one, also when two withdraw each other’s role at the same moment', async () => {
    const own = { input: { operatorId: await idOf(admin), role: 'administrator' } };
    const refused = await admin.call('withdrawRole', own);
    expect(codesOf(refused)).toEqual(['CONFLICT']);
    expect(refused.errors[0]?.message).toContain('the last administrator');
    const second = await administrator(application);
    await second.confirmFreshly();
    const other = { input: { operatorId: await idOf(second), role: 'administrator' } };
    const answers = await Promise.all([admin.call('withdrawRole', other), second.call('withdrawRole', own)]);
    expect(answers.flatMap(codesOf)).toHaveLength(1);
    const left = await application.rows<{ id: string }>("select id from operator where roles @> '{administrator}'");
    expect(left).toHaveLength(1);
    await application.rows("update operator set roles = '{administrator}' where id = $1", [await idOf(admin)]);
  });
});

describe('finding integrations', () => {
  type Totals = { judgedAt: string | null; counts: { level: string; count: number }[] };
  type Node = {
    health: string;
    integration: { slug: string; status: string; profile: { publicName: string } };
    owner: { id: string; email: string };
  };
  const list = async (variables: Record<string, unknown>) =>
    (await admin.must<Connection<Node>>('allIntegrations', variables)).edges.map(({ node }) => node.integration.slug);
  let slugs: string[];
  beforeAll(async () => {
    for (const slug of ['zebra-crossing', 'alpha-board', 'alpha-list']) await owner.createIntegration({ slug });
    await application.rows("update integration set status = 'active', reviewed_profile_version = 1 where slug = 'alpha-list'");
    slugs = [integration.slug, 'zebra-crossing', 'alpha-board', 'alpha-list'];
  });

  test('everybody’s are listed with their owner, by age or by slug', async () => {
    expect(await list({})).toEqual(slugs.toReversed());
    expect(await list({ order: 'oldest' })).toEqual(slugs);
    expect(await list({ order: 'slug' })).toEqual(slugs.toSorted());
    const { edges } = await admin.must<Connection<Node>>('allIntegrations');
    expect(edges[0]?.node).toMatchObject({ owner: { email: owner.email }, integration: { profile: { publicName: 'Order Board' } } });
  });

  test('they are found by a part of slug, name or owner’s address, by any identifier, by status and by owner', async () => {
    expect(await list({ order: 'slug', filter: { search: 'PHA-' } })).toEqual(['alpha-board', 'alpha-list']);
    expect(await list({ filter: { search: 'zebra' } })).toEqual(['zebra-crossing']);
    expect(await list({ filter: { search: 'rder boa' } })).toEqual(slugs.toReversed());
    expect(await list({ filter: { search: 'keller@EXAMPLE' } })).toEqual(slugs.toReversed());
    // A search without an @ may appear in the page's own address, so it finds nobody by their email address.
    expect(await list({ filter: { search: 'keller' } })).toEqual([]);
    const { slug, clientId, commonName } = integration;
    const certificate = await owner.issuedCertificate({ slug, clientId, commonName });
    const [row] = await application.rows<{ serial: string; fingerprint: string }>(
      'select serial, fingerprint_sha256 as fingerprint from certificate where id = $1',
      [certificate.id],
    );
    const { revocationId } = await revokedOrder(application, {
      clientNumber: await numberOfClient(application, slug),
      revokedAt: new Date(0),
    });
    await owner.must('recordDeletion', { input: { revocationId } });
    for (const search of [clientId, commonName, certificate.id, row?.serial, row?.fingerprint.toUpperCase(), revocationId]) {
      expect([search, await list({ filter: { search } })]).toEqual([search, [slug]]);
    }
    expect(await list({ filter: { search: await idOf(owner) } })).toEqual(slugs.toReversed());
    expect(await list({ filter: { search: `crt_${'0'.repeat(26)}` } })).toEqual([]);
    expect(await list({ filter: { search: '%' } })).toEqual([]);
    expect(await list({ filter: { search: 'alpha', status: 'active' } })).toEqual(['alpha-list']);
    expect(await list({ filter: { search: integration.id } })).toEqual([integration.slug]);
    expect(await list({ filter: { status: 'active' } })).toEqual(['alpha-list']);
    expect(await list({ filter: { operatorId: await idOf(admin) } })).toEqual([]);
    expect(fieldsOf(await admin.call('allIntegrations', { filter: { search: 'a\u0007' } }))).toHaveProperty(['filter.search']);
  });

  test.each(['newest', 'oldest', 'slug'])('pages follow each other without a gap, ordered by: %s', async (order) => {
    const seen: string[] = [];
    let after: string | null = null;
    for (let page = 0; page < 4; page += 1) {
      const { edges, pageInfo }: Connection<Node> = await admin.must('allIntegrations', { order, first: 1, after });
      seen.push(...edges.map(({ node }) => node.integration.slug));
      after = pageInfo.endCursor;
      expect(pageInfo.hasNextPage).toBe(page < 3);
    }
    expect(seen).toEqual(await list({ order }));
  });

  test('they are narrowed by health as last judged, with the total of each, and a row says how it is now', async () => {
    const judge = () => judgeHealth(undefined, application.workerContext());
    const totals = async () => {
      const { judgedAt, counts } = await admin.must<Totals>('healthTotals');
      return { judgedAt, counts: Object.fromEntries(counts.map(({ level, count }) => [level, count])) };
    };
    const shown = async (slug: string) => {
      const { edges } = await admin.must<Connection<Node>>('allIntegrations', { filter: { search: slug } });
      return edges.map(({ node }) => node.health);
    };
    expect(await totals()).toEqual({ judgedAt: null, counts: { new: 4 } });
    await application.rows('update sandbox_corpus set failed_at = now() where client_number = any ($1)', [
      [await numberOfClient(application, 'zebra-crossing'), await numberOfClient(application, 'alpha-board')],
    ]);
    await application.rows("update integration set status = 'suspended' where slug = 'alpha-list'");
    expect([await shown('zebra-crossing'), await list({ filter: { health: 'failing' } })]).toEqual([['failing'], []]);
    const before = application.clock.now();
    await judge();
    const { judgedAt, counts } = await totals();
    expect(Date.parse(judgedAt ?? '')).toBeGreaterThanOrEqual(before.getTime());
    expect(counts).toEqual({ failing: 2, suspended: 1, new: 1 });
    expect(await list({ filter: { health: 'failing' } })).toEqual(['alpha-board', 'zebra-crossing']);
    expect(await list({ filter: { health: 'failing', search: 'zebra' } })).toEqual(['zebra-crossing']);
    expect(await list({ filter: { health: 'suspended' }, order: 'slug' })).toEqual(['alpha-list']);
    // What a command has locked is left for the next time, so that neither waits for the other.
    await application.rows("update integration set status = 'active' where slug = 'alpha-list'");
    await application.orm.em.fork().transactional(async (tx) => {
      await sql(tx, "select from integration where slug = 'alpha-list' for update");
      await judge();
    });
    expect(await list({ filter: { health: 'suspended' } })).toEqual(['alpha-list']);
    await judge();
    expect(await list({ filter: { health: 'suspended' } })).toEqual([]);
    expect(codesOf(await owner.call('healthTotals'))).toEqual(['FORBIDDEN']);
  });

  test('judging again writes nothing where nothing has changed, and a worker does it every five minutes', async () => {
    const versions = () => application.rows('select id, xmin::text from integration order by id');
    const before = await versions();
    await judgeHealth(undefined, application.workerContext());
    expect(await versions()).toEqual(before);
    expect(crontab).toMatch(/^\*\/5 \* \* \* \* judgeHealth\b/m);
  });

  test('one integration is read by its slug, of any owner', async () => {
    expect(await admin.must('anyIntegration', { slug: 'alpha-board' })).toMatchObject({ owner: { id: await idOf(owner) } });
    expect(codesOf(await owner.call('anyIntegration', { slug: 'alpha-board' }))).toEqual(['FORBIDDEN']);
  });
});

test('an administrator sees what was decided last about an integration, however much else its trail has since', async () => {
  const { id, slug } = await owner.createIntegration();
  const decided = async () =>
    (await admin.must<{ decisions: { action: string; actorName: string | null }[] }>('anyIntegration', { slug })).decisions;
  expect(await decided()).toEqual([]);
  await application.rows(
    `insert into audit_entry (occurred_at, actor_type, actor_id, action, subject_type, subject_id, integration_id, details)
     select now() + n * interval '1 second', 'operator', $2, case n when 1 then 'integration.approved' when 2 then 'integration.gate_opened' else 'webhook_endpoint.paused' end,
            'integration', $1, $1, '{}' from generate_series(1, 80) n`,
    [id, await idOf(owner)],
  );
  expect(await decided()).toMatchObject([
    { action: 'integration.gate_opened', actorName: owner.email },
    { action: 'integration.approved', actorName: owner.email },
  ]);
});

test('an administrator sees what an integration still has to delete in production, and what of it is overdue', async () => {
  const deletions = async (slug: string) =>
    (await admin.must<{ deletions: { outstanding: number; overdue: number } }>('anyIntegration', { slug })).deletions;
  const { slug } = await owner.createIntegration();
  expect(await deletions(slug)).toEqual({ outstanding: 0, overdue: 0 });
  const day = 24 * 60 * 60 * 1000;
  const revokedAgo = async (days: number, environment: 'sandbox' | 'production') => {
    const clientNumber = await numberOfClient(application, slug, environment);
    return revokedOrder(application, { clientNumber, revokedAt: new Date(application.clock.now().getTime() - days * day) });
  };
  await revokedAgo(1, 'production');
  await revokedAgo(8, 'production');
  await revokedAgo(8, 'sandbox');
  const done = await revokedAgo(9, 'production');
  await acknowledge(application, done.revocationId, application.clock.now());
  expect(await deletions(slug)).toEqual({ outstanding: 2, overdue: 1 });
});

test('an administrator reads the certificates and requests of any client, and can neither revoke nor download nor request one', async () => {
  const { slug, clientId, commonName } = await owner.createIntegration();
  const certificate = await owner.issuedCertificate({ slug, clientId, commonName });
  const [request] = await writeRequests(
    application.databaseUrl,
    { clientNumber: await numberOfClient(application, slug), commonName, certificate },
    [{ status: 403, problem: 'scope_required' }],
  );
  const read = async (client: PortalClient) =>
    [await client.call('certificates', { clientId }), await client.call('requests', { clientId })] as const;
  const [own, seen] = [await read(owner), await read(admin)];
  expect(seen.map(({ data }) => data)).toEqual(own.map(({ data }) => data));
  expect(seen.map(({ text }) => text.includes(certificate.id))).toEqual([true, true]);
  expect(seen[1].text).toContain(request?.requestId);
  for (const stranger of [await application.operator(), await reviewer(application)])
    expect((await read(stranger)).map(codesOf)).toEqual([['NOT_FOUND'], ['NOT_FOUND']]);
  await admin.confirmFreshly();
  const revoking = await admin.call('revokeCertificate', { input: { certificateId: certificate.id, reason: 'superseded' } });
  const requesting = await admin.call('requestCertificate', { input: { clientId, csr: requestFor(commonName) } });
  expect([revoking, requesting].map(codesOf)).toEqual([['NOT_FOUND'], ['NOT_FOUND']]);
  expect((await admin.fetch(`/certificates/${certificate.id}/bundle.pem`)).status).toBe(404);
  expect(codesOf(await admin.call('usage', { clientId, period: 'day' }))).toEqual(['NOT_FOUND']);
});

test('gates and tokens are searched like integrations, and names stand beside identifiers, for administrators alone', async () => {
  const named = await owner.createIntegration({ publicName: 'Polar Watch', slug: 'polar-watch' });
  await application.rows("update integration set status = 'approved', reviewed_profile_version = 1 where id = $1", [named.id]);
  const gates = async (search: string) =>
    (
      await admin.graphql<{ productionIntegrations: Connection<{ slug: string }> }>(
        'query ($search: String!) { productionIntegrations(search: $search) { edges { node { slug } } } }',
        { search },
      )
    ).data?.productionIntegrations.edges.map(({ node }) => node.slug);
  expect(await gates('olar wat')).toEqual(['polar-watch']);
  expect(await gates('never-heard-of')).toEqual([]);
  const token = { name: 'Polar feed', environment: 'sandbox', permissions: ['catalogue.read'] };
  const { serviceToken } = await admin.must<{ serviceToken: { id: string } }>('createServiceToken', { input: token });
  const tokens = async (search: string) =>
    (
      await admin.graphql<{ serviceTokens: Connection<{ id: string }> }>(
        'query ($search: String!) { serviceTokens(search: $search) { edges { node { id } } } }',
        { search },
      )
    ).data?.serviceTokens.edges.map(({ node }) => node.id);
  expect([await tokens('LAR FE'), await tokens(serviceToken.id), await tokens('polar watch')]).toEqual([
    [serviceToken.id],
    [serviceToken.id],
    [],
  ]);

  await admin.must('openProductionGate', { input: { integrationId: named.id, reason: 'A pilot' } });
  await admin.must('openProductionGate', { input: { reason: 'The rollout' } });
  const names = 'edges { node { actorName subjectName integrationName operatorName } }';
  type Names = Record<'actorName' | 'subjectName' | 'integrationName' | 'operatorName', string | null>;
  const entriesFor = async (client: PortalClient, own: boolean) =>
    (
      await client.graphql<{ auditTrail: Connection<Names> }>(
        `query ($own: Boolean!, $id: ID!) { auditTrail(own: $own, first: 1, filter: { integrationId: $id, action: "integration.gate_opened" }) { ${names} } }`,
        { own, id: named.id },
      )
    ).data?.auditTrail.edges.map(({ node }) => node);
  const adminName = (await admin.viewer()).data?.email ?? '';
  const known = { subjectName: 'Polar Watch', integrationName: 'Polar Watch', operatorName: 'anna.keller@example.org' };
  const [shown] = (await entriesFor(admin, false)) ?? [];
  expect(shown).toEqual({ actorName: expect.stringContaining('@'), ...known });
  expect(await entriesFor(owner, true)).toEqual([{ actorName: null, subjectName: null, integrationName: null, operatorName: null }]);
  const history = await admin.graphql<{ serviceGateHistory: Connection<{ changedByName: string }> }>(
    '{ serviceGateHistory(first: 1) { edges { node { changedByName } } } }',
  );
  expect(history.data?.serviceGateHistory.edges[0]?.node.changedByName).toBe(shown?.actorName);
  expect(adminName).not.toBe('');
});
