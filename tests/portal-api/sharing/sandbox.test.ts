import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { allScopes } from '../../../server/domain/shared/scopes.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { codesOf, fieldsOf } from '../../support/clients/portalClient.ts';
import { SandboxClient } from '../../support/clients/sandboxClient.ts';
import { numberOfClient } from '../../support/world/revocationFixtures.ts';

const minute = 60_000;
let application: PortalWorld;
let sandbox: SandboxClient;
let stranger: SandboxClient;

beforeAll(async () => {
  application = await openWorld({ portal: true });
  sandbox = await SandboxClient.open(application, allScopes);
  stranger = await SandboxClient.open(application, ['orders.read']);
});
afterAll(() => application.close());

const redeem = (owner: SandboxClient, code: string) => owner.redeem(code);

const audited = (action: string, owner = sandbox) =>
  application.rows<{ subject_id: string; details: Record<string, unknown> }>(
    `select e.subject_id, e.details from audit_entry e join client c on c.integration_id = e.integration_id where e.action = $1 and c.id = $2 order by e.occurred_at desc`,
    [action, owner.clientId],
  );

describe('looking at a sandbox', () => {
  test('shows what it holds', async () => {
    expect(await sandbox.operator.must('sandbox', { clientId: sandbox.clientId })).toMatchObject({
      corpus: { generation: 1, state: 'ready' },
      orders: 500,
      vehicles: 50,
      connections: 300,
      outstandingRevocations: 1,
      statistics: { groupCount: expect.any(Number) },
      grantableScopes: allScopes,
    });
    expect(await stranger.operator.must('sandbox', { clientId: stranger.clientId })).toMatchObject({
      orders: 500,
      vehicles: 0,
      statistics: null,
      grantableScopes: ['orders.read'],
    });
  });

  test('its resources come in pages without gap or repetition, filtered by type, status, connection and id', async () => {
    const seen: string[] = [];
    for (let after: string | null = null; ;) {
      const page = await sandbox.page({ after });
      expect(page).toMatchObject({ totalCount: 551, revokedCount: 1 });
      seen.push(...page.edges.map(({ node }) => node.id));
      if (!page.pageInfo.hasNextPage) break;
      after = page.pageInfo.endCursor;
    }
    expect(new Set(seen).size).toBe(551);
    expect(seen).toHaveLength(551);
    const delivered = await sandbox.resources({ type: 'order', status: 'delivered' });
    expect(new Set(delivered.map(({ type, status }) => `${type} ${status}`))).toEqual(new Set(['order delivered']));
    const [first] = delivered;
    const ofConnection = await sandbox.resources({ connectionId: first!.connectionId });
    expect(ofConnection.map(({ id }) => id)).toContain(first!.id);
    expect(new Set(ofConnection.map(({ connectionId }) => connectionId)).size).toBe(1);
    expect(await sandbox.resources({ id: first!.id })).toEqual([first]);
    expect(await sandbox.resources({ id: 'ord_', first: 3 })).toHaveLength(3);
  });

  test('what is revoked or outside the scopes is shown without its data', async () => {
    const revoked = (await sandbox.resources()).find((resource) => resource.revoked);
    expect(revoked).toMatchObject({ status: null, model: null, market: null });
  });

  test('its connections come newest first, each with the number of its live resources', async () => {
    type Connection = { id: string; createdAt: string; liveResources: number };
    const page = await sandbox.operator.must<{ totalCount: number; edges: { node: Connection }[] }>('sandboxShares', {
      clientId: sandbox.clientId,
      first: 100,
    });
    const times = page.edges.map(({ node }) => node.createdAt);
    expect(times).toEqual([...times].sort().toReversed());
    expect(page.totalCount).toBe(300);
    const live = await application.rows<{ id: string; count: number }>(
      'select connection_id as id, count(*)::int as count from shared_resource where revocation_id is null group by connection_id',
    );
    const counts = new Map(live.map(({ id, count }) => [id, count]));
    expect(page.edges.map(({ node }) => [node.id, node.liveResources])).toEqual(
      page.edges.map(({ node }) => [node.id, counts.get(node.id) ?? 0]),
    );
  });

  test.each([{ first: 0 }, { first: 101 }, { after: 'x' }])('a page of %j is refused', async (variables) => {
    const answer = await sandbox.operator.call('sandboxResources', { clientId: sandbox.clientId, ...variables });
    expect(codesOf(answer)).toEqual(['BAD_USER_INPUT']);
  });

  test.each([
    ['sandboxShares', 'con_00000000000000000000000000'],
    ['sandboxLinkCodes', 'lnk_00000000000000000000000000'],
  ] as const)('%s go on after an item of their own, and refuse a cursor that is none', async (list, unknown) => {
    await stranger.must('generateSandboxLinkCode');
    const page = (after: string | null) =>
      stranger.operator.call<{ pageInfo: { endCursor: string } }>(list, { clientId: stranger.clientId, first: 1, after });
    const cursor = (await page(null)).data?.pageInfo.endCursor ?? null;
    expect((await page(cursor)).errors).toEqual([]);
    for (const wrong of ['', 'x', unknown]) {
      expect(fieldsOf(await page(wrong))).toEqual({ after: 'This cursor does not belong to this list.' });
    }
  });
});

