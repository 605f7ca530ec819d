import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { lockFeed } from '../../../../server/domain/feed/lockFeeds.ts';
import { cancelLinkCode } from '../../../../server/domain/sharing/link-code/cancelLinkCode.ts';
import { createLinkCode } from '../../../../server/domain/sharing/link-code/createLinkCode.ts';
import { redeemLinkCode } from '../../../../server/domain/sharing/link-code/redeemLinkCode.ts';
import type { TestClient } from '../../../support/world/Fixtures.ts';
import { refusalOf, SharingCommands } from '../../../support/feed/sharingCommands.ts';
import { openWorld } from '../../../support/world/openWorld.ts';
import type { World } from '../../../support/world/World.ts';

let world: World;
let sharing: SharingCommands;

beforeAll(async () => {
  world = await openWorld({ poolMax: 12 });
  sharing = new SharingCommands(world);
});

afterAll(() => world.close());

const optedIn = async (client: TestClient) =>
  (
    await world.fixtures.sql<
      { choice: boolean }[]
    >`select statistics_opted_in as choice from connection where client_number = ${client.number} order by created_at, id`
  ).map(({ choice }) => choice);

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
  const result = await sharing.participate(client, user, true);
  expect(result).toEqual({ connectionIds: [one.connectionId, two.connectionId].toSorted(), statisticsOptedIn: true });
  expect((await optedIn(client)).filter(Boolean)).toHaveLength(2);
  expect(await optedIn(other)).toEqual([false]);
  expect(await sharing.feed(client)).toEqual(before);
  expect((await sharing.trail(one.connectionId)).at(-1)).toMatchObject({
    action: 'statistics_participation.set',
    details: { optedIn: true },
  });
  await sharing.participate(client, user, true);
  expect(await sharing.trail(one.connectionId)).toHaveLength(2);
  await sharing.participate(client, user, false);
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
    expect(await sharing.participate(client, user, choice)).toEqual({ connectionIds: [connectionId], statisticsOptedIn: choice });
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
  await sharing.participate(client, user, false);
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
  expect(await refusalOf(sharing.participate(client, user, false))).toMatchObject({ code: 'not_found' });
  const { code } = await sharing.code(client, user, keys);
  expect(await sharing.participate(client, user, false)).toEqual({ connectionIds: [], statisticsOptedIn: false });
  await sharing.redeem(client, code);
  expect(await optedIn(client)).toEqual([false]);
});

test('leaving the statistics waits for a redemption under way and holds for its connection', async () => {
  const client = await world.fixtures.client();
  const user = sharing.newUser();
  const { code } = await sharing.code(client, user, { ...(await sharing.track(client, user)), statisticsOptedIn: true });
  const { waited } = await sharing.behind(
    (tx) => redeemLinkCode(tx, { ...sharing.by(client), actor: sharing.backEnd(client), client, code }),
    () => sharing.participate(client, user, false),
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
    () => sharing.participate(client, user, false),
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
      (tx) => lockFeed(tx, client.number),
      () => Promise.all([sharing.redeem(client, code), sharing.participate(client, user, false)]),
    );
  }
  expect(await optedIn(client)).toEqual(Array(5).fill(false));
});

test('participation needs a live share, and an integration with statistics.orders.read; leaving needs no scope', async () => {
  const client = await world.fixtures.client();
  const { user } = await sharing.share(client, { statisticsOptedIn: true });
  expect(await refusalOf(sharing.participate(client, sharing.newUser(), true))).toMatchObject({ code: 'not_found' });
  expect(await refusalOf(sharing.participate({ ...client, integrationId: 'int_unknown' }, user, true))).toMatchObject({
    code: 'not_found',
  });
  await world.fixtures.sql`update client set scopes = '{orders.read}' where number = ${client.number}`;
  expect(await refusalOf(sharing.participate(client, user, true))).toMatchObject({ code: 'invalid_request', paths: ['input.optedIn'] });
  expect(await sharing.participate(client, user, false)).toMatchObject({ statisticsOptedIn: false });
});
