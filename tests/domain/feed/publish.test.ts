import { setTimeout as delay } from 'node:timers/promises';
import { IsolationLevel } from '@mikro-orm/postgresql';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { lockFeed } from '../../../server/domain/feed/lockFeeds.ts';
import { publish } from '../../../server/domain/feed/publish.ts';
import { revokeResource } from '../../../server/domain/sharing/revocation/revokeResource.ts';
import type { UpsertInput } from '../../../server/domain/tracking/judgeUpserts.ts';
import { sampleOrder } from '../../support/world/samples.ts';
import { openWorld } from '../../support/world/openWorld.ts';
import type { World } from '../../support/world/World.ts';
import { Tracking } from '../../support/world/Tracking.ts';

let world: World;
let tracking: Tracking;

beforeAll(async () => {
  world = await openWorld();
  tracking = new Tracking(world);
});

afterAll(() => world.close());

/** Two versions of an order of Anna's, of which the first has been handed in. */
async function orderOfAnna(key: string): Promise<{ order: UpsertInput; changed: UpsertInput }> {
  const order: UpsertInput = { type: 'order', key, version: '1', user: 'anna', historyComplete: true, data: sampleOrder };
  await tracking.upsert([order]);
  return { order, changed: { ...order, version: '2', data: { ...sampleOrder, status: 'built' } } };
}

/** Waits until this many of the database's transactions wait for a lock. */
async function untilWaiting(count: number): Promise<void> {
  for (let tries = 0; tries < 1_000; tries += 1) {
    const [row] = await world.fixtures.sql<{ waiting: number }[]>`
      select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    if (row?.waiting === count) return;
    await delay(4);
  }
  throw new Error(`There were never ${count} transactions waiting.`);
}

test('a share that is revoked while an update waits for its feed is not moved by the update', async () => {
  const { order, changed } = await orderOfAnna('revoked-meanwhile');
  const client = await world.fixtures.listeningClient();
  const { ids } = await tracking.share(client, 'anna', [order]);
  let update: Promise<unknown> | undefined;
  await world.orm.em.fork().transactional(async (tx) => {
    await revokeResource(tx, { clientNumber: client.number, resourceId: ids[0]!, now: new Date() });
    update = tracking.upsert([changed]);
    await untilWaiting(1);
  });
  await update;
  expect(await tracking.shareRow(client, ids[0]!)).toMatchObject({ revision: '1', position: '2' });
  expect(
    await world.fixtures.sql`select 1 from webhook_event where client_number = ${client.number} and type = 'resource.updated'`,
  ).toHaveLength(0);
});

test('a client that loses a scope while an update waits for its feed is not told of what it no longer sees', async () => {
  const { order, changed } = await orderOfAnna('scope-lost-meanwhile');
  const client = await world.fixtures.listeningClient();
  const { ids } = await tracking.share(client, 'anna', [order]);
  let update: Promise<unknown> | undefined;
  await world.fixtures.sql.begin(async (tx) => {
    await tx`select 1 from client where number = ${client.number} for no key update`;
    await tx`update client_feed set epoch = epoch + 1 where client_number = ${client.number}`;
    await tx`update client set scopes = ${['vehicles.read']} where number = ${client.number}`;
    update = tracking.upsert([changed]);
    await untilWaiting(1);
  });
  await update;
  expect(await tracking.shareRow(client, ids[0]!)).toMatchObject({ revision: '1', position: '1' });
});

test('a redemption waits for an update under way, which could not reach the new share', async () => {
  const { order, changed } = await orderOfAnna('granted-during-update');
  const slow = await world.fixtures.listeningClient();
  await tracking.share(slow, 'anna', [order]);
  const redeeming = await world.fixtures.listeningClient();
  const settled: string[] = [];
  let both: Promise<unknown> | undefined;
  await world.orm.em.fork().transactional(async (tx) => {
    // Another writer of a feed that the update has to reach holds it up when its new text is written but not committed.
    await lockFeed(tx, slow.number);
    const update = tracking.upsert([changed]).then(() => settled.push('update'));
    await untilWaiting(1);
    const share = tracking.redeem(redeeming, 'anna', [order], { pinned: false }).then(() => settled.push('redemption'));
    both = Promise.all([update, share]);
    await untilWaiting(2);
    expect(settled).toEqual([]);
  });
  await both;
});

test('an update waits for a redemption under way and then reaches the new share', async () => {
  const { order, changed } = await orderOfAnna('updated-during-grant');
  const client = await world.fixtures.listeningClient();
  let both: Promise<unknown> | undefined;
  await world.orm.em.fork().transactional(async (tx) => {
    await lockFeed(tx, client.number);
    const share = tracking.redeem(client, 'anna', [order]);
    await untilWaiting(1);
    both = Promise.all([share, tracking.upsert([changed])]);
    await untilWaiting(2);
  });
  await both;
  const [share] = await world.fixtures.sql`select revision, position from shared_resource where client_number = ${client.number}`;
  expect(share).toEqual({ revision: '2', position: '2' });
});

test('nothing is published under a snapshot that is older than the locks', async () => {
  for (const isolationLevel of [IsolationLevel.REPEATABLE_READ, IsolationLevel.SERIALIZABLE]) {
    const published = world.orm.em
      .fork()
      .transactional((tx) => publish(tx, [{ trackedResourceId: '1', core: true, shipping: false }], new Date()), { isolationLevel });
    await expect(published).rejects.toThrow('READ COMMITTED');
  }
});
