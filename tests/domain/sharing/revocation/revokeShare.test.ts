import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refusalOf, SharingCommands } from '../../../support/feed/sharingCommands.ts';
import { openWorld } from '../../../support/world/openWorld.ts';
import type { World } from '../../../support/world/World.ts';
import { Tracking } from '../../../support/world/Tracking.ts';
import { revokeConnection } from '../../../../server/domain/sharing/revocation/revokeConnection.ts';
import { revokeResource } from '../../../../server/domain/sharing/revocation/revokeResource.ts';

const day = 24 * 60 * 60_000;
let world: World;
let tracking: Tracking;
let sharing: SharingCommands;

beforeAll(async () => {
  world = await openWorld({ poolMax: 16 });
  tracking = new Tracking(world);
  sharing = new SharingCommands(world);
});

afterAll(() => world.close());

async function revocation(id: string) {
  const [row] = await world.fixtures.sql`
    select subject_type as subject, subject_id as id, connection_id as connection, revoked_at as "revokedAt", deletion_deadline_at as deadline, acknowledged_at as acknowledged
      from revocation where id = ${id}`;
  return row;
}

test('a revoked resource gets a tombstone at the next position, a deadline of seven days, an event and an audit entry', async () => {
  const client = await world.fixtures.listeningClient();
  const { connectionId, orders } = await sharing.share(client, { orders: 3 });
  sharing.advance(1000);
  const [order] = orders;
  const { revocationId, deletionDeadlineAt } = await sharing.revoke(client, connectionId, { type: 'order', key: order!.key });
  expect(deletionDeadlineAt.getTime() - sharing.now.getTime()).toBe(7 * day);
  expect(await revocation(revocationId)).toEqual({
    subject: 'resource',
    id: order!.id,
    connection: connectionId,
    revokedAt: sharing.now,
    deadline: deletionDeadlineAt,
    acknowledged: null,
  });
  const feed = await sharing.feed(client);
  expect(feed).toHaveLength(3);
  expect(feed.at(-1)).toMatchObject({ position: 4, id: order!.id, revocation: revocationId });
  expect((await sharing.events(client)).at(-1)).toEqual({
    type: 'resource.revoked',
    connection: connectionId,
    resource: order!.id,
    revocation: revocationId,
  });
  expect(await sharing.trail(order!.id)).toMatchObject([
    {
      action: 'resource.revoked',
      actor: 'service_token',
      operator: client.operatorId,
      integration: client.integrationId,
      details: { revocationId },
    },
  ]);
});

test('a revoked connection writes one record for each resource not revoked before, its own last, and one event', async () => {
  const client = await world.fixtures.listeningClient();
  const { connectionId, orders, vehicles } = await sharing.share(client, { orders: 3, vehicles: 1 });
  const other = await sharing.share(client);
  const single = await sharing.revoke(client, connectionId, { type: 'vehicle', key: vehicles[0]!.key });
  const eventsBefore = (await sharing.events(client)).length;
  sharing.advance(1000);
  const whole = await sharing.revoke(client, connectionId);
  const feed = await sharing.feed(client);
  expect(feed.map(({ position }) => position)).toEqual([5, 6, 7, 8, 9, 10]);
  expect(feed[0]).toMatchObject({ id: other.orders[0]!.id, revocation: null });
  expect(feed[1]).toMatchObject({ id: vehicles[0]!.id, revocation: single.revocationId });
  expect(feed.slice(2, 5).map(({ id }) => id)).toEqual(orders.map(({ id }) => id).toSorted());
  expect(feed[5]).toMatchObject({ id: connectionId, type: null });
  for (const record of feed.slice(2)) expect(record.revocation).toBe(whole.revocationId);
  const events = await sharing.events(client);
  expect(events).toHaveLength(eventsBefore + 1);
  expect(events.at(-1)).toEqual({ type: 'connection.revoked', connection: connectionId, resource: null, revocation: whole.revocationId });
  expect(await revocation(whole.revocationId)).toMatchObject({
    subject: 'connection',
    id: connectionId,
    deadline: whole.deletionDeadlineAt,
  });
  expect((await sharing.trail(connectionId)).at(-1)).toMatchObject({ action: 'connection.revoked', operator: client.operatorId });
});

