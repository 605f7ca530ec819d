import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { lockFeed } from '../../../server/domain/feed/lockFeeds.ts';
import { userRef } from '../../../server/domain/shared/lookupKeys.ts';
import { cancelLinkCode } from '../../../server/domain/sharing/cancelLinkCode.ts';
import { createLinkCode } from '../../../server/domain/sharing/createLinkCode.ts';
import { eraseUser } from '../../../server/domain/sharing/eraseUser.ts';
import { redeemLinkCode } from '../../../server/domain/sharing/redeemLinkCode.ts';
import { setStatisticsParticipation } from '../../../server/domain/sharing/setStatisticsParticipation.ts';
import { shareCursor, shares } from '../../../server/domain/sharing/shares.ts';
import { publishStatisticsGeneration } from '../../../server/domain/statistics/publishStatisticsGeneration.ts';
import { upsertTrackedResources } from '../../../server/domain/tracking/upsertTrackedResources.ts';
import type { TestClient } from '../../support/fixtures.ts';
import { refusalOf, SharingCommands } from '../../support/sharingCommands.ts';
import { sampleOrder, TrackingWorld } from '../../support/trackingWorld.ts';

let world: TrackingWorld;
let sharing: SharingCommands;

beforeAll(async () => {
  world = await TrackingWorld.open({ poolMax: 12 });
  sharing = new SharingCommands(world);
});

afterAll(() => world.close());

const erase = (user: string) => eraseUser(sharing.em, { ...sharing.by(), user });
const hexOf = (user: string) => userRef(world.lookupKey, 'sandbox', user).toString('hex');

function participate(client: TestClient, user: string, optedIn: boolean) {
  return setStatisticsParticipation(sharing.em, { ...sharing.by(client), integrationId: client.integrationId, user, optedIn });
}

const optedIn = async (client: TestClient) =>
  (
    await world.fixtures.sql<
      { choice: boolean }[]
    >`select statistics_opted_in as choice from connection where client_no = ${client.no} order by created_at, id`
  ).map(({ choice }) => choice);

type PageOptions = { first?: number; after?: string | null; environment?: 'sandbox' | 'production' };

function page(user: string, { first = 100, after = null, environment = 'sandbox' }: PageOptions = {}) {
  return shares(world.orm.em.fork(), { actor: sharing.tooling(environment), lookupKey: world.lookupKey, user, first, after });
}

test('after an erasure no table holds the user’s HMAC, nor anything of the user’s orders', async () => {
  const [one, other] = [await world.fixtures.client(), await world.fixtures.client()];
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
  await publishStatisticsGeneration(sharing.em, { clientNo: one.no, now: sharing.now });
  const hex = hexOf(user);
  const before = await world.everything();
  expect(before.split(hex).length).toBeGreaterThan(6);
  expect(before).toContain(`\\"${hex}\\"`);
  const orders = await Promise.all(keys.orders.map((key) => world.stored({ type: 'order', key })));

  sharing.advance(1000);
  expect(await erase(user)).toEqual({ revokedConnections: 2, deletedOrders: 3 });
  const after = await world.everything();
  expect(after).not.toContain(hex);
  expect(after.toLowerCase()).not.toContain(Buffer.from(hex, 'hex').toString('base64').toLowerCase());
  for (const { id } of orders.map((row) => row!)) {
    expect(await world.fixtures.sql`select 1 from tracked_change where tracked_resource_id = ${id}`).toHaveLength(0);
    expect(await world.fixtures.sql`select 1 from link_code_resource where tracked_resource_id = ${id}`).toHaveLength(0);
  }
  for (const key of keys.orders) expect(await world.stored({ type: 'order', key })).toBeUndefined();
  expect(await world.stored({ type: 'vehicle', key: keys.vehicles[0]! })).toMatchObject({ withdrawnAt: null });

  expect(await sharing.redeem(one, open.code)).toBeNull();
  for (const client of [one, other]) {
    const feed = await sharing.feed(client);
    expect(feed.at(-1)).toMatchObject({ type: null });
    const [live] = await world.fixtures.sql`
      select count(*)::int as count from shared_resource s join connection c on c.id = s.connection_id
       where s.client_no = ${client.no} and s.revocation_id is null and c.revocation_id is not null`;
    expect(live).toEqual({ count: 0 });
  }
  expect((await sharing.events(one)).filter(({ type }) => type === 'connection.revoked')).toHaveLength(2);
  expect((await sharing.trail(first!.connectionId)).at(-1)).toMatchObject({ action: 'connection.revoked', operator: one.operatorId });
});

