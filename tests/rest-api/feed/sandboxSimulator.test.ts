import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { addSandboxShippingEvent } from '../../../server/domain/sandbox/event/addSandboxShippingEvent.ts';
import { advanceSandboxResource } from '../../../server/domain/sandbox/event/advanceSandboxResource.ts';
import { buildSandboxCorpus } from '../../../server/domain/sandbox/corpus/buildSandboxCorpus.ts';
import { generateSandboxLinkCode } from '../../../server/domain/sandbox/event/generateSandboxLinkCode.ts';
import { publishSandboxStatistics } from '../../../server/domain/sandbox/event/publishSandboxStatistics.ts';
import { regenerateSandboxCorpus } from '../../../server/domain/sandbox/corpus/regenerateSandboxCorpus.ts';
import { firstRecord } from '../../../server/domain/sandbox/firstRecord.ts';
import { sandboxNextSync, type NextSync } from '../../../server/domain/sandbox/sandboxNextSync.ts';
import { revokeSandboxShare } from '../../../server/domain/sandbox/event/revokeSandboxShare.ts';
import { allScopes, type Scope } from '../../../server/domain/shared/scopes.ts';
import type { TestClient } from '../../support/world/Fixtures.ts';
import type { MachineClient } from '../../support/clients/machineClient.ts';
import { openWorld, type MachineWorld } from '../../support/world/openWorld.ts';
import { expectProblem } from '../../support/clients/problems.ts';
import { requestedCorpus } from '../../support/world/sandboxFixtures.ts';

type Upsert = { id: string; type: string; revision: number; status: string; connection_id: string; scopes: string[] } & Record<
  string,
  unknown
>;
type Tombstone = { revocation_id: string; subject: { type: string; id: string }; connection_id: string; resource?: { id: string } };
type Page = { upserts: Upsert[]; tombstones: Tombstone[]; next_cursor: string; has_more: boolean };

let world: MachineWorld;
beforeAll(async () => {
  world = await openWorld({ machine: true });
});
afterAll(() => world.close());

/** An operator's back end that has synced its sandbox to the end, and the operator at the portal. */
class Sandbox {
  readonly client: TestClient;
  readonly machine: MachineClient;
  cursor: string | undefined;
  all: Upsert[] = [];

  constructor(client: TestClient, machine: MachineClient) {
    this.client = client;
    this.machine = machine;
  }

  static async open(scopes: readonly Scope[] = allScopes): Promise<Sandbox> {
    const { client, machine } = await world.backEnd({ scopes });
    for (const quota of ['requests_per_minute', 'requests_per_hour']) await world.fixtures.override(client, quota, 1_200);
    await requestedCorpus(world, { clientNumber: client.number, at: world.clock.now() });
    const sandbox = new Sandbox(client, machine);
    await sandbox.build(1);
    sandbox.all = (await sandbox.sync()).upserts;
    return sandbox;
  }

  async build(generation: number): Promise<void> {
    await buildSandboxCorpus(world.em(), { clientNumber: this.client.number, generation, clock: world.clock });
  }

  /** The arguments that every command of the portal gets. */
  get by() {
    const actor = { type: 'operator', operatorId: this.client.operatorId, roles: [], ip: '127.0.0.1', requestId: 'req_test' } as const;
    return { actor, clientId: this.client.id, now: world.clock.now() };
  }

  /** Everything new since the last sync, in feed order. */
  async sync(): Promise<Omit<Page, 'next_cursor' | 'has_more'>> {
    const upserts: Upsert[] = [];
    const tombstones: Tombstone[] = [];
    for (;;) {
      // No two calls of a client come at the same moment.
      world.clock.advance(1);
      const { status, body } = await this.machine.call(`/v1/sync${this.cursor === undefined ? '' : `?updated_since=${this.cursor}`}`);
      expect(status).toBe(200);
      const page = body as Page;
      upserts.push(...page.upserts);
      tombstones.push(...page.tombstones);
      this.cursor = page.next_cursor;
      if (!page.has_more) return { upserts, tombstones };
    }
  }

