import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { allServicePermissions, servicePermissions, type ServicePermission } from '../../../server/domain/access/servicePermissions.ts';
import { integrationFacts } from '../../../server/domain/integration/integrationFacts.ts';
import { statusesThat } from '../../../server/domain/integration/integrationStatus.ts';
import { minorFields, type ProfileField } from '../../../server/domain/integration/profile/profileFields.ts';
import type { TestClient } from '../../support/world/Fixtures.ts';
import { codesOf, fieldsOf, type PortalClient } from '../../support/clients/portalClient.ts';
import { catalogueFields, type documents } from '../../support/clients/portalDocuments.ts';
import { toolingClient, type ToolingClient } from '../../support/clients/toolingClient.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { Tooling, type Redeemed } from '../../support/world/Tooling.ts';
import { nextProfile } from '../../support/world/profileFixtures.ts';

type Operation = keyof typeof documents;
type Variables = Record<string, unknown>;

let world: PortalWorld;
let tooling: Tooling;
let sandbox: ToolingClient;
let production: ToolingClient;
beforeAll(async () => {
  world = await openWorld({ portal: true });
  tooling = new Tooling(world);
  sandbox = await toolingClient(world);
  production = await toolingClient(world, { environment: 'production' });
});
afterAll(() => world.close());

/** Written by hand, apart from the table in the code: what each operation needs, and variables that the operation itself refuses. */
const operations: Partial<Record<Operation, { needs: ServicePermission; variables?: Variables; refusal?: string }>> = {
  upsertTrackedResources: { needs: 'resources.write', variables: { input: { resources: [] } }, refusal: 'BAD_USER_INPUT' },
  withdrawTrackedResources: { needs: 'resources.write', variables: { input: { resources: [] } }, refusal: 'BAD_USER_INPUT' },
  createLinkCode: {
    needs: 'shares.write',
    variables: { input: { integrationId: 'x', user: 'u', scopes: [], statisticsOptedIn: false } },
    refusal: 'BAD_USER_INPUT',
  },
  cancelLinkCode: { needs: 'shares.write', variables: { input: { linkCodeId: 'x' } }, refusal: 'NOT_FOUND' },
  extendShare: { needs: 'shares.write', variables: { input: { connectionId: 'x' } }, refusal: 'NOT_FOUND' },
  narrowShare: { needs: 'shares.write', variables: { input: { connectionId: 'x' } }, refusal: 'NOT_FOUND' },
  revokeShare: { needs: 'shares.write', variables: { input: { connectionId: 'x' } }, refusal: 'NOT_FOUND' },
  setStatisticsParticipation: {
    needs: 'shares.write',
    variables: { input: { integrationId: 'x', user: 'u', optedIn: false } },
    refusal: 'NOT_FOUND',
  },
  shares: { needs: 'shares.read', variables: { user: 'nobody' } },
  eraseUser: { needs: 'users.erase', variables: { input: { user: 'nobody' } } },
  publishStatisticsGeneration: { needs: 'statistics.publish', variables: { input: { integrationId: 'x' } }, refusal: 'NOT_FOUND' },
  catalogue: { needs: 'catalogue.read' },
};