describe('another operator’s sandbox', () => {
  test.each(['sandbox', 'sandboxResources', 'sandboxShares', 'sandboxLinkCodes'] as const)('%s of it is not found', async (query) => {
    expect(codesOf(await stranger.operator.call(query, { clientId: sandbox.clientId }))).toEqual(['NOT_FOUND']);
  });

  test('nothing happens to it, nor to its resources through a sandbox of one’s own', async () => {
    const order = await sandbox.one('placed');
    const before = await sandbox.stored(order.id);
    const inputs = [
      ['regenerateSandboxCorpus', {}],
      ['generateSandboxLinkCode', {}],
      ['advanceSandboxResource', { resourceId: order.id }],
      ['addSandboxShippingEvent', { resourceId: order.id, kind: 'arrived', port: 'DEBRV' }],
      ['revokeSandboxShare', { resourceId: order.id }],
      ['revokeSandboxShare', { connectionId: order.connectionId }],
      ['publishSandboxStatistics', {}],
    ] as const;
    for (const [operation, input] of inputs) {
      const asStranger = await stranger.operator.call(operation, { input: { ...input, clientId: sandbox.clientId } });
      expect([operation, codesOf(asStranger)]).toEqual([operation, ['NOT_FOUND']]);
      if (!('resourceId' in input) && !('connectionId' in input)) continue;
      expect([operation, codesOf(await stranger.call(operation, input))]).toEqual([operation, ['NOT_FOUND']]);
    }
    expect(await sandbox.stored(order.id)).toEqual(before);
    expect((await sandbox.resources({ id: order.id }))[0]).toEqual(order);
  });

  test('a production client has no sandbox', async () => {
    const number = await numberOfClient(application, sandbox.slug, 'production');
    const clientId = (await application.rows<{ id: string }>('select id from client where number = $1', [number]))[0]?.id;
    expect(codesOf(await sandbox.operator.call('sandbox', { clientId }))).toEqual(['NOT_FOUND']);
    expect(codesOf(await sandbox.operator.call('regenerateSandboxCorpus', { input: { clientId } }))).toEqual(['NOT_FOUND']);
  });
});