  one(status: string): Upsert {
    const found = this.all.find((upsert) => upsert.status === status);
    if (!found) throw new Error(`Nothing is ${status}.`);
    return found;
  }

  async advance(resourceId: string | null, count = 1) {
    return advanceSandboxResource(world.em(), { ...this.by, resourceId, count, type: null, ending: false });
  }
}

test('after advancing, the next sync shows exactly the changed resources at their new revisions, and their histories the change', async () => {
  const sandbox = await Sandbox.open();
  const order = sandbox.one('placed');
  const changes = await sandbox.advance(order.id);
  const { upserts, tombstones } = await sandbox.sync();
  expect(tombstones).toEqual([]);
  expect(upserts).toEqual([{ ...order, status: 'confirmed', revision: order.revision + 1, updated_at: expect.any(String) }]);
  expect(changes).toMatchObject([{ resourceId: order.id, from: 'placed', to: 'confirmed', revision: order.revision + 1, shown: true }]);
  const history = (await sandbox.machine.call(`/v1/orders/${order.id}/history`)).body as { items: { changes: unknown[] }[] };
  expect(history.items.at(-1)?.changes).toEqual([{ path: 'status', from: 'placed', to: 'confirmed' }]);

  const many = await sandbox.advance(null, 50);
  const next = await sandbox.sync();
  const listed = (rows: { id: string; revision: number; status: string }[]) =>
    rows.map(({ id, revision, status }) => `${id} ${revision} ${status}`).sort();
  expect(listed(next.upserts)).toEqual(
    listed(many.map((change) => ({ id: change.resourceId, revision: change.revision, status: change.to }))),
  );
  expect((await sandbox.sync()).upserts).toEqual([]);
});

test('a shipping event shows where shipping.read is consented to, and nowhere else', async () => {
  const sandbox = await Sandbox.open();
  const order = sandbox.one('at_port');
  const event = { resourceId: order.id, kind: 'transshipped', port: 'EGPSD', at: world.clock.now(), estimated: false } as const;
  await addSandboxShippingEvent(world.em(), { ...sandbox.by, ...event });
  const { upserts } = await sandbox.sync();
  expect(upserts.map(({ id }) => id)).toEqual([order.id]);
  expect(JSON.stringify(upserts[0]?.['shipping'])).toContain('EGPSD');

  const { code } = await generateSandboxLinkCode(world.em(), {
    ...sandbox.by,
    orders: 500,
    vehicles: 0,
    scopes: ['orders.read'],
    statisticsOptedIn: false,
    lookupKeys: world.keyRing.lookup,
  });
  await sandbox.machine.call('/v1/link-codes/redeem', { method: 'POST', body: { code } });
  const hidden = (await sandbox.sync()).upserts.find(({ status }) => status === 'at_port');
  const later = { ...event, port: 'SGSIN', resourceId: hidden?.id ?? '' };
  const changes = await addSandboxShippingEvent(world.em(), { ...sandbox.by, ...later });
  expect(changes.find(({ resourceId }) => resourceId === hidden?.id)).toMatchObject({ shown: false, revision: hidden?.revision });
  expect((await sandbox.sync()).upserts.map(({ id }) => id)).not.toContain(hidden?.id);
});

