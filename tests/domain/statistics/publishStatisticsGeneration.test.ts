import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Orm } from '../../../server/database/orm.ts';
import { allScopes, type Scope } from '../../../server/domain/shared/scopes.ts';
import { sql } from '../../../server/domain/shared/sql.ts';
import { publishStatisticsGeneration } from '../../../server/domain/statistics/publishStatisticsGeneration.ts';
import { statisticsRowsSql } from '../../../server/domain/statistics/publishStatisticsGeneration.sql.ts';
import type { Fixtures } from '../../support/world/Fixtures.ts';
import { storeGeneration } from '../../../server/domain/statistics/storeGeneration.ts';
import { StatisticsUsers, type TestOrder } from '../../support/world/StatisticsUsers.ts';
import { openWorld } from '../../support/world/openWorld.ts';
import type { World } from '../../support/world/World.ts';

const now = new Date('2026-11-21T10:00:00.250Z');
let world: World;
let orm: Orm;
let fixtures: Fixtures;

beforeAll(async () => {
  world = await openWorld({ poolMax: 8 });
  ({ orm, fixtures } = world);
});
afterAll(() => world.close());

async function usersOf(count = 0, order: TestOrder = {}, scopes: readonly Scope[] = allScopes): Promise<StatisticsUsers> {
  const users = new StatisticsUsers(
    () => orm.em.fork(),
    await fixtures.listeningClient({ scopes, environment: 'production', status: 'active' }),
  );
  for (let user = 0; user < count; user += 1) await users.join(user, order);
  return users;
}

const publish = ({ client }: StatisticsUsers, at = now) =>
  publishStatisticsGeneration(orm.em.fork(), { clientNumber: client.number, now: at });
const groupsOf = async (users: StatisticsUsers) => (await users.generations())[0]?.groups;
const group = { market: 'DE', model: 'Kestrel', status: 'placed' };

describe('what counts', () => {
  test('twenty users make a group, nineteen do not', async () => {
    const [few, enough] = [await usersOf(19), await usersOf(20)];
    await publish(few);
    await publish(enough);
    expect(await groupsOf(few)).toEqual([]);
    expect(await groupsOf(enough)).toEqual([{ ...group, count: 20 }]);
  });

  test('an order counts once per user, however often it is shared; two orders of a user count twice', async () => {
    const users = await usersOf(20);
    const [order] = await users.orders(0);
    const [another] = await users.orders(1);
    await users.share(await users.join(0), order ?? '');
    await users.share(await users.join(20, { model: 'Other' }), another ?? '');
    await publish(users);
    // 20 first orders, the second order of user 0, and the order that user 20 shares as well as user 1.
    expect(await groupsOf(users)).toEqual([{ ...group, count: 22 }]);
  });

  test.each<[string, (users: StatisticsUsers) => Promise<unknown>]>([
    ['who never opted in', (users) => users.join(19, {}, { optedIn: false })],
    ['who withdrew participation', async (users) => (await users.join(19), users.setParticipation(19, false))],
    ['who revoked', async (users) => (await users.join(19), users.leave(19))],
    ['whose order is older than the period', (users) => users.join(19, { orderedOn: '2021-12-31' })],
  ])('a user %s does not count', async (_, join) => {
    const users = await usersOf(19);
    await join(users);
    await publish(users);
    expect(await groupsOf(users)).toEqual([]);
  });

  test('another client’s users never count', async () => {
    const users = await usersOf(19);
    await usersOf(5);
    await publish(users);
    expect(await groupsOf(users)).toEqual([]);
  });

  test('medians come from the dates of order, completion and the change that delivered', async () => {
    const users = await usersOf(20, { status: 'delivered', orderedOn: '2026-01-01', builtOn: '2026-01-11', deliveredOn: '2026-02-01' });
    await publish(users);
    expect(await groupsOf(users)).toEqual([
      { ...group, status: 'delivered', count: 20, median_days_ordered_to_built: 10, median_days_built_to_delivered: 21 },
    ]);
  });

  test('an order that is no longer delivered has no day of delivery, nor has one whose tracking began after it', async () => {
    const order = { status: 'delivered', builtOn: '2026-01-11', deliveredOn: '2026-02-01' };
    const users = await usersOf(2, order);
    await users.change(0, { status: 'at_delivery_centre' });
    await sql(
      orm.em.fork(),
      `with t as (update tracked_resource set history_complete = false where id = any($1::bigint[]))
       update tracked_change set changes = '[{"path":"status","to":"delivered"}]' where tracked_resource_id = any($1::bigint[])`,
      [await users.orders(1)],
    );
    const rows = await sql<{ deliveredOn: string | null }>(orm.em.fork(), statisticsRowsSql, [users.client.number, '2022-01-01']);
    expect(rows.map((row) => row.deliveredOn)).toEqual([null, null]);
  });
});

