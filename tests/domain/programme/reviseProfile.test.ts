import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { accountLimits } from '../../../server/domain/account/accountLimits.ts';
import { productionStatuses } from '../../../server/domain/integration/integrationFacts.ts';
import { allProfileFields, minorFields } from '../../../server/domain/integration/profile/profileFields.ts';
import { profileVersions } from '../../../server/domain/integration/profile/profileVersions.ts';
import { reviseProfile } from '../../../server/domain/programme/reviseProfile.ts';
import type { OperatorActor } from '../../../server/domain/shared/actor.ts';
import type { Scope } from '../../../server/domain/shared/scopes.ts';
import { buildSandboxCorpus } from '../../../server/domain/sandbox/corpus/buildSandboxCorpus.ts';
import type { TestClient } from '../../support/world/Fixtures.ts';
import { refusalOf, SharingCommands } from '../../support/feed/sharingCommands.ts';
import { openWorld } from '../../support/world/openWorld.ts';
import type { World } from '../../support/world/World.ts';
import { itemsOf } from '../../support/clients/pages.ts';
import { addLogo } from '../../support/world/reviewPath.ts';
import { requestedCorpus } from '../../support/world/sandboxFixtures.ts';

const hour = 3_600_000;
let world: World;
let sharing: SharingCommands;
beforeAll(async () => {
  world = await openWorld();
  sharing = new SharingCommands(world);
});
afterAll(() => world.close());

const ownerOf = ({ operatorId }: TestClient): OperatorActor => ({
  type: 'operator',
  operatorId,
  roles: [],
  ip: '127.0.0.1',
  requestId: 'req_test',
});

/** The profile that a client of the fixtures has, with changes. */
type ReviseProfileInput = Parameters<typeof reviseProfile>[1]['input'];

const inputOf = ({ integrationId }: TestClient, changes: Partial<ReviseProfileInput> = {}): ReviseProfileInput => ({
  integrationId,
  version: 1,
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
  requestedScopes: ['orders.read'],
  pollingCadenceMinutes: 15,
  webhookModel: 'none',
  ...changes,
});

const revise = (client: TestClient, changes: Partial<ReviseProfileInput>, actor = ownerOf(client)) =>
  reviseProfile(sharing.em, { actor, input: inputOf(client, changes), now: sharing.now });
const ordersOnly = (status = 'sandbox') =>
  world.fixtures.client({ scopes: ['orders.read'], status, ...(status === 'sandbox' ? {} : { environment: 'production' }) });
const versionsOf = async ({ integrationId }: TestClient) => itemsOf(await profileVersions(sharing.em, { integrationId, first: 100 }));

describe('a revision', () => {
  test('is refused after 200 of one day, until the first of them is a day old', async () => {
    const client = await ordersOnly();
    const most = accountLimits.profileVersionsPerIntegrationPerDay;
    await world.fixtures.sql`update profile_version set created_at = ${sharing.now} where integration_id = ${client.integrationId}`;
    for (let version = 1; version < most; version += 1) await revise(client, { version, purpose: `Purpose ${version}` });
    const next = { version: most, purpose: 'One more' };
    expect(await refusalOf(revise(client, next))).toMatchObject({ code: 'rate_limit_exceeded' });
    await revise(client, { ...next, purpose: `Purpose ${most - 1}` });
    sharing.advance(24 * hour);
    await revise(client, next);
  });

  test('is a new snapshot, without space around its texts; the one before stays as it was', async () => {
    const client = await ordersOnly();
    await revise(client, { publicName: '  Order Board ', donationUrl: ' ' });
    const [second, first] = await versionsOf(client);
    expect([first?.profile.publicName, second?.profile.publicName]).toEqual(['Test', 'Order Board']);
    expect(second).toMatchObject({
      profile: { version: 2, createdAt: sharing.now, createdBy: client.operatorId, termsVersion: 1 },
      changes: [{ field: 'publicName', before: ['Test'], after: ['Order Board'], consentRelevant: true }],
    });
    expect(first?.changes).toEqual([]);
    expect(await sharing.trail(client.integrationId)).toMatchObject([
      { action: 'profile.revised', operator: client.operatorId, details: { version: 2, fields: 'publicName' } },
    ]);
  });

  test('of a version that is no longer current is refused in words, and overwrites nothing', async () => {
    const client = await ordersOnly();
    await revise(client, { publicDescription: 'Mine' });
    expect(await refusalOf(revise(client, { publicDescription: 'Yours' }))).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('Version 2'),
    });
    expect((await versionsOf(client)).map(({ profile }) => profile.publicDescription)).toEqual(['Mine', 'Test']);
  });

  test('at the same moment as another one: one is stored, the other is told', async () => {
    const client = await ordersOnly();
    const outcomes = await Promise.allSettled(['A', 'B', 'C'].map((publicName) => revise(client, { publicName })));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(await versionsOf(client)).toHaveLength(2);
  });

  test('that changes nothing makes no version', async () => {
    const client = await ordersOnly();
    expect(await revise(client, { publicName: ' Test ' })).toMatchObject({ profileVersion: 1 });
    expect(await versionsOf(client)).toHaveLength(1);
    expect(await sharing.trail(client.integrationId)).toEqual([]);
  });

  test('takes the logo along', async () => {
    const client = await ordersOnly();
    const logo = await addLogo(world, client.integrationId);
    await revise(client, { publicName: 'Order Board' });
    expect((await versionsOf(client))[0]?.profile.logoId).toBe(logo);
  });

  test('that breaks rules names every field, and another’s profile does not exist', async () => {
    const client = await ordersOnly();
    expect(await refusalOf(revise(client, { publicName: '', websiteUrl: 'http://example.com' }))).toMatchObject({
      code: 'invalid_request',
      paths: ['input.publicName', 'input.websiteUrl'],
    });
    expect(await refusalOf(revise(client, { publicName: 'X' }, ownerOf(await ordersOnly())))).toMatchObject({ code: 'not_found' });
  });

  test('lists page by page, each version with what it changed against the one before', async () => {
    const client = await ordersOnly();
    for (const [index, publicName] of ['B', 'C', 'D'].entries()) await revise(client, { publicName, version: index + 1 });
    const page = await profileVersions(sharing.em, { integrationId: client.integrationId, first: 2, after: null });
    expect([itemsOf(page).map(({ profile, changes }) => [profile.version, changes[0]?.before[0]]), page.pageInfo.hasNextPage]).toEqual([
      [
        [4, 'C'],
        [3, 'B'],
      ],
      true,
    ]);
    const rest = await profileVersions(sharing.em, { integrationId: client.integrationId, first: 2, after: page.pageInfo.endCursor });
    expect([itemsOf(rest).map(({ profile, changes }) => [profile.version, changes[0]?.before[0]]), rest.pageInfo.hasNextPage]).toEqual([
      [
        [2, 'Test'],
        [1, undefined],
      ],
      false,
    ]);
    const wrong = profileVersions(sharing.em, { integrationId: client.integrationId, first: 101, after: 'x' });
    expect((await refusalOf(wrong)).paths).toEqual(['first', 'after']);
  });
});

