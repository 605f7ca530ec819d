import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { publish } from '../../../../server/domain/feed/publish.ts';
import { factsOf, statusesThat } from '../../../../server/domain/integration/integrationStatus.ts';
import { userRef } from '../../../../server/domain/shared/lookupKeys.ts';
import { allScopes, scopeBits } from '../../../../server/domain/shared/scopes.ts';
import { sql } from '../../../../server/domain/shared/sql.ts';
import { cancelLinkCode } from '../../../../server/domain/sharing/link-code/cancelLinkCode.ts';
import { refusalOf, SharingCommands } from '../../../support/feed/sharingCommands.ts';
import { openWorld } from '../../../support/world/openWorld.ts';
import type { World } from '../../../support/world/World.ts';
import { Tracking } from '../../../support/world/Tracking.ts';
import { nextProfile } from '../../../support/world/profileFixtures.ts';

const minute = 60_000;
const rounds = Number(process.env['REDEEM_ROUNDS'] ?? 20);
let world: World;
let tracking: Tracking;
let sharing: SharingCommands;

beforeAll(async () => {
  world = await openWorld({ poolMax: 24 });
  tracking = new Tracking(world);
  sharing = new SharingCommands(world);
});

afterAll(() => world.close());

/** A code for one new order of a new user. */
async function newCode(client: Awaited<ReturnType<typeof world.fixtures.client>>, resources = { orders: 1, vehicles: 0 }) {
  const user = sharing.newUser();
  const keys = await sharing.track(client, user, resources);
  return { user, keys, ...(await sharing.code(client, user, keys)) };
}

async function stateOf(id: string) {
  const [row] = await world.fixtures.sql<{ failed: number; redeemed: boolean; connection: string | null }[]>`
    select failed_attempts as failed, redeemed_at is not null as redeemed, connection_id as connection from link_code where id = ${id}`;
  return row;
}

test('a redemption makes a connection with new ids at the next positions, events and one audit entry', async () => {
  const client = await world.fixtures.listeningClient();
  const before = await sharing.share(client, { orders: 2 });
  const { id, code } = await newCode(client, { orders: 2, vehicles: 1 });
  const redeemed = await sharing.redeem(client, code);
  expect(redeemed?.connectionId).toMatch(/^con_[0-9a-z]{26}$/);
  expect(redeemed?.resources.map(({ type }) => type).toSorted()).toEqual(['order', 'order', 'vehicle']);
  for (const resource of redeemed?.resources ?? []) expect(resource.id).toMatch(resource.type === 'order' ? /^ord_/ : /^veh_/);

  const feed = await sharing.feed(client);
  expect(feed.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5]);
  expect(feed.slice(2)).toMatchObject(
    redeemed!.resources.map(({ id: resource, type }) => ({
      id: resource,
      type,
      revision: 1,
      consented: scopeBits(...allScopes),
      updatedAt: sharing.now,
    })),
  );
  const events = (await sharing.events(client)).filter(({ connection }) => connection === redeemed?.connectionId);
  expect(events.map(({ type }) => type)).toEqual(['connection.created', ...Array(3).fill('resource.granted')]);
  expect(
    events
      .slice(1)
      .map(({ resource }) => resource)
      .toSorted(),
  ).toEqual(redeemed?.resources.map((resource) => resource.id).toSorted());
  expect(await sharing.trail(redeemed!.connectionId)).toMatchObject([
    { action: 'link_code.redeemed', actor: 'client', operator: client.operatorId, integration: client.integrationId },
  ]);
  expect(await stateOf(id)).toEqual({ failed: 0, redeemed: true, connection: redeemed?.connectionId });
  expect(before.connectionId).not.toBe(redeemed?.connectionId);
});

test('the same order has other ids in every connection and for every client', async () => {
  const [one, other] = [await world.fixtures.listeningClient(), await world.fixtures.client()];
  const user = sharing.newUser();
  const keys = await sharing.track(one, user);
  const ids = new Set<string>();
  for (const client of [one, one, other]) {
    const redeemed = await sharing.redeem(client, (await sharing.code(client, user, keys)).code);
    for (const id of [redeemed!.connectionId, redeemed!.resources[0]!.id]) ids.add(id);
  }
  expect(ids.size).toBe(6);
});

