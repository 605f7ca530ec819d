import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { EntityManager } from '@mikro-orm/postgresql';
import { linkCodeHmac, userRef } from '../../../../server/domain/shared/lookupKeys.ts';
import { cancelLinkCode } from '../../../../server/domain/sharing/link-code/cancelLinkCode.ts';
import { issueLinkCode } from '../../../../server/domain/sharing/link-code/issueLinkCode.ts';
import { redeemLinkCode } from '../../../../server/domain/sharing/link-code/redeemLinkCode.ts';
import { removeExpired } from '../../../../server/domain/retention/removeExpired.ts';
import { refusalOf, SharingCommands } from '../../../support/feed/sharingCommands.ts';
import { openWorld } from '../../../support/world/openWorld.ts';
import type { World } from '../../../support/world/World.ts';
import { Tracking } from '../../../support/world/Tracking.ts';

const minute = 60_000;
let world: World;
let tracking: Tracking;
let sharing: SharingCommands;

beforeAll(async () => {
  world = await openWorld();
  tracking = new Tracking(world);
  sharing = new SharingCommands(world);
});

afterAll(() => world.close());

test('a link code is ten digits, good for ten minutes; only its HMAC is stored', async () => {
  const client = await world.fixtures.client();
  const user = sharing.newUser();
  const keys = await sharing.track(client, user, { orders: 2, vehicles: 1 });
  const { id, code, expiresAt } = await sharing.code(client, user, keys);
  expect(code).toMatch(/^[0-9]{10}$/);
  expect(expiresAt.getTime() - sharing.now.getTime()).toBe(10 * minute);
  const [row] = await world.fixtures.sql`select * from link_code where id = ${id}`;
  expect(row).toMatchObject({
    client_number: client.number,
    environment: 'sandbox',
    profile_version: 1,
    failed_attempts: 0,
    redeemed_at: null,
  });
  expect(row?.['code_hmac']).toEqual(linkCodeHmac(tracking.lookupKeys.current, 'sandbox', code));
  const everything = await tracking.everything();
  expect(everything).not.toContain(code);
  for (const secret of [user, ...keys.orders]) expect(everything).not.toContain(`"${secret}"`);
  expect(await sharing.trail(id)).toMatchObject([
    { action: 'link_code.created', actor: 'service_token', operator: null, integration: client.integrationId },
  ]);
});

test('a code keeps its leading zeroes, and a value that is taken is drawn again', async () => {
  const client = await world.fixtures.client();
  const user = sharing.newUser();
  const { orders } = await sharing.track(client, user);
  const tracked = await tracking.stored({ type: 'order', key: orders[0]! });
  const draws = ['0000000042', '0000000042', '0000000042', '0000000007'];
  const issue = () =>
    sharing.em.transactional((tx) =>
      issueLinkCode(tx, {
        client,
        userRef: userRef(tracking.lookupKeys, 'sandbox', user),
        trackedResourceIds: [tracked!.id],
        scopes: ['orders.read'],
        statisticsOptedIn: false,
        profileVersion: 1,
        lookupKeys: tracking.lookupKeys,
        now: sharing.now,
        draw: () => draws.shift() ?? '',
      }),
    );
  expect((await issue()).code).toBe('0000000042');
  expect((await issue()).code).toBe('0000000007');
  expect(draws).toEqual([]);
  expect(await sharing.redeem(client, '0000000007')).not.toBeNull();
  expect(await sharing.redeem(client, '7')).toBeNull();
});

test('digits are drawn evenly at every place, zero at the first too', async () => {
  const client = await world.fixtures.client();
  const user = sharing.newUser();
  const keys = await sharing.track(client, user);
  const counts = Array.from({ length: 10 }, () => new Map<string, number>());
  const codes: { code: string }[] = [];
  for (let batch = 0; batch < 30; batch += 1) {
    codes.push(...(await Promise.all(Array.from({ length: 10 }, () => sharing.code(client, user, keys)))));
  }
  for (const { code } of codes) [...code].forEach((digit, place) => counts[place]?.set(digit, (counts[place].get(digit) ?? 0) + 1));
  expect(new Set(codes.map(({ code }) => code)).size).toBe(300);
  // 30 of each are expected; fewer than two or more than 65 would occur less than once in a million runs.
  for (const place of counts) {
    for (const digit of '0123456789') {
      expect(place.get(digit) ?? 0).toBeGreaterThan(1);
      expect(place.get(digit) ?? 0).toBeLessThan(66);
    }
  }
});

