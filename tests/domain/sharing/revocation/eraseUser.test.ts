import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { userRef } from '../../../../server/domain/shared/lookupKeys.ts';
import { eraseUser } from '../../../../server/domain/sharing/revocation/eraseUser.ts';
import { publishStatisticsGeneration } from '../../../../server/domain/statistics/publishStatisticsGeneration.ts';
import { upsertTrackedResources } from '../../../../server/domain/tracking/upsertTrackedResources.ts';
import { refusalOf, SharingCommands } from '../../../support/feed/sharingCommands.ts';
import { sampleOrder } from '../../../support/world/samples.ts';
import { openWorld } from '../../../support/world/openWorld.ts';
import type { World } from '../../../support/world/World.ts';
import { Tracking } from '../../../support/world/Tracking.ts';

let world: World;
let tracking: Tracking;
let sharing: SharingCommands;

beforeAll(async () => {
  world = await openWorld({ poolMax: 12 });
  tracking = new Tracking(world);
  sharing = new SharingCommands(world);
});

afterAll(() => world.close());

const erase = (user: string) => eraseUser(sharing.em, { ...sharing.by(), user });
const hexOf = (user: string) => userRef(tracking.lookupKeys, 'sandbox', user).toString('hex');

test('after an erasure no table holds the user’s HMAC, nor anything of the user’s orders', async () => {
  const [one, other] = [await world.fixtures.listeningClient(), await world.fixtures.client()];
  const user = sharing.newUser();
  const keys = await sharing.track(one, user, { orders: 3, vehicles: 1 });
  const first = await sharing.redeem(one, (await sharing.code(one, user, { ...keys, statisticsOptedIn: true })).code);
  await sharing.redeem(other, (await sharing.code(other, user, { ...keys, statisticsOptedIn: true })).code);
  const ended = await sharing.redeem(one, (await sharing.code(one, user, { ...keys, statisticsOptedIn: true })).code);
  await sharing.revoke(one, ended!.connectionId);
  const open = await sharing.code(one, user, keys);
  await sharing.withdraw([{ type: 'order', key: keys.orders[2]! }]);
  // Enough users for one group, so that the basis of the statistics names the user.
  for (let index = 0; index < 20; index += 1) await sharing.share(one, { statisticsOptedIn: true });
  await publishStatisticsGeneration(sharing.em, { clientNumber: one.number, now: sharing.now });
  const hex = hexOf(user);
  const before = await tracking.everything();
  expect(before.split(hex).length).toBeGreaterThan(6);
  expect(before).toContain(`\\"${hex}\\"`);
  const orders = await Promise.all(keys.orders.map((key) => tracking.stored({ type: 'order', key })));

  sharing.advance(1000);
  expect(await erase(user)).toEqual({ revokedConnections: 2, deletedOrders: 3 });
  const after = await tracking.everything();
  expect(after).not.toContain(hex);
  expect(after.toLowerCase()).not.toContain(Buffer.from(hex, 'hex').toString('base64').toLowerCase());
  for (const { id } of orders.map((row) => row!)) {
    expect(await world.fixtures.sql`select 1 from tracked_change where tracked_resource_id = ${id}`).toHaveLength(0);
    expect(await world.fixtures.sql`select 1 from link_code_resource where tracked_resource_id = ${id}`).toHaveLength(0);
  }
  for (const key of keys.orders) expect(await tracking.stored({ type: 'order', key })).toBeUndefined();
  expect(await tracking.stored({ type: 'vehicle', key: keys.vehicles[0]! })).toMatchObject({ withdrawnAt: null });

  expect(await sharing.redeem(one, open.code)).toBeNull();
  for (const client of [one, other]) {
    const feed = await sharing.feed(client);
    expect(feed.at(-1)).toMatchObject({ type: null });
    const [live] = await world.fixtures.sql`
      select count(*)::int as count from shared_resource s join connection c on c.id = s.connection_id
       where s.client_number = ${client.number} and s.revocation_id is null and c.revocation_id is not null`;
    expect(live).toEqual({ count: 0 });
  }
  expect((await sharing.events(one)).filter(({ type }) => type === 'connection.revoked')).toHaveLength(2);
  expect((await sharing.trail(first!.connectionId)).at(-1)).toMatchObject({ action: 'connection.revoked', operator: one.operatorId });
});

test('the user’s contributions stay in the published values, so that a generation after the erasure tells nothing of it', async () => {
  const client = await world.fixtures.listeningClient();
  const users = Array.from({ length: 20 }, () => sharing.newUser());
  for (const user of users) await sharing.share(client, { user, statisticsOptedIn: true });
  await publishStatisticsGeneration(sharing.em, { clientNumber: client.number, now: sharing.now });
  const generations = () =>
    world.fixtures.sql<{ groups: string; basis: string }[]>`
      select groups, basis from statistics_generation where client_number = ${client.number} order by published_at desc`;
  const [before] = await generations();
  await erase(users[0]!);
  const [erased] = await generations();
  expect(erased?.groups).toBe(before?.groups);
  expect(erased?.basis).toHaveLength(before!.basis.length);
  sharing.advance(1000);
  await publishStatisticsGeneration(sharing.em, { clientNumber: client.number, now: sharing.now });
  expect((await generations())[0]?.groups).toBe(before?.groups);
});