test('the user’s contributions stay in the published values, so that a generation after the erasure tells nothing of it', async () => {
  const client = await world.fixtures.client();
  const users = Array.from({ length: 20 }, () => sharing.newUser());
  for (const user of users) await sharing.share(client, { user, statisticsOptedIn: true });
  await publishStatisticsGeneration(sharing.em, { clientNo: client.no, now: sharing.now });
  const generations = () =>
    world.fixtures.sql<{ groups: string; basis: string }[]>`
      select groups, basis from statistics_generation where client_no = ${client.no} order by published_at desc`;
  const [before] = await generations();
  await erase(users[0]!);
  const [erased] = await generations();
  expect(erased?.groups).toBe(before?.groups);
  expect(erased?.basis).toHaveLength(before!.basis.length);
  sharing.advance(1000);
  await publishStatisticsGeneration(sharing.em, { clientNo: client.no, now: sharing.now });
  expect((await generations())[0]?.groups).toBe(before?.groups);
});

test('erasing again, or a user that is not known, changes nothing', async () => {
  const client = await world.fixtures.client();
  const { user } = await sharing.share(client);
  await erase(user);
  const before = await world.everything();
  sharing.advance(1000);
  expect(await erase(user)).toEqual({ revokedConnections: 0, deletedOrders: 0 });
  expect(await erase(sharing.newUser())).toEqual({ revokedConnections: 0, deletedOrders: 0 });
  expect(await world.everything()).toBe(before);
  expect(await refusalOf(erase(''))).toMatchObject({ code: 'invalid_request', paths: ['input.user'] });
});

test('an erasure concerns one user in the environment of its token', async () => {
  const client = await world.fixtures.client();
  const production = await world.fixtures.client({ environment: 'production', status: 'active' });
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
  const client = await world.fixtures.client();
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
      participate(client, user, false),
      publishStatisticsGeneration(sharing.em, { clientNo: client.no, now: sharing.now }),
      sharing.revoke(client, connectionId),
    ]);
    for (const each of settled) {
      if (each.status === 'rejected')
        expect(['conflict', 'invalid_request', 'not_found']).toContain((each.reason as { code?: string }).code);
    }
    expect(settled[3]?.status).toBe('fulfilled');
    expect(await world.everything()).not.toContain(hexOf(user));
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
  expect(await world.everything()).not.toContain(hexOf(user));
});

test('a batch waits for an erasure under way, and hands in anew what was erased', async () => {
  const user = sharing.newUser();
  const order = { type: 'order' as const, key: `of-${user}`, version: '1', user, historyComplete: true, data: sampleOrder };
  await world.upsert([order]);
  const upserted = await sharing.behind(
    (tx) => eraseUser(tx, { ...sharing.by(), user }),
    () => world.upsert([order, { ...order, key: `another-of-${user}` }]),
  );
  expect(upserted).toEqual({ waited: true, result: { created: 2, updated: 0, unchanged: 0, ignored: 0 } });
});