test('unknown, expired, cancelled, blocked, used and foreign codes are refused alike', async () => {
  const [client, stranger] = [await world.fixtures.listeningClient(), await world.fixtures.client()];
  expect(await sharing.redeem(client, '0000000000')).toBeNull();

  const foreign = await newCode(client);
  expect(await sharing.redeem(stranger, foreign.code)).toBeNull();
  expect(await stateOf(foreign.id)).toEqual({ failed: 1, redeemed: false, connection: null });

  const used = await newCode(client);
  expect(await sharing.redeem(client, used.code)).not.toBeNull();
  expect(await sharing.redeem(client, used.code)).toBeNull();
  expect(await sharing.redeem(stranger, used.code)).toBeNull();
  expect(await stateOf(used.id)).toMatchObject({ failed: 2, redeemed: true });

  const cancelled = await newCode(client);
  await cancelLinkCode(sharing.em, { actor: sharing.tooling(), linkCodeId: cancelled.id, now: sharing.now });
  expect(await sharing.redeem(client, cancelled.code)).toBeNull();
  expect(await sharing.redeem(stranger, cancelled.code)).toBeNull();
  expect(await stateOf(cancelled.id)).toMatchObject({ failed: 0 });

  const expired = await newCode(client);
  sharing.advance(10 * minute);
  expect(await sharing.redeem(client, expired.code)).toBeNull();
  expect(await sharing.redeem(stranger, expired.code)).toBeNull();
  expect(await stateOf(expired.id)).toEqual({ failed: 0, redeemed: false, connection: null });
  expect(await sharing.feed(client)).toHaveLength(1);
});

test('a code is good until the last millisecond of its ten minutes', async () => {
  const client = await world.fixtures.listeningClient();
  const { code } = await newCode(client);
  sharing.advance(10 * minute - 1);
  expect(await sharing.redeem(client, code)).not.toBeNull();
});

test('a code of one environment cannot be redeemed in the other, and does not even count there', async () => {
  const sandbox = await world.fixtures.listeningClient();
  const production = await world.fixtures.listeningClient({ environment: 'production', status: 'active' });
  const { id, code } = await newCode(sandbox);
  expect(await sharing.redeem(production, code)).toBeNull();
  expect(await stateOf(id)).toMatchObject({ failed: 0 });
});

test('the fifth failed attempt blocks a code for its own client too; the attempts stay counted although nothing is redeemed', async () => {
  const [client, stranger] = [await world.fixtures.listeningClient(), await world.fixtures.client()];
  const four = await newCode(client);
  const five = await newCode(client);
  for (let attempt = 1; attempt <= 4; attempt += 1) {
    await sharing.redeem(stranger, four.code);
    await sharing.redeem(stranger, five.code);
    expect(await stateOf(five.id)).toMatchObject({ failed: attempt });
  }
  await sharing.redeem(stranger, five.code);
  expect(await sharing.redeem(client, four.code)).not.toBeNull();
  expect(await sharing.redeem(client, five.code)).toBeNull();
  expect(await stateOf(five.id)).toEqual({ failed: 5, redeemed: false, connection: null });
});

test('of failed attempts that come together each is counted, and no more than five', async () => {
  const [client, stranger] = [await world.fixtures.listeningClient(), await world.fixtures.client()];
  const three = await newCode(client);
  await Promise.all(Array.from({ length: 3 }, () => sharing.redeem(stranger, three.code)));
  expect(await stateOf(three.id)).toMatchObject({ failed: 3 });
  const many = await newCode(client);
  const results = await Promise.all(Array.from({ length: 40 }, () => sharing.redeem(stranger, many.code)));
  expect(results.every((result) => result === null)).toBe(true);
  expect(await stateOf(many.id)).toMatchObject({ failed: 5 });
});

test(`of 50 redemptions of one code that come together exactly one makes a connection (${rounds} rounds)`, async () => {
  const client = await world.fixtures.listeningClient();
  for (let round = 1; round <= rounds; round += 1) {
    const { code } = await newCode(client);
    const results = await Promise.all(Array.from({ length: 50 }, () => sharing.redeem(client, code)));
    expect(results.filter((result) => result !== null)).toHaveLength(1);
    const [count] = await world.fixtures.sql`select count(*)::int as connections from connection where client_number = ${client.number}`;
    expect(count).toEqual({ connections: round });
  }
  const feed = await sharing.feed(client);
  expect(feed.map(({ position }) => position)).toEqual(Array.from({ length: rounds }, (_, index) => index + 1));
}, 300_000);

test('a connection gets the scopes consented to that profile and client still have; what they cannot read is not granted', async () => {
  const client = await world.fixtures.listeningClient();
  const { sql: rows } = world.fixtures;
  const user = sharing.newUser();
  const keys = await sharing.track(client, user, { orders: 1, vehicles: 1 });
  const scopes = ['orders.read', 'vehicles.read', 'shipping.read'] as const;
  const { code } = await sharing.code(client, user, { ...keys, scopes });
  await rows`update client set scopes = '{orders.read,orders.history.read,shipping.read}' where number = ${client.number}`;
  const redeemed = await sharing.redeem(client, code);
  expect(redeemed?.resources.map(({ type }) => type)).toEqual(['order']);
  const [row] = await rows`select scopes from connection where id = ${redeemed!.connectionId}`;
  expect(row).toEqual({ scopes: ['orders.read', 'shipping.read'] });
  expect(await sharing.feed(client)).toMatchObject([{ consented: scopeBits('orders.read', 'shipping.read') }]);

  const later = await sharing.code(client, user, { orders: keys.orders, scopes: ['orders.read', 'shipping.read'] });
  await rows`update profile_version set requested_scopes = '{orders.read}' where integration_id = ${client.integrationId}`;
  const narrower = await sharing.redeem(client, later.code);
  expect((await rows`select scopes from connection where id = ${narrower!.connectionId}`)[0]).toEqual({ scopes: ['orders.read'] });
});

