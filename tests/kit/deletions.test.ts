import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AcknowledgedRevocation } from '../../kit/src/index.ts';
import { Sharing } from '../support/feed/sharing.ts';
import { kitClient } from '../support/kit/kitClient.ts';
import { kitStores, openKitFeed, type KitStore } from '../support/kit/kitFeeds.ts';
import { openWorld, type MachineWorld } from '../support/world/openWorld.ts';

const day = 24 * 60 * 60 * 1000;

let world: MachineWorld;
let sharing: Sharing;
beforeAll(async () => {
  world = await openWorld({ machine: true });
  sharing = new Sharing(world);
});
afterAll(() => world.close());

async function operator(store: KitStore) {
  const { client, certificate } = await world.backEnd();
  await world.fixtures.override(client, 'requests_per_minute', 1_000);
  const kit = (await kitClient(world, certificate)).client;
  const { feed } = await openKitFeed(world, store);
  const acknowledged = async () =>
    (
      await world.rows<{ id: string }>(
        'select id from revocation where client_number = $1 and acknowledged_at is not null order by acknowledged_at',
        [client.number],
      )
    ).map(({ id }) => id);
  return { client, kit, feed, acknowledged };
}

describe.each(kitStores)('deletions in %s', (store) => {
  test('are due once all their tombstones are applied, and acknowledged once they are marked, the earliest deadline first', async () => {
    const { client, kit, feed, acknowledged } = await operator(store);
    const first = await sharing.share(client, { orders: 3 });
    const second = await sharing.share(client, { orders: 1, vehicles: 1 });
    await kit.sync(feed);
    const whole = await sharing.revokeConnection(client, first.connectionId);
    world.clock.advance(1_000);
    const single = await sharing.revokeResource(client, second.orders[0] ?? '');

    // Two pages bring the tombstones of the resources, and not yet that of their connection.
    let pages = 0;
    const controller = new AbortController();
    const progress = () => void ((pages += 1) === 1 && controller.abort());
    await expect(kit.sync(feed, { pageSize: 3, signal: controller.signal, progress })).rejects.toThrow(/abort/);
    expect(await feed.dueDeletions()).toEqual([]);
    await expect((async () => feed.markDeleted({ revocationId: whole }))()).rejects.toThrow('Not every tombstone');
    expect(await kit.acknowledgeDeletions(feed)).toEqual([]);

    await kit.sync(feed);
    const due = await feed.dueDeletions();
    expect(due.map(({ revocationId }) => revocationId)).toEqual([whole, single]);
    expect(due.map(({ ids }) => ids.toSorted())).toEqual([first.orders.toSorted(), second.orders]);
    expect(due[0]).toMatchObject({ subject: { type: 'connection', id: first.connectionId }, connectionId: first.connectionId });
    expect(await acknowledged()).toEqual([]);

    for (const deletion of due.toReversed()) await feed.markDeleted(deletion);
    expect(await feed.dueDeletions()).toEqual([]);
    const stated = await kit.acknowledgeDeletions(feed);
    expect(stated.map(({ revocationId }) => revocationId)).toEqual([whole, single]);
    expect(await acknowledged()).toEqual([whole, single]);
    expect(await kit.acknowledgeDeletions(feed)).toEqual([]);

    // A recovery sync brings the tombstones once more, and asks for nothing again.
    await kit.sync(feed, { recover: true });
    expect(await feed.dueDeletions()).toEqual([]);
  });

  test('keep their key when the answer is lost, so the second attempt gets the first one’s', async () => {
    const { client, kit, feed } = await operator(store);
    const { orders } = await sharing.share(client);
    await kit.sync(feed);
    const revocationId = await sharing.revokeResource(client, orders[0] ?? '');
    await kit.sync(feed);
    await feed.markDeleted({ revocationId });
    const lost: AcknowledgedRevocation[] = [];
    const losing = {
      acknowledge: async (...parameters: Parameters<typeof kit.acknowledge>) => {
        lost.push(await kit.acknowledge(...parameters));
        throw new Error('The answer is lost.');
      },
    };
    const { acknowledgeDeletions } = await import('../../kit/src/sync/acknowledgeDeletions.ts');
    await expect(acknowledgeDeletions(losing, feed, {})).rejects.toThrow('The answer is lost.');
    world.clock.advance(day);
    expect(await kit.acknowledgeDeletions(feed)).toEqual([{ revocationId, acknowledgedAt: lost[0]?.acknowledged_at }]);
    const keys = await world.rows<{ key: string }>('select key from acknowledgement_key where client_number = $1', [client.number]);
    expect(keys).toHaveLength(1);
  });

  test('that the service takes no acknowledgement for any more are kept, with the code that says why', async () => {
    const { client, kit, feed } = await operator(store);
    const { orders } = await sharing.share(client, { orders: 2 });
    await kit.sync(feed);
    const late = await sharing.revokeResource(client, orders[0] ?? '');
    await kit.sync(feed);
    world.clock.advance(6 * day);
    const inTime = await sharing.revokeResource(client, orders[1] ?? '');
    await kit.sync(feed);
    world.clock.advance(2 * day);
    for (const deletion of await feed.dueDeletions()) await feed.markDeleted(deletion);
    expect((await kit.acknowledgeDeletions(feed)).map(({ revocationId }) => revocationId)).toEqual([inTime]);
    expect(await feed.refusedDeletions()).toMatchObject([
      { revocationId: late, refusedBy: 'acknowledgement_window_closed', deleted: true },
    ]);
    expect(await kit.acknowledgeDeletions(feed)).toEqual([]);
    world.clock.reset();
  });
});