test('batches do not wait for each other, nor for an erasure in the other environment', async () => {
  const batch = (user: string) => [
    { type: 'order' as const, key: `of-${user}`, version: '1', user, historyComplete: true, data: sampleOrder },
  ];
  const beside = await sharing.behind(
    (tx) => upsertTrackedResources(tx, { ...sharing.by(), resources: batch(sharing.newUser()) }),
    () => world.upsert(batch(sharing.newUser())),
  );
  expect(beside.waited).toBe(false);
  const elsewhere = await sharing.behind(
    (tx) => eraseUser(tx, { ...sharing.by({ environment: 'production' }), user: sharing.newUser() }),
    () => world.upsert(batch(sharing.newUser())),
  );
  expect(elsewhere.waited).toBe(false);
});

test('participation in statistics holds for all live connections of the user with that integration, and no other', async () => {
  const [client, other] = [await world.fixtures.client(), await world.fixtures.client()];
  const user = sharing.newUser();
  const one = await sharing.share(client, { user });
  const two = await sharing.share(client, { user });
  await sharing.share(client);
  const ended = await sharing.share(client, { user });
  await sharing.share(other, { user });
  await sharing.revoke(client, ended.connectionId);
  const before = await sharing.feed(client);
  const result = await participate(client, user, true);
  expect(result).toEqual({ connectionIds: [one.connectionId, two.connectionId].toSorted(), statisticsOptedIn: true });
  expect((await optedIn(client)).filter(Boolean)).toHaveLength(2);
  expect(await optedIn(other)).toEqual([false]);
  expect(await sharing.feed(client)).toEqual(before);
  expect((await sharing.trail(one.connectionId)).at(-1)).toMatchObject({
    action: 'statistics_participation.set',
    details: { optedIn: true },
  });
  await participate(client, user, true);
  expect(await sharing.trail(one.connectionId)).toHaveLength(2);
  await participate(client, user, false);
  expect((await optedIn(client)).filter(Boolean)).toHaveLength(0);
});

test.each([true, false])(
  'the choice on statistics (%s) holds for what a link code of before makes, and is on record for both',
  async (choice) => {
    const client = await world.fixtures.client();
    const { user, connectionId, orders } = await sharing.share(client, { statisticsOptedIn: !choice });
    const other = await world.fixtures.client();
    const keys = { orders: orders.map(({ key }) => key), statisticsOptedIn: !choice };
    const [code, elsewhere] = [await sharing.code(client, user, keys), await sharing.code(other, user, keys)];
    expect(await participate(client, user, choice)).toEqual({ connectionIds: [connectionId], statisticsOptedIn: choice });
    for (const id of [connectionId, code.id]) {
      expect((await sharing.trail(id)).at(-1)).toMatchObject({ action: 'statistics_participation.set', details: { optedIn: choice } });
    }
    await sharing.redeem(client, code.code);
    await sharing.redeem(other, elsewhere.code);
    expect(await optedIn(client)).toEqual([choice, choice]);
    expect(await optedIn(other)).toEqual([!choice]);
  },
);

test('the choice that comes with a later link holds for the user’s other connections too, and is on record for them', async () => {
  const [client, other] = [await world.fixtures.client(), await world.fixtures.client()];
  const user = sharing.newUser();
  const { connectionId } = await sharing.share(client, { user, statisticsOptedIn: true });
  sharing.advance(1);
  await sharing.share(client, { statisticsOptedIn: true });
  await sharing.share(other, { user, statisticsOptedIn: true });
  sharing.advance(1);
  const before = await sharing.feed(client);
  await sharing.share(client, { user, statisticsOptedIn: false });
  expect(await optedIn(client)).toEqual([false, true, false]);
  expect(await optedIn(other)).toEqual([true]);
  expect((await sharing.feed(client)).slice(0, 2)).toEqual(before);
  expect((await sharing.trail(connectionId)).at(-1)).toMatchObject({ action: 'statistics_participation.set', details: { optedIn: false } });
  sharing.advance(1);
  await sharing.share(client, { user, statisticsOptedIn: true });
  expect(await optedIn(client)).toEqual([true, true, true, true]);
});