describe('a token with one permission', () => {
  test.each(allServicePermissions)('%s reaches the operations of that permission and no others', async (permission) => {
    const program = await toolingClient(world, { permissions: [permission] });
    for (const [operation, { needs, variables = {}, refusal }] of Object.entries(operations)) {
      const answer = await program.call(operation as Operation, variables);
      if (needs === permission) {
        expect(codesOf(answer)).toEqual(refusal === undefined ? [] : [refusal]);
      } else {
        expect(answer.errors).toEqual([
          { message: `The service token lacks the permission ${needs}.`, path: [operation], extensions: { code: 'FORBIDDEN' } },
        ]);
        expect(answer.data).toBeNull();
      }
    }
  });

  test('is described by the operations that it opens', () => {
    for (const permission of allServicePermissions) {
      const opened = Object.entries(operations).flatMap(([operation, { needs }]) => (needs === permission ? [operation] : []));
      expect(servicePermissions[permission].match(/[a-z]+[A-Z]\w+|(?<=: )(shares|catalogue)(?=\.)/g)?.sort()).toEqual(opened.sort());
    }
  });

  test('needs the permission of each operation in a document', async () => {
    const program = await toolingClient(world, { permissions: ['catalogue.read'] });
    const answer = await program.graphql('{ catalogue { edges { cursor } } shares(user: "u") { totalCount } }');
    expect(codesOf(answer)).toEqual(['FORBIDDEN']);
    expect(answer.data).toBeNull();
  });
});

describe('a token of the sandbox', () => {
  let client: TestClient;
  let shared: Redeemed;
  let linkCodeId: string;
  beforeAll(async () => {
    client = await tooling.productionClient();
    shared = await tooling.share(production, client, 'user-p', { orders: ['order-p'], vehicles: ['vehicle-p'] });
    const input = {
      integrationId: client.integrationId,
      user: 'user-p',
      orders: ['order-p'],
      scopes: ['orders.read'],
      statisticsOptedIn: false,
    };
    linkCodeId = (await production.must<{ id: string }>('createLinkCode', { input })).id;
  });

  /** Expects an object of production to be refused to the sandbox's caller just as a random one is. */
  const same = async (operation: Operation, ofProduction: Variables, random: Variables) => {
    const [answer, reference] = [await sandbox.call(operation, { input: ofProduction }), await sandbox.call(operation, { input: random })];
    expect(codesOf(answer)).toEqual(['NOT_FOUND']);
    expect(answer.text).toBe(reference.text);
  };
  const nowhere = { integrationId: `int_${'0'.repeat(26)}`, connectionId: `con_${'0'.repeat(26)}`, linkCodeId: `lnk_${'0'.repeat(26)}` };

  test('finds no integration that is in production alone', async () => {
    const { integrationId } = client;
    const rest = { user: 'user-p', orders: ['order-p'], scopes: ['orders.read'], statisticsOptedIn: false };
    await same('createLinkCode', { integrationId, ...rest }, { integrationId: nowhere.integrationId, ...rest });
    const choice = { user: 'user-p', optedIn: false };
    await same('setStatisticsParticipation', { integrationId, ...choice }, { integrationId: nowhere.integrationId, ...choice });
    await same('publishStatisticsGeneration', { integrationId }, { integrationId: nowhere.integrationId });
    expect(JSON.stringify(await sandbox.must('catalogue', { first: 100 }))).not.toContain(integrationId);
    expect(JSON.stringify(await production.must('catalogue', { first: 100 }))).toContain(integrationId);
  });

  test('finds no link code and no connection of production', async () => {
    const { connectionId } = shared;
    await same('cancelLinkCode', { linkCodeId }, { linkCodeId: nowhere.linkCodeId });
    await same('extendShare', { connectionId, scopes: ['orders.read'] }, { connectionId: nowhere.connectionId, scopes: ['orders.read'] });
    await same('narrowShare', { connectionId, orders: ['order-p'] }, { connectionId: nowhere.connectionId, orders: ['order-p'] });
    await same('revokeShare', { connectionId }, { connectionId: nowhere.connectionId });
    const resource = { type: 'order', key: 'order-p' };
    await same('revokeShare', { connectionId, resource }, { connectionId: nowhere.connectionId, resource });
  });

  test('sees, withdraws and erases nothing of a user and of resources that have the same names there', async () => {
    expect(await sandbox.must('shares', { user: 'user-p' })).toMatchObject({ totalCount: 0, edges: [] });
    const named = {
      resources: [
        { type: 'order', key: 'order-p' },
        { type: 'vehicle', key: 'vehicle-p' },
      ],
    };
    expect(await sandbox.must('withdrawTrackedResources', { input: named })).toEqual({ withdrawn: 0, unknown: 2 });
    expect(await sandbox.must('eraseUser', { input: { user: 'user-p' } })).toEqual({ revokedConnections: 0, deletedOrders: 0 });
    await tooling.upsert(sandbox, 'another-user', { orders: ['order-p'] });
    expect(await production.must('shares', { user: 'user-p' })).toMatchObject({
      totalCount: 1,
      edges: [{ node: { connectionId: shared.connectionId, revokedAt: null, resources: shared.resources } }],
    });
  });

  test('is told the same of a production token that looks for what is in the sandbox', async () => {
    const inSandbox = await world.fixtures.client();
    const other = await tooling.share(sandbox, inSandbox, 'user-s', { orders: ['order-s'] });
    const answer = await production.call('revokeShare', { input: { connectionId: other.connectionId } });
    expect(codesOf(answer)).toEqual(['NOT_FOUND']);
    expect(answer.text).toBe((await production.call('revokeShare', { input: { connectionId: nowhere.connectionId } })).text);
    expect(await production.must('shares', { user: 'user-s' })).toMatchObject({ totalCount: 0 });
  });
});