test('production takes the reviewed profile, the sandbox the current one; both keep the version that was consented to', async () => {
  for (const environment of ['production', 'sandbox'] as const) {
    const client = await world.fixtures.listeningClient({ environment, status: 'active' });
    await sharing.openGates(client);
    const { sql: rows } = world.fixtures;
    const { code } = await newCode(client);
    await nextProfile(world, client.integrationId, { requested_scopes: ['orders.read'] });
    const redeemed = await sharing.redeem(client, code);
    const [row] = await rows`select scopes, profile_version from connection where id = ${redeemed!.connectionId}`;
    expect(row).toEqual({ profile_version: 1, scopes: environment === 'production' ? [...allScopes] : ['orders.read'] });
  }
  await world.fixtures.sql`update service_gate set production_data_enabled = false`;
});

test('withdrawn resources are not granted; with nothing left to grant the code is not redeemable, and stays as it was', async () => {
  const client = await world.fixtures.listeningClient();
  const { id, code, keys } = await newCode(client, { orders: 2, vehicles: 0 });
  await sharing.withdraw([{ type: 'order', key: keys.orders[0]! }]);
  expect((await sharing.redeem(client, code))?.resources).toHaveLength(1);
  expect(await stateOf(id)).toMatchObject({ redeemed: true });

  const other = await newCode(client);
  await sharing.withdraw([{ type: 'order', key: other.keys.orders[0]! }]);
  expect(await sharing.redeem(client, other.code)).toBeNull();
  expect(await stateOf(other.id)).toEqual({ failed: 0, redeemed: false, connection: null });
  expect(await sharing.feed(client)).toHaveLength(1);
});

test('a redemption waits for an update of its resources that is under way, so that none is lost', async () => {
  const client = await world.fixtures.listeningClient();
  const { code, keys } = await newCode(client);
  const tracked = await tracking.stored({ type: 'order', key: keys.orders[0]! });
  const core = JSON.stringify({ status: 'built', model: 'Kestrel', market: 'DE' });
  const { waited, result } = await sharing.behind(
    async (tx) => {
      await sql(tx, 'update tracked_resource set core = $2 where id = $1', [tracked!.id, core]);
      await publish(tx, [{ trackedResourceId: tracked!.id, core: true, shipping: false }], sharing.now);
    },
    () => sharing.redeem(client, code),
  );
  // The update was published to nobody, and what was granted after it is the new state at revision 1.
  expect(waited).toBe(true);
  expect(result?.resources).toHaveLength(1);
});

test('an order that has come to belong to another user is not granted', async () => {
  const client = await world.fixtures.listeningClient();
  const { code, keys } = await newCode(client, { orders: 2, vehicles: 0 });
  const tracked = await tracking.stored({ type: 'order', key: keys.orders[0]! });
  await world.fixtures
    .sql`update tracked_resource set user_ref = ${userRef(tracking.lookupKeys, 'sandbox', 'somebody else')} where id = ${tracked!.id}`;
  expect((await sharing.redeem(client, code))?.resources).toHaveLength(1);
});

test('commands fail loudly on a client that is not there', async () => {
  const client = await world.fixtures.listeningClient();
  const { code } = await newCode(client);
  expect(await sharing.redeem({ ...client, number: 999_999 }, code)).toBeNull();
  expect(await refusalOf(sharing.revoke(client, 'con_unknown'))).toMatchObject({ code: 'not_found' });
});

test.each([
  ...statusesThat((status) => !factsOf(status, 'production').shares).map(
    (status) => [status, `status = '${status}'`, "status = 'active'"] as const,
  ),
  ['cut off by its gate', 'production_gate_open = false', 'production_gate_open = true'],
])('what is %s after its request was admitted redeems nothing, and uses up neither code nor attempt', async (_what, off, on) => {
  const client = await world.fixtures.listeningClient({ environment: 'production', status: 'active' });
  await sharing.openGates(client);
  const { id, code } = await newCode(client);
  const set = (columns: string) => world.fixtures.sql.unsafe(`update integration set ${columns} where id = '${client.integrationId}'`);
  await set(off);
  expect(await sharing.redeem(client, code)).toBeNull();
  expect(await stateOf(id)).toEqual({ failed: 0, redeemed: false, connection: null });
  await set(on);
  expect(await sharing.redeem(client, code)).not.toBeNull();
});