const everyChange: Required<Omit<ReviseProfileInput, 'integrationId' | 'version'>> = {
  publicName: 'Other',
  publicDescription: 'Other',
  purpose: 'Other',
  legalOperatorName: 'Other',
  country: 'NL',
  supportEmail: 'other@example.com',
  websiteUrl: 'https://other.example.com',
  privacyPolicyUrl: 'https://other.example.com/p',
  termsOfServiceUrl: 'https://other.example.com/t',
  orderLinkingUrl: 'https://other.example.com/l',
  donationUrl: 'https://other.example.com/tip',
  requestedScopes: ['orders.read', 'shipping.read'],
  pollingCadenceMinutes: 60,
  webhookModel: 'notification',
};
const fields = allProfileFields.filter((field) => field !== 'logoId');
const minor = new Set<string>(minorFields);

describe.each(productionStatuses)('an integration that is %s', (status) => {
  test('has minor revisions; what reviewers approved stays the reviewed version', async () => {
    const client = await ordersOnly(status);
    const changes = Object.fromEntries(Object.entries(everyChange).filter(([field]) => minor.has(field)));
    expect(await revise(client, changes)).toMatchObject({ profileVersion: 2, reviewedProfileVersion: 1 });
    const [version] = await versionsOf(client);
    expect(version?.changes.map(({ field }) => field)).toEqual([...minor]);
    expect(version?.changes.every((change) => change.minor)).toBe(true);
  });

  test('refuses everything else, naming each field and the way on', async () => {
    const client = await ordersOnly(status);
    const refusal = await refusalOf(revise(client, everyChange));
    expect(refusal).toMatchObject({
      code: 'invalid_request',
      paths: fields.filter((field) => !minor.has(field)).map((field) => `input.${field}`),
      message: expect.stringContaining('Duplicate the profile as a new integration'),
    });
    expect(await versionsOf(client)).toHaveLength(1);
  });
});

test.each([
  ['submitted', 'Withdraw the submission or wait for the decision'],
  ['retired', 'its profile cannot be changed'],
])('the profile of an integration that is %s is frozen', async (status, words) => {
  const client = await ordersOnly(status);
  expect(await refusalOf(revise(client, { supportEmail: 'other@example.com' }))).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining(words),
  });
});