test('narrowing a share by the statistics scope ends the user’s part in the integration’s statistics, in live link codes too', async () => {
  const client = await world.fixtures.client();
  const user = sharing.newUser();
  const { connectionId, orders } = await sharing.share(client, { user, statisticsOptedIn: true });
  sharing.advance(1);
  await sharing.share(client, { statisticsOptedIn: true });
  sharing.advance(1);
  const { code } = await sharing.code(client, user, { orders: orders.map(({ key }) => key), statisticsOptedIn: true });
  expect((await sharing.narrow(client, connectionId, { scopes: ['statistics.orders.read'] })).revoked).toEqual([]);
  expect(await optedIn(client)).toEqual([false, true]);
  await sharing.redeem(client, code);
  expect(await optedIn(client)).toEqual([false, true, false]);
});

test('who takes part in statistics, and who had a link code made, is not in the owner’s trail', async () => {
  const client = await world.fixtures.client();
  const { user, connectionId, orders } = await sharing.share(client, { statisticsOptedIn: true });
  const code = await sharing.code(client, user, { orders: orders.map(({ key }) => key) });
  await participate(client, user, false);
  await cancelLinkCode(sharing.em, { ...sharing.by(), linkCodeId: code.id });
  const lines = await world.fixtures.sql`
    select action, operator_id, details from audit_entry where integration_id = ${client.integrationId} order by id`;
  const owners = lines.filter(({ operator_id: operatorId }) => operatorId === client.operatorId);
  expect(owners.map(({ action }) => action as string)).toEqual(['link_code.redeemed']);
  expect(JSON.stringify(owners)).not.toMatch(/optedIn/i);
  expect((await sharing.trail(connectionId)).at(-1)).toMatchObject({ action: 'statistics_participation.set' });
});

test('a user who has a live link code only can leave the statistics; a code that is over is nothing to leave', async () => {
  const client = await world.fixtures.client();
  const user = sharing.newUser();
  const keys = { ...(await sharing.track(client, user)), statisticsOptedIn: true };
  const cancelled = await sharing.code(client, user, keys);
  await cancelLinkCode(sharing.em, { ...sharing.by(), linkCodeId: cancelled.id });
  await sharing.code(client, user, keys);
  sharing.advance(10 * 60_000);
  expect(await refusalOf(participate(client, user, false))).toMatchObject({ code: 'not_found' });
  const { code } = await sharing.code(client, user, keys);
  expect(await participate(client, user, false)).toEqual({ connectionIds: [], statisticsOptedIn: false });
  await sharing.redeem(client, code);
  expect(await optedIn(client)).toEqual([false]);
});

test('leaving the statistics waits for a redemption under way and holds for its connection', async () => {
  const client = await world.fixtures.client();
  const user = sharing.newUser();
  const { code } = await sharing.code(client, user, { ...(await sharing.track(client, user)), statisticsOptedIn: true });
  const { waited } = await sharing.behind(
    (tx) => redeemLinkCode(tx, { ...sharing.by(client), actor: sharing.backEnd(client), client, code }),
    () => participate(client, user, false),
  );
  expect(waited).toBe(true);
  expect(await optedIn(client)).toEqual([false]);
});

test('leaving the statistics waits for a link code that is just being made, and holds for it', async () => {
  const client = await world.fixtures.client();
  const { user, orders } = await sharing.share(client, { statisticsOptedIn: true });
  const input = { integrationId: client.integrationId, user, orders: [orders[0]!.key], vehicles: [], scopes: ['orders.read'] };
  let code = '';
  const { waited } = await sharing.behind(
    async (tx) => ({ code } = await createLinkCode(tx, { ...sharing.by(client), ...input, statisticsOptedIn: true })),
    () => participate(client, user, false),
  );
  expect(waited).toBe(true);
  await sharing.redeem(client, code);
  expect(await optedIn(client)).toEqual([false, false]);
});