test('a link code of the simulator redeems over mutual TLS once, for another integration never', async () => {
  const sandbox = await Sandbox.open();
  const stranger = await Sandbox.open();
  const { code } = await generateSandboxLinkCode(world.em(), {
    ...sandbox.by,
    orders: 20,
    vehicles: 1,
    scopes: ['orders.read', 'vehicles.read'],
    statisticsOptedIn: false,
    lookupKeys: world.keyRing.lookup,
  });
  const redeem = ({ machine }: Sandbox) => machine.call('/v1/link-codes/redeem', { method: 'POST', body: { code } });
  expectProblem(await redeem(stranger), 'link_code_not_redeemable');
  const { status, body } = await redeem(sandbox);
  const { connection_id: connectionId, resources } = body as { connection_id: string; resources: { id: string }[] };
  expect([status, resources.length]).toEqual([200, 21]);
  expectProblem(await redeem(sandbox), 'link_code_not_redeemable');
  const { upserts } = await sandbox.sync();
  expect(upserts.map(({ id }) => id).sort()).toEqual(resources.map(({ id }) => id).sort());
  for (const upsert of upserts) {
    expect(upsert).toMatchObject({ connection_id: connectionId, revision: 1, scopes: ['orders.read', 'vehicles.read'] });
    expect(upsert).not.toHaveProperty('shipping');
  }
  // The fixture is the one that the corpus shares, too, so a step moves it in both connections.
  const first = upserts.find(({ status: each, type }) => type === 'order' && !['delivered', 'cancelled'].includes(each));
  const moved = await sandbox.advance(first!.id);
  expect((await sandbox.sync()).upserts.map(({ id }) => id).sort()).toEqual(
    moved
      .filter(({ shown }) => shown)
      .map(({ resourceId }) => resourceId)
      .sort(),
  );
});

test('after revoking, the next sync shows exactly the tombstones, details are gone, and the deletion can be acknowledged', async () => {
  const sandbox = await Sandbox.open();
  const order = sandbox.one('delivered');
  const single = await revokeSandboxShare(world.em(), { ...sandbox.by, resourceId: order.id, connectionId: null });
  const first = await sandbox.sync();
  expect(first.upserts).toEqual([]);
  expect(first.tombstones).toMatchObject([
    { revocation_id: single.revocationId, subject: { type: 'resource', id: order.id }, resource: { id: order.id } },
  ]);
  expectProblem(await sandbox.machine.call(`/v1/orders/${order.id}`), 'access_ended', { revocation_id: single.revocationId });

  const connectionId = sandbox.all.find(
    ({ connection_id: id }) => sandbox.all.filter((each) => each.connection_id === id && each.id !== order.id).length > 1,
  )!.connection_id;
  const rest = sandbox.all.filter((each) => each.connection_id === connectionId && each.id !== order.id).map(({ id }) => id);
  const whole = await revokeSandboxShare(world.em(), { ...sandbox.by, resourceId: null, connectionId });
  const second = await sandbox.sync();
  expect(second.upserts).toEqual([]);
  expect(second.tombstones.map(({ resource }) => resource?.id ?? 'the connection').sort()).toEqual([...rest, 'the connection'].sort());
  expect(second.tombstones.at(-1)).not.toHaveProperty('resource');
  const acknowledged = await sandbox.machine.call(`/v1/revocations/${whole.revocationId}/ack`, {
    method: 'POST',
    headers: { 'Idempotency-Key': 'simulated' },
    body: { deletion_completed: true },
  });
  expect(acknowledged.status).toBe(200);
});

test('a published generation is the one that the API answers', async () => {
  const sandbox = await Sandbox.open();
  const before = (await sandbox.machine.call('/v1/statistics/orders')).body as { generation_id: string; groups: unknown[] };
  await sandbox.advance(null, 1);
  const { generationId } = await publishSandboxStatistics(world.em(), sandbox.by);
  const after = (await sandbox.machine.call('/v1/statistics/orders')).body as typeof before;
  expect(after).toMatchObject({ generation_id: generationId, groups: before.groups });
});