test('revoking again answers the first revocation and changes nothing, also for a resource that ended with its connection', async () => {
  const client = await world.fixtures.listeningClient();
  const { connectionId, orders } = await sharing.share(client, { orders: 2 });
  const single = await sharing.revoke(client, connectionId, { type: 'order', key: orders[0]!.key });
  const whole = await sharing.revoke(client, connectionId);
  const [feed, events] = [await sharing.feed(client), await sharing.events(client)];
  sharing.advance(day);
  expect(await sharing.revoke(client, connectionId, { type: 'order', key: orders[0]!.key })).toEqual(single);
  expect(await sharing.revoke(client, connectionId, { type: 'order', key: orders[1]!.key })).toEqual(whole);
  expect(await sharing.revoke(client, connectionId)).toEqual(whole);
  expect(await sharing.feed(client)).toEqual(feed);
  expect(await sharing.events(client)).toEqual(events);
  expect(await sharing.trail(connectionId)).toHaveLength(2);
});

test('revoking the last resource leaves the connection, which can be revoked after it', async () => {
  const client = await world.fixtures.listeningClient();
  const { connectionId, orders } = await sharing.share(client);
  const single = await sharing.revoke(client, connectionId, { type: 'order', key: orders[0]!.key });
  expect(await sharing.feed(client)).toHaveLength(1);
  const whole = await sharing.revoke(client, connectionId);
  expect(await sharing.feed(client)).toMatchObject([
    { position: 2, id: orders[0]!.id, revocation: single.revocationId },
    { position: 3, id: connectionId, revocation: whole.revocationId },
  ]);
});

test('the building blocks answer what is there, and nothing for what another client has', async () => {
  const [client, stranger] = [await world.fixtures.listeningClient(), await world.fixtures.listeningClient()];
  const { connectionId, orders } = await sharing.share(client);
  const resource = (clientNumber: number) =>
    sharing.em.transactional((tx) => revokeResource(tx, { clientNumber, resourceId: orders[0]!.id, now: sharing.now }));
  const connection = (clientNumber: number) =>
    sharing.em.transactional((tx) => revokeConnection(tx, { clientNumber, connectionId, now: sharing.now }));
  expect(await resource(stranger.number)).toBeNull();
  expect(await connection(stranger.number)).toBeNull();
  expect(await resource(client.number)).toMatchObject({ alreadyRevoked: false });
  expect(await resource(client.number)).toMatchObject({ alreadyRevoked: true });
  expect(await connection(client.number)).toMatchObject({ alreadyRevoked: false });
  expect(await connection(client.number)).toMatchObject({ alreadyRevoked: true });
});

test('revocations of one subject that arrive together are one', async () => {
  const client = await world.fixtures.listeningClient();
  for (const whole of [false, true]) {
    const { connectionId, orders } = await sharing.share(client);
    const subject = whole ? null : { type: 'order' as const, key: orders[0]!.key };
    const answers = await Promise.all(Array.from({ length: 10 }, () => sharing.revoke(client, connectionId, subject)));
    expect(new Set(answers.map(({ revocationId }) => revocationId)).size).toBe(1);
    expect(await world.fixtures.sql`select id from revocation where connection_id = ${connectionId}`).toEqual([
      { id: answers[0]!.revocationId },
    ]);
    expect(
      (await sharing.events(client)).filter(({ connection, type }) => connection === connectionId && type.endsWith('.revoked')),
    ).toHaveLength(1);
  }
});

test('a withdrawal leaves a revocation that comes just before it as it is', async () => {
  const client = await world.fixtures.listeningClient();
  const { connectionId, orders } = await sharing.share(client);
  const [order] = orders;
  let first: string | undefined;
  const { waited } = await sharing.behind(
    async (tx) => {
      first = (await revokeResource(tx, { clientNumber: client.number, resourceId: order!.id, now: sharing.now }))?.revocationId;
    },
    () => sharing.withdraw([{ type: 'order', key: order!.key }]),
  );
  expect(waited).toBe(true);
  expect(await sharing.feed(client)).toMatchObject([{ position: 2, id: order!.id, revocation: first }]);
  expect(await world.fixtures.sql`select id from revocation where connection_id = ${connectionId}`).toEqual([{ id: first }]);
});

