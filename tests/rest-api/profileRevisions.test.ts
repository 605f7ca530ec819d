import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { backEndOf } from '../support/world/backEndOf.ts';
import type { MachineClient } from '../support/clients/machineClient.ts';
import { openWorld, type MachineWorld, type PortalWorld } from '../support/world/openWorld.ts';
import { codesOf, goodProfile, type IntegrationData, type PortalClient } from '../support/clients/portalClient.ts';
import { expectProblem } from '../support/clients/problems.ts';
import { approvedIntegration, reject, reviewer, submit } from '../support/world/reviewPath.ts';
import { SandboxClient } from '../support/clients/sandboxClient.ts';
import { administrator, toolingClient } from '../support/clients/toolingClient.ts';
import { numberOfClient } from '../support/world/revocationFixtures.ts';

type Upsert = { id: string; type: string; revision: number; scopes: string[]; status: string; shipping?: unknown };
type Page = { upserts: Upsert[]; tombstones: { resource?: { id: string } }[]; next_cursor: string; has_more: boolean };
type Capabilities = { profile_version: number; scopes: string[]; integration_status: string };

/** What an operator's back end sees at each moment of a revision: portal and machine API side by side. */
let application: PortalWorld & MachineWorld;
beforeAll(async () => {
  application = await openWorld({ portal: true, machine: true });
});
afterAll(async () => {
  await application.close();
});

const { slug: _, termsVersion: __, attributionRulesAccepted: ___, nonCommercialUseAccepted: ____, ...profile } = goodProfile();
const revise = (owner: PortalClient, integrationId: string, version: number, changes: Record<string, unknown>) =>
  owner.call<IntegrationData>('reviseProfile', { input: { ...profile, integrationId, version, ...changes } });
const capabilities = async (machine: MachineClient) => (await machine.call('/v1/capabilities')).body as Capabilities;

/** Follows the feed to its end. */
async function sync(machine: MachineClient, since?: string): Promise<Page> {
  const all: Page = { upserts: [], tombstones: [], next_cursor: since ?? '', has_more: true };
  while (all.has_more) {
    const response = await machine.call(`/v1/sync${all.next_cursor && `?updated_since=${all.next_cursor}`}`);
    expect(response.status).toBe(200);
    const { upserts, tombstones, ...rest } = response.body as Page;
    Object.assign(all, rest, { upserts: [...all.upserts, ...upserts], tombstones: [...all.tombstones, ...tombstones] });
  }
  return all;
}

describe('in the sandbox', () => {
  const wide = ['orders.read', 'vehicles.read', 'shipping.read'];
  let sandbox: SandboxClient;
  let id: string;
  let machine: MachineClient;
  beforeAll(async () => {
    sandbox = await SandboxClient.open(application, wide);
    ({ id } = await sandbox.operator.must<IntegrationData>('integration', { slug: sandbox.slug }));
    machine = await backEndOf(application, sandbox.operator, sandbox.slug, 'sandbox');
    const number = await numberOfClient(application, sandbox.slug);
    for (const quota of ['requests_per_minute', 'requests_per_hour']) await application.fixtures.override({ number }, quota, 1_000);
  });

  test('another name is a new version for the next request, and leaves cursors and validators as they are', async () => {
    const before = await machine.call('/v1/sync?limit=5');
    const { next_cursor } = before.body as Page;
    expect((await revise(sandbox.operator, id, 1, { requestedScopes: wide, publicName: 'Nordlys' })).data?.profile.version).toBe(2);
    expect(await capabilities(machine)).toMatchObject({ profile_version: 2, scopes: wide });
    const etag = before.headers['etag'] as string;
    expect((await machine.call('/v1/sync?limit=5', { headers: { 'If-None-Match': etag } })).status).toBe(304);
    expect((await machine.call(`/v1/sync?updated_since=${next_cursor}`)).status).toBe(200);
  });

  test('fewer scopes: from the next request on nothing of more is seen, and a recovery sync misses nothing', async () => {
    const before = await sync(machine);
    const [order, vehicle] = ['order', 'vehicle'].map((type) => before.upserts.find((upsert) => upsert.type === type)) as [Upsert, Upsert];
    const withShipping = before.upserts.find(({ shipping }) => shipping !== undefined) as Upsert;
    const page = await machine.call(`/v1/sync?updated_since=${before.next_cursor}`);
    const detail = await machine.call(`/v1/orders/${withShipping.id}`);

    expect(codesOf(await revise(sandbox.operator, id, 2, { requestedScopes: ['orders.read'] }))).toEqual([]);

    expect(await capabilities(machine)).toMatchObject({ profile_version: 3, scopes: ['orders.read'] });
    // An earlier validator names something that is no longer there, so the answer is never 304.
    const conditional = (path: string, { headers }: typeof page) =>
      machine.call(path, { headers: { 'If-None-Match': headers['etag'] as string } });
    expectProblem(await conditional(`/v1/sync?updated_since=${before.next_cursor}`, page), 'invalid_cursor');
    const narrowed = await conditional(`/v1/orders/${withShipping.id}`, detail);
    expect(narrowed.status).toBe(200);
    expect(narrowed.body).toMatchObject({ scopes: ['orders.read'], revision: withShipping.revision + 1 });
    expect(narrowed.body).not.toHaveProperty('shipping');
    expectProblem(await machine.call(`/v1/vehicles/${vehicle.id}`), 'scope_required', { missing_in: 'client' });

    // The same orders come at higher revisions. Vehicles do not come, so they have to be deleted. There is no tombstone, because nobody
    // revoked anything.
    const recovered = await sync(machine);
    const orders = before.upserts.filter(({ type }) => type === 'order');
    expect(recovered.upserts.map((upsert) => [upsert.id, upsert.revision])).toEqual(orders.map((each) => [each.id, each.revision + 1]));
    expect(recovered.upserts.every(({ shipping, scopes }) => shipping === undefined && scopes.join() === 'orders.read')).toBe(true);
    expect(recovered.tombstones).toEqual(before.tombstones);

    // The feed keeps working until the new corpus is there.
    const { id: moved } = recovered.upserts.find(({ status }) => status === 'placed') as Upsert;
    await sandbox.must('advanceSandboxResource', { resourceId: moved });
    expect((await sync(machine, recovered.next_cursor)).upserts).toMatchObject([{ id: moved, status: 'confirmed' }]);

    await sandbox.build();
    expectProblem(await machine.call(`/v1/sync?updated_since=${recovered.next_cursor}`), 'invalid_cursor');
    expectProblem(await machine.call(`/v1/orders/${order.id}`), 'not_found');
    const fresh = await sync(machine);
    expect(new Set(fresh.upserts.map(({ type }) => type))).toEqual(new Set(['order']));
    // The tombstone is the one that every corpus has.
    expect([fresh.upserts.length, fresh.tombstones.length]).toEqual([500, 1]);
  });

  test('more scopes widen nothing that users have granted: the old corpus stays as it was until the new one is there', async () => {
    const before = await sync(machine);
    expect(codesOf(await revise(sandbox.operator, id, 3, { requestedScopes: wide }))).toEqual([]);
    expect(await capabilities(machine)).toMatchObject({ profile_version: 4, scopes: wide });
    const same = await sync(machine);
    expect(same.upserts.map((upsert) => [upsert.id, upsert.scopes.join()])).toEqual(
      before.upserts.map((upsert) => [upsert.id, 'orders.read']),
    );
    await sandbox.build();
    expect(new Set((await sync(machine)).upserts.map(({ type }) => type))).toEqual(new Set(['order', 'vehicle']));
  });

  test('a refused revision moves nothing', async () => {
    const { next_cursor } = await sync(machine);
    expect(codesOf(await revise(sandbox.operator, id, 4, { requestedScopes: ['orders.read'], publicName: '' }))).toEqual([
      'BAD_USER_INPUT',
    ]);
    expect(codesOf(await revise(sandbox.operator, id, 1, { requestedScopes: ['orders.read'] }))).toEqual(['CONFLICT']);
    expect(await capabilities(machine)).toMatchObject({ profile_version: 4, scopes: wide });
    expect((await machine.call(`/v1/sync?updated_since=${next_cursor}`)).status).toBe(200);
  });
});