test('after regenerating the data, old cursors and IDs no longer work, and the recovery sync brings only the new sandbox', async () => {
  const sandbox = await Sandbox.open();
  const old = {
    cursor: sandbox.cursor,
    all: sandbox.all,
    etag: (await sandbox.machine.call(`/v1/sync?updated_since=${sandbox.cursor}`)).headers.etag ?? '',
  };
  await regenerateSandboxCorpus(world.em(), sandbox.by);
  expect(await sandbox.sync()).toEqual({ upserts: [], tombstones: [] });
  await sandbox.build(2);
  for (const cursor of [old.cursor, sandbox.cursor]) {
    const headers = { 'If-None-Match': old.etag };
    expectProblem(await sandbox.machine.call(`/v1/sync?updated_since=${cursor}`, { headers }), 'invalid_cursor');
  }
  sandbox.cursor = undefined;
  const { upserts, tombstones } = await sandbox.sync();
  const known = new Set(old.all.flatMap(({ id, connection_id: connection }) => [id, connection]));
  expect(upserts).toHaveLength(550);
  expect(tombstones).toHaveLength(1);
  expect(upserts.filter(({ id, connection_id: connection }) => known.has(id) || known.has(connection))).toEqual([]);
  for (const { id, type } of old.all.slice(0, 3)) expectProblem(await sandbox.machine.call(`/v1/${type}s/${id}`), 'not_found');
  const [change] = await sandbox.advance(upserts.find(({ status }) => status === 'placed')!.id);
  expect((await sandbox.sync()).upserts).toMatchObject([{ id: change?.resourceId, revision: change?.revision }]);
});

test('the first record is told as a sync from the beginning brings it', async () => {
  const sandbox = await Sandbox.open();
  const { body } = await sandbox.machine.call('/v1/sync');
  const { upserts } = body as Page;
  expect(JSON.parse((await firstRecord(world.em(), sandbox.client.number)) ?? 'null')).toEqual(upserts[0]);
});

test('what the next sync brings is told from where the client’s last one ended, and after another feed from the beginning', async () => {
  const sandbox = await Sandbox.open();
  const nextSync = async () => sandboxNextSync(world.em(), { ...sandbox.by, first: 20 });
  /** Waits for the API, which records what the client has read a moment after its answer. */
  const noted = async (is: (next: NextSync) => boolean): Promise<NextSync> => {
    for (;;) {
      const next = await nextSync();
      if (is(next)) return next;
      await setImmediate();
    }
  };
  await noted(({ fromBeginning, total }) => !fromBeginning && total === 0);

  const changes = await sandbox.advance(null, 3);
  const order = sandbox.one('delivered');
  const { revocationId } = await revokeSandboxShare(world.em(), { ...sandbox.by, resourceId: order.id, connectionId: null });
  const told = await nextSync();
  const { upserts, tombstones } = await sandbox.sync();
  expect(told.total).toBe(upserts.length + tombstones.length);
  expect(told.records[0]).toMatchObject({ kind: 'tombstone', resourceId: order.id, revocationId, status: null, revision: null });
  expect(told.records.slice(1).map(({ resourceId, revision, status }) => ({ id: resourceId, revision, status }))).toEqual(
    upserts.map(({ id, revision, status }) => ({ id, revision, status })).toReversed(),
  );
  expect(upserts).toHaveLength(changes.filter(({ shown }) => shown).length);
  await noted(({ total }) => total === 0);

  await regenerateSandboxCorpus(world.em(), sandbox.by);
  await sandbox.build(2);
  expect(await nextSync()).toMatchObject({ fromBeginning: true, total: 551, tombstones: 1 });
});

test('the revocation that comes with the test data is acknowledged whenever the client likes, one of the simulator within its deadline', async () => {
  const sandbox = await Sandbox.open();
  const [fixture] = await world.fixtures.sql<{ id: string }[]>`select id from revocation where client_number = ${sandbox.client.number}`;
  const order = sandbox.one('delivered');
  const made = await revokeSandboxShare(world.em(), { ...sandbox.by, resourceId: order.id, connectionId: null });
  world.clock.advance(30 * 24 * 60 * 60 * 1000);
  const acknowledge = (id: string) =>
    sandbox.machine.call(`/v1/revocations/${id}/ack`, {
      method: 'POST',
      headers: { 'Idempotency-Key': id },
      body: { deletion_completed: true },
    });
  expectProblem(await acknowledge(made.revocationId), 'acknowledgement_window_closed');
  expect((await acknowledge(fixture?.id ?? '')).status).toBe(200);
  await regenerateSandboxCorpus(world.em(), sandbox.by);
  await sandbox.build(2);
  expectProblem(await acknowledge(fixture?.id ?? ''), 'not_found');
});