test('erasing again, or a user that is not known, changes nothing', async () => {
  const client = await world.fixtures.listeningClient();
  const { user } = await sharing.share(client);
  await erase(user);
  const before = await tracking.everything();
  sharing.advance(1000);
  expect(await erase(user)).toEqual({ revokedConnections: 0, deletedOrders: 0 });
  expect(await erase(sharing.newUser())).toEqual({ revokedConnections: 0, deletedOrders: 0 });
  expect(await tracking.everything()).toBe(before);
  expect(await refusalOf(erase(''))).toMatchObject({ code: 'invalid_request', paths: ['input.user'] });
});

test('an erasure concerns one user in the environment of its token', async () => {
  const client = await world.fixtures.listeningClient();
  const production = await world.fixtures.listeningClient({ environment: 'production', status: 'active' });
  await sharing.openGates(production);
  const user = sharing.newUser();
  const mine = await sharing.share(client, { user });
  const others = await sharing.share(client);
  const elsewhere = await sharing.share(production, { user });
  await erase(user);
  const live = await world.fixtures.sql<{ id: string }[]>`select id from connection where revocation_id is null`;
  const ids = live.map(({ id }) => id);
  expect(ids).toContain(others.connectionId);
  expect(ids).toContain(elsewhere.connectionId);
  expect(ids).not.toContain(mine.connectionId);
  await world.fixtures.sql`update service_gate set production_data_enabled = false`;
});

test('erasures and whatever the user does at the same moment leave no trace and do not deadlock', async () => {
  const client = await world.fixtures.listeningClient();
  for (let round = 0; round < 10; round += 1) {
    const user = sharing.newUser();
    const { connectionId, orders } = await sharing.share(client, { user, orders: 3, statisticsOptedIn: true });
    const keys = { orders: orders.map(({ key }) => key) };
    const more = await sharing.track(client, user, { orders: 0, vehicles: 1 });
    const open = await sharing.code(client, user, keys);
    const settled = await Promise.allSettled([
      sharing.redeem(client, open.code),
      sharing.code(client, user, keys),
      sharing.code(client, user, keys),
      erase(user),
      sharing.extend(client, connectionId, more),
      sharing.narrow(client, connectionId, { scopes: ['shipping.read'] }),
      sharing.participate(client, user, false),
      publishStatisticsGeneration(sharing.em, { clientNumber: client.number, now: sharing.now }),
      sharing.revoke(client, connectionId),
    ]);
    for (const each of settled) {
      if (each.status === 'rejected')
        expect(['conflict', 'invalid_request', 'not_found']).toContain((each.reason as { code?: string }).code);
    }
    expect(settled[3]?.status).toBe('fulfilled');
    expect(await tracking.everything()).not.toContain(hexOf(user));
  }
}, 60_000);

test('an erasure waits for a batch under way, so that an order which is just handed in does not survive it', async () => {
  const user = sharing.newUser();
  const order = { type: 'order' as const, key: `of-${user}`, version: '1', user, historyComplete: true, data: sampleOrder };
  const batch = { ...sharing.by(), resources: [order] };
  const erased = await sharing.behind(
    (tx) => upsertTrackedResources(tx, batch),
    () => erase(user),
  );
  expect(erased).toEqual({ waited: true, result: { revokedConnections: 0, deletedOrders: 1 } });
  expect(await tracking.everything()).not.toContain(hexOf(user));
});

test('a batch waits for an erasure under way, and then hands in again what was erased', async () => {
  const user = sharing.newUser();
  const order = { type: 'order' as const, key: `of-${user}`, version: '1', user, historyComplete: true, data: sampleOrder };
  await tracking.upsert([order]);
  const upserted = await sharing.behind(
    (tx) => eraseUser(tx, { ...sharing.by(), user }),
    () => tracking.upsert([order, { ...order, key: `another-of-${user}` }]),
  );
  expect(upserted).toEqual({ waited: true, result: { created: 2, updated: 0, unchanged: 0, ignored: 0 } });
});

test('batches do not wait for each other, nor for an erasure in the other environment', async () => {
  const batch = (user: string) => [
    { type: 'order' as const, key: `of-${user}`, version: '1', user, historyComplete: true, data: sampleOrder },
  ];
  const beside = await sharing.behind(
    (tx) => upsertTrackedResources(tx, { ...sharing.by(), resources: batch(sharing.newUser()) }),
    () => tracking.upsert(batch(sharing.newUser())),
  );
  expect(beside.waited).toBe(false);
  const elsewhere = await sharing.behind(
    (tx) => eraseUser(tx, { ...sharing.by({ environment: 'production' }), user: sharing.newUser() }),
    () => tracking.upsert(batch(sharing.newUser())),
  );
  expect(elsewhere.waited).toBe(false);
});