test('while it is under review, and after a rejection, the sandbox sees the version that is current', async () => {
  const owner = await application.operator();
  const { id, slug } = await owner.createIntegration({ requestedScopes: ['orders.read', 'vehicles.read'] });
  const machine = await backEndOf(application, owner, slug, 'sandbox');
  const submission = await submit(application, owner, { id });
  expect(codesOf(await revise(owner, id, 1, { requestedScopes: ['orders.read'] }))).toEqual(['CONFLICT']);
  expect(await capabilities(machine)).toMatchObject({ integration_status: 'submitted', profile_version: 1 });
  await reject(application, await reviewer(application), submission);
  expect(codesOf(await revise(owner, id, 1, { requestedScopes: ['orders.read'] }))).toEqual([]);
  expect(await capabilities(machine)).toMatchObject({ integration_status: 'rejected', profile_version: 2, scopes: ['orders.read'] });
});

test('a minor revision after approval: production and users stay with the reviewed version, the catalogue has its support address; reviewers see what changed', async () => {
  const [owner, admin, tooling] = [
    await application.operator(),
    await administrator(application),
    await toolingClient(application, { environment: 'production' }),
  ];
  const { id, slug } = await approvedIntegration(application, owner, { requestedScopes: ['orders.read'] });
  const [sandbox, machine] = [
    await backEndOf(application, owner, slug, 'sandbox'),
    await backEndOf(application, owner, slug, 'production'),
  ];
  await Promise.all([owner.confirmFreshly(), admin.confirmFreshly()]);
  type Entry = { node: { id: string; profileVersion: number; supportEmail: string } };
  const listed = async () =>
    (await tooling.must<{ edges: Entry[] }>('catalogue', { first: 100 })).edges.find(({ node }) => node.id === id)?.node;
  expect(await listed()).toBeUndefined();
  await owner.must('activateForProduction', { input: { integrationId: id, profileVersion: 1 } });
  const shown = await listed();
  expect(shown).toMatchObject({ profileVersion: 1, supportEmail: 'help@example.com' });

  const minor = { requestedScopes: ['orders.read'], supportEmail: 'new@example.com' };
  expect((await revise(owner, id, 1, minor)).data?.profile.version).toBe(2);
  expect(await capabilities(machine)).toMatchObject({ integration_status: 'active', profile_version: 1, scopes: ['orders.read'] });
  expect(await capabilities(sandbox)).toMatchObject({ profile_version: 2 });
  expect(await listed()).toEqual({ ...shown, supportEmail: 'new@example.com' });
  type Revisions = { edges: { node: { slug: string; profile: { version: number } } }[] };
  const { edges } = await (await reviewer(application)).must<Revisions>('minorRevisions');
  expect(edges).toMatchObject([{ node: { slug, profile: { version: 2 } } }]);

  expect(codesOf(await revise(owner, id, 2, { requestedScopes: ['orders.read', 'vehicles.read'] }))).toEqual(['BAD_USER_INPUT']);
  expect(await capabilities(machine)).toMatchObject({ profile_version: 1, scopes: ['orders.read'] });
});