describe('a link code', () => {
  test('is ten digits, told once, with as many resources of each kind as asked for, under the scopes consented to', async () => {
    const scopes = ['orders.read', 'vehicles.read', 'shipping.read'];
    const answer = await sandbox.call<{ id: string; code: string; expiresAt: string }>('generateSandboxLinkCode', {
      orders: 3,
      vehicles: 2,
      scopes,
    });
    expect(answer.data?.code).toMatch(/^\d{10}$/);
    const { code = '', id = '', expiresAt = '' } = answer.data ?? {};
    expect(Date.parse(expiresAt) - application.clock.now().getTime()).toBeGreaterThan(9 * minute);
    expect((await sandbox.linkCodes())[0]).toMatchObject({
      id,
      state: 'generated',
      orders: 3,
      vehicles: 2,
      scopes: ['orders.read', 'vehicles.read', 'shipping.read'],
      statisticsOptedIn: false,
    });
    const redeemed = await redeem(sandbox, code);
    expect(redeemed?.resources.map(({ type }) => type).sort()).toEqual(['order', 'order', 'order', 'vehicle', 'vehicle']);
    const [listed] = await sandbox.linkCodes();
    expect(listed).toMatchObject({ state: 'redeemed', connectionId: redeemed?.connectionId });
    const shared = await sandbox.resources({ connectionId: redeemed?.connectionId });
    expect(shared.map((resource) => resource.id).sort()).toEqual(redeemed?.resources.map((resource) => resource.id).sort());
    expect(application.log()).not.toContain(code);
    expect(JSON.stringify(await audited('sandbox_link_code.generated'))).not.toContain(code);
    expect(await audited('sandbox_link_code.generated')).toHaveLength(1);
  });

  test('consents to everything possible unless it is said', async () => {
    await stranger.must('generateSandboxLinkCode');
    expect((await stranger.linkCodes())[0]).toMatchObject({ scopes: ['orders.read'], orders: 1, vehicles: 0 });
  });

  test('is for a user of its own each time, who may take part in the statistics', async () => {
    const first = await sandbox.must<{ code: string }>('generateSandboxLinkCode', { statisticsOptedIn: true });
    const second = await sandbox.must<{ code: string }>('generateSandboxLinkCode');
    const ids = [await redeem(sandbox, first.code), await redeem(sandbox, second.code)].map((redeemed) => redeemed?.connectionId);
    const rows = await application.rows<{ users: number; participating: number }>(
      'select count(distinct user_ref)::int as users, count(*) filter (where statistics_opted_in)::int as participating from connection where id = any($1)',
      [ids],
    );
    expect(rows).toEqual([{ users: 2, participating: 1 }]);
  });

  test('expires, becomes unusable after five failures, and is listed for a day', async () => {
    const { code, id } = await sandbox.must<{ code: string; id: string }>('generateSandboxLinkCode');
    for (let attempt = 0; attempt < 5; attempt += 1) expect(await redeem(stranger, code)).toBeNull();
    expect((await sandbox.linkCodes())[0]).toMatchObject({ id, state: 'unusable', failedAttempts: 5 });
    await sandbox.must('generateSandboxLinkCode');
    application.clock.advance(10 * minute);
    expect((await sandbox.linkCodes())[0]).toMatchObject({ state: 'expired', redeemedAt: null });
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['no resource', { orders: 0 }, 'input.orders'],
    ['more than 500 resources', { orders: 480, vehicles: 21 }, 'input.orders'],
    ['a negative number', { orders: -1 }, 'input.orders'],
    ['more vehicles than there are', { orders: 0, vehicles: 51 }, 'input.vehicles'],
    ['an unknown scope', { scopes: ['orders.read', 'vin.read'] }, 'input.scopes[1]'],
    ['vehicles without their scope', { vehicles: 1, scopes: ['orders.read'] }, 'input.vehicles'],
  ])('with %s is refused by its field', async (_, input, path) => {
    const before = await sandbox.linkCodes();
    expect(Object.keys(fieldsOf(await sandbox.call('generateSandboxLinkCode', input)))).toContain(path);
    expect(await sandbox.linkCodes()).toEqual(before);
  });

  test('with a scope or participation that the integration does not have is refused', async () => {
    const answer = await stranger.call('generateSandboxLinkCode', { scopes: ['orders.read', 'shipping.read'], statisticsOptedIn: true });
    expect(Object.keys(fieldsOf(answer))).toEqual(['input.scopes[1]', 'input.statisticsOptedIn']);
  });
});

describe('regenerating the test data', () => {
  test('shows each step, ends old link codes and leaves no old resource', async () => {
    const { code } = await stranger.must<{ code: string }>('generateSandboxLinkCode');
    const old = await stranger.one('placed');
    expect(await stranger.must('regenerateSandboxCorpus')).toEqual({ generation: 2, state: 'queued' });
    expect(codesOf(await stranger.call('regenerateSandboxCorpus'))).toEqual(['CONFLICT']);
    expect(codesOf(await stranger.call('generateSandboxLinkCode'))).toEqual(['CONFLICT']);
    expect(await stranger.resources({ id: old.id })).toHaveLength(1);
    await stranger.build();
    expect(await stranger.operator.must('sandbox', { clientId: stranger.clientId })).toMatchObject({
      corpus: { generation: 2, state: 'ready' },
      orders: 500,
    });
    expect(await stranger.resources({ id: old.id })).toEqual([]);
    expect(codesOf(await stranger.call('advanceSandboxResource', { resourceId: old.id }))).toEqual(['NOT_FOUND']);
    expect(await redeem(stranger, code)).toBeNull();
    expect(await stranger.linkCodes()).toEqual([]);
    expect(await audited('sandbox_corpus.requested', stranger)).toHaveLength(1);
  });

  test('a retired integration’s sandbox can be looked at and not moved', async () => {
    await application.rows(`update integration set status = 'retired' where slug = $1`, [stranger.slug]);
    const operations = [
      'regenerateSandboxCorpus',
      'generateSandboxLinkCode',
      'advanceSandboxResource',
      'publishSandboxStatistics',
    ] as const;
    for (const operation of operations) expect([operation, codesOf(await stranger.call(operation))]).toEqual([operation, ['CONFLICT']]);
    expect(await stranger.resources()).toHaveLength(100);
  });
});