test('leaving the statistics and redeeming at the same moment do not deadlock, and the user has left', async () => {
  const client = await world.fixtures.client();
  for (let round = 0; round < 5; round += 1) {
    const user = sharing.newUser();
    const { code } = await sharing.code(client, user, { ...(await sharing.track(client, user)), statisticsOptedIn: true });
    await sharing.behind(
      (tx) => lockFeed(tx, client.no),
      () => Promise.all([sharing.redeem(client, code), participate(client, user, false)]),
    );
  }
  expect(await optedIn(client)).toEqual(Array(5).fill(false));
});

test('participation needs a live share, and an integration with statistics.orders.read; leaving needs no scope', async () => {
  const client = await world.fixtures.client();
  const { user } = await sharing.share(client, { statisticsOptedIn: true });
  expect(await refusalOf(participate(client, sharing.newUser(), true))).toMatchObject({ code: 'not_found' });
  expect(await refusalOf(participate({ ...client, integrationId: 'int_unknown' }, user, true))).toMatchObject({ code: 'not_found' });
  await world.fixtures.sql`update client set scopes = '{orders.read}' where no = ${client.no}`;
  expect(await refusalOf(participate(client, user, true))).toMatchObject({ code: 'invalid_request', paths: ['input.optedIn'] });
  expect(await participate(client, user, false)).toMatchObject({ statisticsOptedIn: false });
});

test('the shares of a user are listed newest first in pages, with what is shared now', async () => {
  const client = await world.fixtures.client();
  const user = sharing.newUser();
  const made = [];
  for (let index = 0; index < 5; index += 1) {
    if (index !== 3) sharing.advance(1000);
    made.push(await sharing.share(client, { user, orders: 2, vehicles: 1, statisticsOptedIn: true }));
  }
  await sharing.revoke(client, made[1]!.connectionId);
  await sharing.revoke(client, made[2]!.connectionId, { type: 'order', key: made[2]!.orders[0]!.key });
  const all = await page(user);
  expect(all).toMatchObject({ hasNextPage: false, totalCount: 5 });
  const byId = new Map(all.items.map((item) => [item.connectionId, item]));
  expect(byId.get(made[0]!.connectionId)).toMatchObject({ integrationId: client.integrationId, statisticsOptedIn: true, revokedAt: null });
  expect(byId.get(made[0]!.connectionId)?.resources).toHaveLength(3);
  expect(byId.get(made[1]!.connectionId)).toMatchObject({ revokedAt: sharing.now, resources: [] });
  expect(
    byId
      .get(made[2]!.connectionId)
      ?.resources.map(({ id }) => id)
      .toSorted(),
  ).toEqual([made[2]!.orders[1]!.id, made[2]!.vehicles[0]!.id].toSorted());
  const times = all.items.map(({ createdAt }) => createdAt.getTime());
  expect(times).toEqual(times.toSorted((one, other) => other - one));

  const paged = [];
  for (let after: string | null = null, more = true; more;) {
    const part = await page(user, { first: 2, after });
    paged.push(...part.items);
    after = shareCursor(part.items.at(-1)!);
    more = part.hasNextPage;
  }
  expect(paged).toEqual(all.items);
  expect(await page(user, { environment: 'production' })).toEqual({ items: [], hasNextPage: false, totalCount: 0 });
  expect(await page(sharing.newUser())).toMatchObject({ totalCount: 0 });
});

test('a page of shares has 1 to 100 items and takes cursors of its own list only', async () => {
  const client = await world.fixtures.client();
  const [one, other] = [await sharing.share(client), await sharing.share(client)];
  for (const first of [0, 101]) expect(await refusalOf(page(one.user, { first }))).toMatchObject({ paths: ['first'] });
  for (const after of ['', 'x', shareCursor(other)]) {
    expect(await refusalOf(page(one.user, { after }))).toMatchObject({ code: 'invalid_request', paths: ['after'] });
  }
  expect(await refusalOf(page(''))).toMatchObject({ paths: ['user'] });
});