test('unknown orders, withdrawn ones and those of another user are refused by path in exactly the same way', async () => {
  const client = await world.fixtures.client();
  const [anna, ben] = [sharing.newUser(), sharing.newUser()];
  const own = await sharing.track(client, anna, { orders: 2, vehicles: 1 });
  const others = await sharing.track(client, ben, { orders: 1 });
  const gone = await sharing.track(client, anna, { orders: 1, vehicles: 1 });
  await sharing.withdraw([
    { type: 'order', key: gone.orders[0]! },
    { type: 'vehicle', key: gone.vehicles[0]! },
  ]);
  const orders = [own.orders[0]!, 'never-heard-of', others.orders[0]!, own.orders[1]!, gone.orders[0]!, own.vehicles[0]!];
  const vehicles = [own.vehicles[0]!, 'never-heard-of', gone.vehicles[0]!, own.orders[0]!];
  const refusal = await refusalOf(sharing.code(client, anna, { orders, vehicles }));
  expect(refusal).toMatchObject({
    code: 'invalid_request',
    paths: [
      'input.orders[1]',
      'input.orders[2]',
      'input.orders[4]',
      'input.orders[5]',
      'input.vehicles[1]',
      'input.vehicles[2]',
      'input.vehicles[3]',
    ],
  });
  expect(new Set(refusal.message.split(/(?<=\.) /))).toEqual(
    new Set(['There is no such order of this user.', 'There is no such vehicle.']),
  );
  expect(await world.fixtures.sql`select 1 from link_code where client_number = ${client.number}`).toHaveLength(0);
});

test('orders of the other environment are unknown', async () => {
  const client = await world.fixtures.client();
  const user = sharing.newUser();
  const { orders } = await sharing.track({ environment: 'production' }, user);
  expect(await refusalOf(sharing.code(client, user, { orders }))).toMatchObject({ paths: ['input.orders[0]'] });
});

test('a code holds 1 to 500 resources, and every key and user is 1 to 200 visible characters', async () => {
  const client = await world.fixtures.client();
  const user = sharing.newUser();
  expect(await refusalOf(sharing.code(client, user, {}))).toMatchObject({ code: 'invalid_request', paths: ['input.orders'] });
  const keys = await sharing.track(client, user, { orders: 500, vehicles: 1 });
  expect(await refusalOf(sharing.code(client, user, keys))).toMatchObject({ code: 'invalid_request', paths: ['input.orders'] });
  expect((await sharing.code(client, user, { orders: keys.orders })).code).toHaveLength(10);
  expect(await refusalOf(sharing.code(client, '', { orders: ['', 'a b', 'x'.repeat(201)], vehicles: ['\u0007'] }))).toMatchObject({
    paths: ['input.user', 'input.orders[0]', 'input.orders[1]', 'input.orders[2]', 'input.vehicles[0]'],
  });
});

test('one resource named twice is shared once', async () => {
  const client = await world.fixtures.client();
  const user = sharing.newUser();
  const { orders } = await sharing.track(client, user);
  const { code } = await sharing.code(client, user, { orders: [...orders, ...orders] });
  expect((await sharing.redeem(client, code))?.resources).toHaveLength(1);
});

test('scopes that the integration does not have are refused by name; those given have to allow each kind of resource', async () => {
  const client = await world.fixtures.client({ scopes: ['orders.read'] });
  const user = sharing.newUser();
  const keys = await sharing.track(client, user, { orders: 1, vehicles: 1 });
  expect(await refusalOf(sharing.code(client, user, { orders: keys.orders, scopes: ['orders.read', 'shipping.read'] }))).toMatchObject({
    code: 'invalid_request',
    paths: ['input.scopes[1]'],
    message: 'This integration does not have the scope shipping.read.',
  });
  const unknown = ['orders.read', 'orders.write'] as unknown as ['orders.read'];
  expect(await refusalOf(sharing.code(client, user, { orders: keys.orders, scopes: unknown }))).toMatchObject({
    paths: ['input.scopes[1]'],
  });
  expect(await refusalOf(sharing.code(client, user, { ...keys, scopes: ['orders.read'] }))).toMatchObject({ paths: ['input.vehicles'] });
  expect(await refusalOf(sharing.code(client, user, { ...keys, scopes: ['vehicles.read'] }))).toMatchObject({ paths: ['input.orders'] });
});

test('users take part in statistics only where the integration has statistics.orders.read; their consent need not name it', async () => {
  const without = await world.fixtures.client({ scopes: ['orders.read'] });
  const user = sharing.newUser();
  const keys = await sharing.track(without, user);
  const consent = { ...keys, scopes: ['orders.read'] as const, statisticsOptedIn: true };
  expect(await refusalOf(sharing.code(without, user, consent))).toMatchObject({ paths: ['input.statisticsOptedIn'] });
  const client = await world.fixtures.client();
  const redeemed = await sharing.redeem(client, (await sharing.code(client, user, consent)).code);
  const [row] = await world.fixtures.sql`select scopes, statistics_opted_in from connection where id = ${redeemed!.connectionId}`;
  expect(row).toEqual({ scopes: ['orders.read'], statistics_opted_in: true });
});