test('connections of the other environment and resources that were never shared are not found', async () => {
  const client = await world.fixtures.listeningClient();
  const { connectionId, user } = await sharing.share(client);
  const elsewhere = { ...client, environment: 'production' as const };
  expect(await refusalOf(sharing.revoke(elsewhere, connectionId))).toMatchObject({ code: 'not_found' });
  const { orders } = await sharing.track(client, user);
  expect(await refusalOf(sharing.revoke(client, connectionId, { type: 'order', key: orders[0]! }))).toMatchObject({ code: 'not_found' });
  expect(await refusalOf(sharing.revoke(client, connectionId, { type: 'order', key: 'never' }))).toMatchObject({ code: 'not_found' });
});

test('after a revocation that rolls back everything is as before', async () => {
  const client = await world.fixtures.listeningClient();
  const { connectionId } = await sharing.share(client, { orders: 2 });
  const before = [await sharing.feed(client), await sharing.events(client)];
  const failing = sharing.em.transactional(async (tx) => {
    await revokeConnection(tx, { clientNumber: client.number, connectionId, now: sharing.now });
    throw new Error('the process dies here');
  });
  await expect(failing).rejects.toThrow('dies here');
  expect([await sharing.feed(client), await sharing.events(client)]).toEqual(before);
  expect(await world.fixtures.sql`select 1 from revocation where client_number = ${client.number}`).toHaveLength(0);
});

test('withdrawn resources are revoked for every client, and nothing is kept of them that a tombstone does not need', async () => {
  const [one, other] = [await world.fixtures.listeningClient(), await world.fixtures.listeningClient()];
  const user = sharing.newUser();
  const keys = await sharing.track(one, user, { orders: 2, vehicles: 1 });
  const shared = [];
  for (const client of [one, one, other]) shared.push(await sharing.redeem(client, (await sharing.code(client, user, keys)).code));
  const gone = { type: 'order' as const, key: keys.orders[0]! };
  const before = await tracking.stored(gone);
  const result = await sharing.withdraw([
    gone,
    gone,
    { type: 'vehicle', key: keys.vehicles[0]! },
    { type: 'vehicle', key: keys.orders[1]! },
  ]);
  expect(result).toEqual({ withdrawn: 2, unknown: 1 });

  for (const [client, connections] of [
    [one, 2],
    [other, 1],
  ] as const) {
    const feed = await sharing.feed(client);
    expect(feed.filter(({ revocation: id }) => id !== null)).toHaveLength(2 * connections);
    expect(new Set(feed.map((record) => record.revocation)).size).toBe(2 * connections + 1);
    expect(feed.slice(connections).every(({ revocation: id }) => id !== null)).toBe(true);
    const events = (await sharing.events(client)).filter(({ type }) => type === 'resource.revoked');
    expect(events).toHaveLength(2 * connections);
    expect(await sharing.trail(client.id)).toMatchObject([
      { action: 'tracked_resource.withdrawn', operator: client.operatorId, details: { revokedResources: 2 * connections } },
    ]);
  }
  expect(await tracking.stored(gone)).toMatchObject({ core: '{}', shipping: null, version: '1', withdrawnAt: sharing.now });
  expect(await world.fixtures.sql`select 1 from tracked_change where tracked_resource_id = ${before!.id}`).toHaveLength(0);
  // A second withdrawal finds the resource already withdrawn.
  const first = sharing.now;
  sharing.advance(1000);
  expect(await sharing.withdraw([gone])).toEqual({ withdrawn: 1, unknown: 0 });
  expect(await tracking.stored(gone)).toMatchObject({ withdrawnAt: first });
  expect(shared.every((connection) => connection !== null)).toBe(true);
});