describe('the catalogue', () => {
  type Page = { edges: { cursor: string; node: Record<string, unknown> }[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
  /** What a minor revision may change of what users read. */
  const today: Partial<Record<ProfileField, string>> = {
    publicDescription: 'Today',
    supportEmail: 'today@example.com',
    donationUrl: 'https://example.com/donate',
  };
  const columnOf = (field: string) => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const idsOf = (page: Page) => page.edges.map(({ node }) => node['id']);

  test('names active integrations alone, whatever else is on record', async () => {
    const active = await tooling.productionClient();
    const others: TestClient[] = [];
    for (const status of statusesThat((each) => !integrationFacts[each].isListed))
      others.push(await world.fixtures.client({ environment: 'production', status }));
    const listed = idsOf(await production.must<Page>('catalogue', { first: 100 }));
    expect(listed).toContain(active.integrationId);
    for (const { integrationId } of others) expect(listed).not.toContain(integrationId);
  });

  test('shows the reviewed profile with what minor revisions changed since, and nothing else of the current one, and the scopes that the client has of it', async () => {
    const client = await tooling.productionClient();
    const { integrationId: id, number } = client;
    await world.fixtures.sql`update client set scopes = ${['orders.read', 'revocations.ack']} where number = ${number}`;
    expect(Object.keys(today)).toEqual(minorFields.filter((field) => catalogueFields.includes(field)));
    const columns = Object.fromEntries(Object.entries(today).map(([field, value]) => [columnOf(field), value]));
    await nextProfile(world, id, { public_name: 'Changed', ...columns });
    const page = await production.must<Page>('catalogue', { first: 100 });
    expect(page.edges.find(({ node }) => node['id'] === id)?.node).toEqual({
      id,
      slug: id.replace('_', '-'),
      profileVersion: 1,
      publicName: 'Test',
      publicDescription: 'Test',
      purpose: 'Test',
      legalOperatorName: 'Test',
      country: 'DE',
      supportEmail: 'support@example.com',
      websiteUrl: 'https://example.com',
      privacyPolicyUrl: 'https://example.com/p',
      termsOfServiceUrl: 'https://example.com/t',
      orderLinkingUrl: 'https://example.com/l',
      donationUrl: null,
      logo: null,
      scopes: ['orders.read', 'revocations.ack'],
    });

    // A minor revision is what users read today, but only in the fields that it may change.
    await world.fixtures.sql`update profile_version set minor_revision = true where integration_id = ${id} and version = 2`;
    const now = (await production.must<Page>('catalogue', { first: 100 })).edges.find(({ node }) => node['id'] === id)?.node;
    expect(now).toMatchObject({
      profileVersion: 1,
      publicName: 'Test',
      ...today,
    });
  });

  test('no longer shows what a minor revision has taken away', async () => {
    const { integrationId: id } = await tooling.productionClient();
    const nullable = await world.rows<{ name: string }>(
      `select column_name as name from information_schema.columns where table_name = 'profile_version' and is_nullable = 'YES'`,
    );
    const optional = Object.entries(today).filter(([field]) => nullable.some(({ name }) => name === columnOf(field)));
    expect(optional).toContainEqual(['donationUrl', today.donationUrl]);
    await nextProfile(world, id, { minor_revision: true });
    for (const [field, value] of optional)
      await world.rows(`update profile_version set ${columnOf(field)} = case version when 1 then $2 end where integration_id = $1`, [
        id,
        value,
      ]);
    const shown = (await production.must<Page>('catalogue', { first: 100 })).edges.find(({ node }) => node['id'] === id)?.node;
    expect(shown).toMatchObject(Object.fromEntries(optional.map(([field]) => [field, null])));
  });

  test('is read page by page, with every field at fifty a page', async () => {
    await tooling.productionClient();
    await tooling.productionClient();
    const all = await production.must<Page>('catalogue', { first: 100 });
    const seen: unknown[] = [];
    let after: string | null = null;
    do {
      const page: Page = await production.must('catalogue', { first: 2, after });
      seen.push(...idsOf(page));
      after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
    } while (after !== null);
    expect(seen).toEqual(idsOf(all));
    expect(seen.length).toBeGreaterThan(2);
    for (const wrong of [{ first: 0 }, { first: 101 }, { after: Buffer.from('No slug').toString('base64url') }]) {
      expect(codesOf(await production.call('catalogue', wrong))).toEqual(['BAD_USER_INPUT']);
    }
  });
});

describe('from the first upsert to the erasure', () => {
  let client: TestClient;
  let program: PortalClient;
  beforeAll(async () => {
    client = await world.fixtures.client();
    program = await toolingClient(world);
  });
  const sharesOf = async (user: string) =>
    (await program.must<{ edges: { node: Record<string, unknown> }[] }>('shares', { user })).edges.map(({ node }) => node);

  test('a user shares, takes back, and is forgotten', async () => {
    const user = 'story-user';
    const shared = await tooling.share(program, client, user, { orders: ['story-1', 'story-2', 'story-3'], vehicles: ['story-4'] });
    const { connectionId, resources } = shared;
    expect(resources.map(({ type }) => type).sort()).toEqual(['order', 'order', 'order', 'vehicle']);
    expect(await sharesOf(user)).toMatchObject([
      { connectionId, integrationId: client.integrationId, statisticsOptedIn: true, revokedAt: null, resources },
    ]);

    const narrowed = await program.must<{ scopes: string[]; revoked: { revocationId: string; resource: { type: string } }[] }>(
      'narrowShare',
      {
        input: { connectionId, orders: ['story-1'], scopes: ['vehicles.read', 'vehicles.history.read'] },
      },
    );
    expect(narrowed.scopes).not.toContain('vehicles.read');
    expect(narrowed.revoked.map(({ resource }) => resource.type).sort()).toEqual(['order', 'vehicle']);

    const extended = await program.must<{ granted: { id: string }[] }>('extendShare', { input: { connectionId, orders: ['story-1'] } });
    expect(extended.granted).toHaveLength(1);
    expect(resources.map(({ id }) => id)).not.toContain(extended.granted[0]?.id);

    const stopped = await program.must('setStatisticsParticipation', {
      input: { integrationId: client.integrationId, user, optedIn: false },
    });
    expect(stopped).toEqual({ connectionIds: [connectionId], statisticsOptedIn: false });
    expect(await program.must('publishStatisticsGeneration', { input: { integrationId: client.integrationId } })).toEqual({
      generationId: expect.stringMatching(/^gen_/),
    });

    const withdrawal = {
      resources: [
        { type: 'order', key: 'story-3' },
        { type: 'order', key: 'never' },
      ],
    };
    expect(await program.must('withdrawTrackedResources', { input: withdrawal })).toEqual({ withdrawn: 1, unknown: 1 });
    const one = { connectionId, resource: { type: 'order', key: 'story-2' } };
    const first = await program.must<{ revocationId: string }>('revokeShare', { input: one });
    expect(await program.must('revokeShare', { input: one })).toEqual(first);
    const whole = await program.must<{ revocationId: string }>('revokeShare', { input: { connectionId } });
    expect(whole.revocationId).not.toBe(first.revocationId);
    expect(await sharesOf(user)).toMatchObject([{ connectionId, revokedAt: expect.any(String), resources: [] }]);
    expect(codesOf(await program.call('extendShare', { input: { connectionId, orders: ['story-1'] } }))).toEqual(['CONFLICT']);

    expect(await program.must('eraseUser', { input: { user } })).toEqual({ revokedConnections: 0, deletedOrders: 3 });
    expect(await sharesOf(user)).toEqual([]);
    const again = { integrationId: client.integrationId, user, orders: ['story-1'], scopes: ['orders.read'], statisticsOptedIn: false };
    expect(fieldsOf(await program.call('createLinkCode', { input: again }))).toEqual({
      'input.orders[0]': 'There is no such order of this user.',
    });
  });

  test('a cancelled code brings nothing, a redeemed one cannot be cancelled', async () => {
    await tooling.upsert(program, 'code-user', { orders: ['code-1'] });
    const input = {
      integrationId: client.integrationId,
      user: 'code-user',
      orders: ['code-1'],
      scopes: ['orders.read'],
      statisticsOptedIn: false,
    };
    const code = await program.must<{ id: string; code: string; expiresAt: string }>('createLinkCode', { input });
    expect(code.code).toMatch(/^\d{10}$/);
    const lifetime = Date.parse(code.expiresAt) - world.clock.now().getTime();
    expect(Math.abs(lifetime - 10 * 60_000)).toBeLessThan(10_000);
    await program.must('cancelLinkCode', { input: { linkCodeId: code.id } });
    expect(await tooling.redeem(client, code.code)).toBeNull();
    const next = await program.must<{ id: string; code: string }>('createLinkCode', { input });
    expect(await tooling.redeem(client, next.code)).not.toBeNull();
    expect(codesOf(await program.call('cancelLinkCode', { input: { linkCodeId: next.id } }))).toEqual(['CONFLICT']);
  });

  test('the trail names the token that did it', async () => {
    const trail = await world.rows<{ actor_type: string; actor_id: string }>(
      "select distinct actor_type, actor_id from audit_entry where action = 'link_code.created' and integration_id = $1",
      [client.integrationId],
    );
    expect(trail).toEqual([{ actor_type: 'service_token', actor_id: (program as ToolingClient).tokenId }]);
  });

  test('no code and no key of a user or an order is in the log', () => {
    expect(world.log()).not.toMatch(/story-user|story-\d|code-user|code-1/);
  });
});

test('in production nothing can be shared while a gate is closed', async () => {
  const client = await tooling.productionClient();
  await tooling.upsert(production, 'gate-user', { orders: ['gate-1'] });
  const input = {
    integrationId: client.integrationId,
    user: 'gate-user',
    orders: ['gate-1'],
    scopes: ['orders.read'],
    statisticsOptedIn: false,
  };
  await world.fixtures.sql`update integration set production_gate_open = false where id = ${client.integrationId}`;
  const answer = await production.call('createLinkCode', { input });
  expect(codesOf(answer)).toEqual(['FORBIDDEN']);
  await world.fixtures.sql`update integration set production_gate_open = true where id = ${client.integrationId}`;
  expect(codesOf(await production.call('createLinkCode', { input }))).toEqual([]);
});