test('in production a code needs an active integration and both gates; in the sandbox one that is not retired', async () => {
  const client = await world.fixtures.client({ environment: 'production', status: 'approved' });
  const user = sharing.newUser();
  const keys = await sharing.track(client, user);
  const { sql } = world.fixtures;
  expect(await refusalOf(sharing.code(client, user, keys))).toMatchObject({ code: 'conflict' });
  await sql`update integration set status = 'active' where id = ${client.integrationId}`;
  expect(await refusalOf(sharing.code(client, user, keys))).toMatchObject({ code: 'production_data_disabled' });
  await sql`update integration set production_gate_open = true where id = ${client.integrationId}`;
  expect(await refusalOf(sharing.code(client, user, keys))).toMatchObject({ code: 'production_data_disabled' });
  await sharing.openGates(client);
  expect((await sharing.code(client, user, keys)).code).toHaveLength(10);
  await sql`update integration set status = 'suspended' where id = ${client.integrationId}`;
  expect(await refusalOf(sharing.code(client, user, keys))).toMatchObject({ code: 'conflict' });
  await sql`update service_gate set production_data_enabled = false`;

  const retired = await world.fixtures.client({ status: 'retired' });
  const sandbox = await sharing.track(retired, user);
  expect(await refusalOf(sharing.code(retired, user, sandbox))).toMatchObject({ code: 'conflict' });
});

test('an integration without a client in the environment of the token is not found', async () => {
  const sandbox = await world.fixtures.client();
  const user = sharing.newUser();
  const keys = await sharing.track({ environment: 'production' }, user);
  expect(await refusalOf(sharing.code({ ...sandbox, environment: 'production' }, user, keys))).toMatchObject({ code: 'not_found' });
});

test('a cancelled code cannot be redeemed; cancelling again answers the first time, a redeemed one cannot be cancelled', async () => {
  const client = await world.fixtures.client();
  const user = sharing.newUser();
  const keys = await sharing.track(client, user);
  const { id, code } = await sharing.code(client, user, keys);
  const cancel = (linkCodeId: string, environment: 'sandbox' | 'production' = 'sandbox') =>
    cancelLinkCode(sharing.em, { actor: sharing.tooling(environment), linkCodeId, now: sharing.now });
  expect(await refusalOf(cancel(id, 'production'))).toMatchObject({ code: 'not_found' });
  expect(await refusalOf(cancel('lnk_unknown'))).toMatchObject({ code: 'not_found' });
  const first = await cancel(id);
  sharing.advance(minute);
  expect(await cancel(id)).toEqual(first);
  expect(await sharing.redeem(client, code)).toBeNull();
  expect(await sharing.trail(id)).toMatchObject([{ action: 'link_code.created' }, { action: 'link_code.cancelled' }]);

  const other = await sharing.code(client, user, keys);
  await sharing.redeem(client, other.code);
  expect(await refusalOf(cancel(other.id))).toMatchObject({ code: 'conflict' });
});

test('spent codes are removed a day after their time, not sooner', async () => {
  const client = await world.fixtures.client();
  const user = sharing.newUser();
  const keys = await sharing.track(client, user);
  const { id, expiresAt } = await sharing.code(client, user, keys);
  const kept = async () => (await world.fixtures.sql`select 1 from link_code where id = ${id}`).length;
  await removeExpired(sharing.em, { now: new Date(expiresAt.getTime() + 24 * 60 * minute - 1) });
  expect(await kept()).toBe(1);
  await removeExpired(sharing.em, { now: new Date(expiresAt.getTime() + 24 * 60 * minute) });
  expect(await kept()).toBe(0);
  expect(await world.fixtures.sql`select 1 from link_code_resource where link_code_id = ${id}`).toHaveLength(0);
});

test('the clean-up passes over a code that a redemption holds at this moment, and takes it the next time', async () => {
  const client = await world.fixtures.client();
  const user = sharing.newUser();
  const { id, code, expiresAt } = await sharing.code(client, user, await sharing.track(client, user));
  const kept = async () => (await world.fixtures.sql`select 1 from link_code where id = ${id}`).length;
  const cleanUp = () => removeExpired(sharing.em, { now: new Date(expiresAt.getTime() + 24 * 60 * minute) });
  const redeem = (tx: EntityManager) => redeemLinkCode(tx, { ...sharing.by(client), actor: sharing.backEnd(client), client, code });
  expect(await sharing.behind(redeem, cleanUp)).toMatchObject({ waited: false });
  expect(await kept()).toBe(1);
  await cleanUp();
  expect(await kept()).toBe(0);
});