test('a withdrawn resource comes back with a newer version, shared with nobody; an older one is still ignored', async () => {
  const client = await world.fixtures.listeningClient();
  const { user, orders, connectionId } = await sharing.share(client);
  const order = { type: 'order' as const, key: orders[0]!.key };
  await sharing.withdraw([order]);
  const data = { status: 'built', model: 'Kestrel', market: 'DE' };
  const upsert = (version: string) => tracking.upsert([{ ...order, version, user, historyComplete: false, data }], { now: sharing.now });
  expect(await upsert('1')).toMatchObject({ ignored: 1 });
  expect(await tracking.stored(order)).toMatchObject({ core: '{}' });
  expect(await upsert('2')).toMatchObject({ updated: 1 });
  expect(await tracking.stored(order)).toMatchObject({ withdrawnAt: null, core: JSON.stringify(data) });
  expect((await sharing.feed(client)).every(({ revocation: id }) => id !== null)).toBe(true);
  const { granted } = await sharing.extend(client, connectionId, { orders: [order.key] });
  expect(granted[0]?.id).not.toBe(orders[0]!.id);
});

test('a batch that breaks a rule withdraws nothing', async () => {
  const client = await world.fixtures.listeningClient();
  const { orders } = await sharing.share(client);
  const order = { type: 'order' as const, key: orders[0]!.key };
  expect(await refusalOf(sharing.withdraw([order, { type: 'order', key: '' }]))).toMatchObject({ paths: ['resources[1].key'] });
  expect(await refusalOf(sharing.withdraw([]))).toMatchObject({ paths: ['resources'] });
  expect(await refusalOf(sharing.withdraw(Array.from({ length: 1001 }, () => order)))).toMatchObject({ paths: ['resources'] });
  expect(await tracking.stored(order)).toMatchObject({ withdrawnAt: null });
});

test('revocations, redemptions, narrowings, extensions, withdrawals and updates together neither deadlock nor leave a gap', async () => {
  const clients = [await world.fixtures.listeningClient(), await world.fixtures.listeningClient()];
  for (let round = 0; round < 8; round += 1) {
    const user = sharing.newUser();
    const keys = await sharing.track(clients[0]!, user, { orders: 6, vehicles: 2 });
    const connections = [];
    for (const client of [...clients, ...clients]) {
      const redeemed = await sharing.redeem(client, (await sharing.code(client, user, keys)).code);
      connections.push({ client, id: redeemed!.connectionId });
    }
    const codes = await Promise.all(clients.map((client) => sharing.code(client, user, keys)));
    const data = { status: 'built', model: `Round ${round}`, market: 'DE' };
    const batch = keys.orders.map((key) => ({ type: 'order' as const, key, version: '2', user, historyComplete: true, data }));
    const [one, two, three, four] = connections;
    const settled = await Promise.allSettled([
      ...clients.map((client, index) => sharing.redeem(client, codes[index]!.code)),
      ...connections.map(({ client, id }, index) => sharing.revoke(client, id, { type: 'order', key: keys.orders[index]! })),
      sharing.revoke(one!.client, one!.id),
      sharing.narrow(two!.client, two!.id, { scopes: ['shipping.read'], orders: [keys.orders[5]!] }),
      sharing.narrow(three!.client, three!.id, { scopes: ['vehicles.read'] }),
      sharing.extend(four!.client, four!.id, { orders: keys.orders }),
      tracking.upsert(batch, { now: sharing.now }),
      tracking.upsert(
        batch.toReversed().map((upsert) => ({ ...upsert, version: '3' })),
        { now: sharing.now },
      ),
      sharing.withdraw([
        { type: 'vehicle', key: keys.vehicles[1]! },
        { type: 'order', key: keys.orders[4]! },
      ]),
    ]);
    // Commands that come after the withdrawal or the revocation are refused by code; none of them is broken off by the database.
    for (const each of settled) {
      if (each.status === 'rejected') expect(['conflict', 'invalid_request']).toContain((each.reason as { code?: string }).code);
    }
    for (const client of clients) {
      const feed = await sharing.feed(client);
      const [head] = await world.fixtures.sql<
        { head: number }[]
      >`select head::int as head from client_feed where client_number = ${client.number}`;
      expect(new Set(feed.map(({ position }) => position)).size).toBe(feed.length);
      expect(Math.max(...feed.map(({ position }) => position))).toBe(head?.head);
    }
    const [withdrawn] = await world.fixtures.sql`
      select count(*)::int as live from shared_resource s join tracked_resource t on t.id = s.tracked_resource_id
       where s.revocation_id is null and t.withdrawn_at is not null`;
    expect(withdrawn).toEqual({ live: 0 });
  }
}, 60_000);