describe('a publication', () => {
  test('does not happen for a client without statistics.orders.read', async () => {
    const users = await usersOf(20, {}, ['orders.read']);
    expect(await publish(users)).toBeNull();
    expect(await users.generations()).toEqual([]);
  });

  test('without any group still counts, and each has its event', async () => {
    const users = await usersOf();
    const published = await publish(users);
    expect(await users.generations()).toEqual([{ id: published?.generationId, groups: [], basis: {} }]);
    const events = await fixtures.sql`select type, generation_id from webhook_event where client_number = ${users.client.number}`;
    expect([...events]).toEqual([{ type: 'statistics.updated', generation_id: published?.generationId }]);
  });

  test('forgets what the former one was computed from', async () => {
    const users = await usersOf(20);
    await publish(users);
    await publish(users);
    const [latest, former] = await users.generations();
    const keys = Array.from({ length: 20 }, (_, user) => users.ref(user).toString('hex')).sort();
    const [count] = Object.values(latest?.basis ?? {});
    expect([count?.shown, count?.latest].map((each) => Object.keys(each ?? {}).sort())).toEqual([keys, keys]);
    expect(former).toMatchObject({ groups: [{ ...group, count: 20 }], basis: {} });
  });

  test('rolled back with its caller leaves nothing', async () => {
    const users = await usersOf(20);
    const failing = orm.em.fork().transactional(async (tx) => {
      await publishStatisticsGeneration(tx, { clientNumber: users.client.number, now });
      throw new Error('later');
    });
    await expect(failing).rejects.toThrow('later');
    expect(await users.generations()).toEqual([]);
  });

  test('eight at the same moment follow one another', async () => {
    const users = await usersOf(20);
    const ids = await Promise.all(Array.from({ length: 8 }, () => publish(users)));
    const generations = await users.generations();
    expect(generations.map((generation) => generation.id).sort()).toEqual(ids.map((each) => each?.generationId).sort());
    expect(new Set(generations.map((generation) => JSON.stringify(generation.groups))).size).toBe(1);
    expect(generations.filter((generation) => Object.keys(generation.basis).length > 0)).toHaveLength(1);
  });

  test('larger than 2 MiB is refused and the former one stays', async () => {
    const users = await usersOf(20);
    const published = await publish(users);
    const groups = Array.from({ length: 40_000 }, (_, n) => ({ ...group, model: `Model ${n}`, status: 'placed' as const, count: 20 }));
    const store = orm.em
      .fork()
      .transactional((tx) => storeGeneration(tx, { clientNumber: users.client.number, statistics: { groups, basis: {} }, now }));
    await expect(store).rejects.toMatchObject({ code: 'conflict' });
    expect((await users.generations()).map((generation) => generation.id)).toEqual([published?.generationId]);
  });
});

describe('after a publication', () => {
  const orders: Record<string, TestOrder> = {
    placed: {},
    built: { status: 'built', builtOn: '2026-03-01' },
    delivered: { status: 'delivered', builtOn: '2026-03-01', deliveredOn: '2026-04-01' },
  };
  const kinds = Object.keys(orders);

  /** 25 users in each of three groups, 12 in a fourth that does not appear. */
  async function sharers(): Promise<StatisticsUsers> {
    const users = await usersOf();
    for (let user = 0; user < 75; user += 1) await users.join(user, orders[kinds[user % 3] ?? '']);
    for (let user = 75; user < 87; user += 1) await users.join(user, { model: 'Rare' });
    await publish(users);
    expect(await groupsOf(users)).toHaveLength(3);
    return users;
  }

  const changes: [string, (users: StatisticsUsers, user: number) => Promise<unknown>][] = [
    ['joins', (users, user) => users.join(1_000 + user, orders[kinds[user % 3] ?? ''])],
    ['orders once more', (users, user) => users.join(user, orders[kinds[user % 3] ?? ''])],
    ['leaves', (users, user) => users.leave(user)],
    ['withdraws participation', (users, user) => users.setParticipation(user, false)],
    ['is erased', (users, user) => users.erase(user)],
    ['has other dates', (users, user) => users.change(user, { ordered_on: '2022-02-02', production: { completed_on: '2026-10-10' } })],
    ['reaches another status', (users, user) => users.change(user, { status: kinds[(user + 1) % 3] })],
  ];

  test.each(changes)('no count and no median alters when any one user %s', async (_, change) => {
    const users = await sharers();
    const before = await groupsOf(users);
    // Each time, another user changes: 20 in all, so that even their changes together stay hidden.
    for (let user = 0; user < 20; user += 1) {
      await change(users, user);
      await publish(users);
      expect(await groupsOf(users)).toEqual(before);
    }
  });

  test('when nineteen users leave together nothing shows, when twenty do it does', async () => {
    const users = await usersOf(45);
    await publish(users);
    for (let user = 0; user < 19; user += 1) await users.leave(user);
    await publish(users);
    expect(await groupsOf(users)).toEqual([{ ...group, count: 45 }]);
    for (let user = 19; user < 39; user += 1) await users.leave(user);
    await publish(users);
    expect(await groupsOf(users)).toEqual([]);
  });

  test('small steps add up to the value of all of them, and a step taken back counts for nothing', async () => {
    const users = await usersOf(30);
    await publish(users);
    for (let user = 30; user < 49; user += 1) {
      await users.join(user);
      await publish(users);
    }
    await users.setParticipation(48, false);
    await publish(users);
    await users.setParticipation(48, true);
    await publish(users);
    expect(await groupsOf(users)).toEqual([{ ...group, count: 30 }]);
    await users.join(49);
    await publish(users);
    expect(await groupsOf(users)).toEqual([{ ...group, count: 30 }]);
    await publish(users);
    expect(await groupsOf(users)).toEqual([{ ...group, count: 50 }]);
  });

  test('a group whose users leave stays until twenty have left, then it is gone', async () => {
    const users = await usersOf(25);
    await publish(users);
    for (let user = 0; user < 19; user += 1) await users.leave(user);
    await publish(users);
    expect(await groupsOf(users)).toEqual([{ ...group, count: 25 }]);
    await users.leave(19);
    await publish(users);
    await publish(users);
    expect(await groupsOf(users)).toEqual([]);
    // What was last shown is kept, so that the group's return is compared with it.
    expect(Object.values((await users.generations())[0]?.basis ?? {}).map(({ shown }) => Object.keys(shown).length)).toEqual([25]);
  });
});