describe('other scopes in the sandbox', () => {
  async function filled(scopes: readonly Scope[]): Promise<TestClient> {
    const client = await world.fixtures.client({ scopes });
    await requestedCorpus(world, { clientNumber: client.number, at: sharing.now });
    await build(client, 1);
    return client;
  }
  const build = ({ number }: TestClient, generation: number) =>
    buildSandboxCorpus(sharing.em, { clientNumber: number, generation, clock: { now: () => sharing.now } });
  const live = async ({ number }: TestClient) => {
    const rows = await world.fixtures.sql<{ type: string; count: number }[]>`
      select type, count(*)::int as count from shared_resource where client_number = ${number} and revocation_id is null group by type order by type`;
    return Object.fromEntries(rows.map(({ type, count }) => [type, count]));
  };
  const clientRow = async ({ number }: TestClient) =>
    (
      await world.fixtures.sql<{ scopes: Scope[]; epoch: number }[]>`
      select scopes, epoch from client join client_feed on client_number = number where number = ${number}`
    )[0];
  const jobs = async ({ number }: TestClient) =>
    (
      await world.fixtures.sql<{ payload: unknown }[]>`
      select payload from graphile_worker._private_jobs where (payload->>'clientNumber')::int = ${number}`
    )[0]?.payload;

  test('bring the types that they cover and take away those that they do not', async () => {
    const client = await filled(['orders.read', 'shipping.read']);
    expect(await live(client)).toEqual({ order: 500 });
    const before = await clientRow(client);

    await revise(client, { requestedScopes: ['vehicles.history.read', 'vehicles.read'] });
    // At once, the client has the scopes, earlier cursors are invalid, and the next corpus is queued.
    const at = await clientRow(client);
    expect(at).toEqual({ scopes: ['vehicles.read', 'vehicles.history.read'], epoch: (before?.epoch ?? 0) + 1 });
    expect(await jobs(client)).toEqual({ clientNumber: client.number, generation: 2 });

    await build(client, 2);
    expect(await live(client)).toEqual({ vehicle: 50 });
    expect((await clientRow(client))?.epoch).toBe((before?.epoch ?? 0) + 2);
    const connections = await world.fixtures.sql`
      select distinct scopes, profile_version from connection where client_number = ${client.number}`;
    expect(connections).toEqual([{ scopes: ['vehicles.read', 'vehicles.history.read'], profile_version: 2 }]);

    await revise(client, { requestedScopes: ['orders.read', 'vehicles.read'], version: 2 });
    await build(client, 3);
    expect(await live(client)).toEqual({ order: 500, vehicle: 50 });
  });

  test('are refused when one of them could never show anything; a profile that has such a set from before keeps it and may change all else', async () => {
    const client = await world.fixtures.client({ scopes: ['vehicles.read', 'shipping.read'] });
    expect(await revise(client, { publicDescription: 'Other', requestedScopes: ['vehicles.read', 'shipping.read'] })).toMatchObject({
      profileVersion: 2,
    });
    expect(
      await refusalOf(revise(client, { requestedScopes: ['vehicles.read', 'shipping.read', 'revocations.ack'], version: 2 })),
    ).toMatchObject({
      code: 'invalid_request',
      paths: ['input.requestedScopes'],
      message: expect.stringContaining('shipping.read shows nothing without orders.read'),
    });
    expect(await clientRow(client)).toMatchObject({ scopes: ['vehicles.read', 'shipping.read'] });
    const silent = await world.fixtures.client({ scopes: ['revocations.ack'] });
    expect(await revise(silent, { publicDescription: 'Other', requestedScopes: ['revocations.ack'] })).toMatchObject({ profileVersion: 2 });
  });

  test('supersede a corpus that is still being made, and stand in the audit trail', async () => {
    const client = await world.fixtures.client({ scopes: ['orders.read'] });
    await requestedCorpus(world, { clientNumber: client.number, at: sharing.now });
    await revise(client, { requestedScopes: ['vehicles.read'] });
    await build(client, 1);
    expect(await live(client)).toEqual({});
    await build(client, 2);
    expect(await live(client)).toEqual({ vehicle: 50 });
    expect(await sharing.trail(client.id)).toMatchObject([
      { action: 'client.scopes_changed', operator: client.operatorId, details: { scopes: 'vehicles.read', generation: 2 } },
      { action: 'sandbox_corpus.activated' },
    ]);
  });

  test('regenerate the test data, six times an hour; other fields are free', async () => {
    const client = await world.fixtures.client({ scopes: ['orders.read'] });
    const lists: Scope[][] = [['orders.read'], ['vehicles.read']];
    for (let version = 1; version <= 6; version += 1) await revise(client, { requestedScopes: lists[version % 2]!, version });
    expect(await refusalOf(revise(client, { requestedScopes: lists[1]!, version: 7 }))).toMatchObject({ code: 'rate_limit_exceeded' });
    expect(await versionsOf(client)).toHaveLength(7);
    await revise(client, { requestedScopes: lists[0]!, publicName: 'Other', version: 7 });
    sharing.advance(hour);
    await revise(client, { requestedScopes: lists[1]!, version: 8 });
  });

  test('wait for a redemption of the same moment, which gets the scopes of before', async () => {
    const client = await world.fixtures.client({ scopes: ['orders.read'] });
    const { waited } = await sharing.behind(
      (tx) => tx.execute('select 1 from client_feed where client_number = ? for update', [client.number]),
      () => revise(client, { requestedScopes: ['vehicles.read'] }),
    );
    expect(waited).toBe(true);
  });
});
