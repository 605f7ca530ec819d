import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { shares } from '../../../server/domain/sharing/shares.ts';
import { refusalOf, SharingCommands } from '../../support/feed/sharingCommands.ts';
import { openWorld } from '../../support/world/openWorld.ts';
import type { World } from '../../support/world/World.ts';
import { Tracking } from '../../support/world/Tracking.ts';
import { itemsOf } from '../../support/clients/pages.ts';

let world: World;
let tracking: Tracking;
let sharing: SharingCommands;

beforeAll(async () => {
  world = await openWorld({ poolMax: 12 });
  tracking = new Tracking(world);
  sharing = new SharingCommands(world);
});

afterAll(() => world.close());

type PageOptions = { first?: number; after?: string | null; environment?: 'sandbox' | 'production' };

function page(user: string, { first = 100, after = null, environment = 'sandbox' }: PageOptions = {}) {
  return shares(world.orm.em.fork(), { actor: sharing.tooling(environment), lookupKeys: tracking.lookupKeys, user, first, after });
}

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
  expect(all).toMatchObject({ pageInfo: { hasNextPage: false }, totalCount: 5 });
  const byId = new Map(itemsOf(all).map((item) => [item.connectionId, item]));
  expect(byId.get(made[0]!.connectionId)).toMatchObject({ integrationId: client.integrationId, statisticsOptedIn: true, revokedAt: null });
  expect(byId.get(made[0]!.connectionId)?.resources).toHaveLength(3);
  expect(byId.get(made[1]!.connectionId)).toMatchObject({ revokedAt: sharing.now, resources: [] });
  expect(
    byId
      .get(made[2]!.connectionId)
      ?.resources.map(({ id }) => id)
      .toSorted(),
  ).toEqual([made[2]!.orders[1]!.id, made[2]!.vehicles[0]!.id].toSorted());
  const times = itemsOf(all).map(({ createdAt }) => createdAt.getTime());
  expect(times).toEqual(times.toSorted((one, other) => other - one));

  const paged = [];
  for (let after: string | null = null, more = true; more;) {
    const part = await page(user, { first: 2, after });
    paged.push(...itemsOf(part));
    after = part.pageInfo.endCursor;
    more = part.pageInfo.hasNextPage;
  }
  expect(paged).toEqual(itemsOf(all));
  expect(await page(user, { environment: 'production' })).toEqual({
    edges: [],
    pageInfo: { hasNextPage: false, endCursor: null },
    totalCount: 0,
  });
  expect(await page(sharing.newUser())).toMatchObject({ totalCount: 0 });
});

test('a page of shares has 1 to 100 items and takes cursors of its own list only', async () => {
  const client = await world.fixtures.client();
  const [one, other] = [await sharing.share(client), await sharing.share(client)];
  for (const first of [0, 101]) expect(await refusalOf(page(one.user, { first }))).toMatchObject({ paths: ['first'] });
  const { endCursor } = (await page(other.user)).pageInfo;
  for (const after of ['', 'x', endCursor]) {
    expect(await refusalOf(page(one.user, { after }))).toMatchObject({ code: 'invalid_request', paths: ['after'] });
  }
  expect(await refusalOf(page(''))).toMatchObject({ paths: ['user'] });
});
