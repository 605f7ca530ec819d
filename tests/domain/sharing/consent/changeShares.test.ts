import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { allScopes, scopeBits } from '../../../../server/domain/shared/scopes.ts';
import { refusalOf, SharingCommands } from '../../../support/feed/sharingCommands.ts';
import { openWorld } from '../../../support/world/openWorld.ts';
import type { World } from '../../../support/world/World.ts';
import { nextProfile } from '../../../support/world/profileFixtures.ts';

const day = 24 * 60 * 60_000;
let world: World;
let sharing: SharingCommands;

beforeAll(async () => {
  world = await openWorld();
  sharing = new SharingCommands(world);
});

afterAll(() => world.close());

async function scopesOf(connectionId: string) {
  const [row] = await world.fixtures.sql`select scopes from connection where id = ${connectionId}`;
  return row?.['scopes'] as string[];
}

test('an extension by resources grants them at the next positions, with events; what is shared already stays', async () => {
  const client = await world.fixtures.listeningClient();
  const { user, connectionId, orders } = await sharing.share(client);
  const more = await sharing.track(client, user, { orders: 1, vehicles: 1 });
  sharing.advance(1000);
  const extended = await sharing.extend(client, connectionId, { orders: [orders[0]!.key, ...more.orders], vehicles: more.vehicles });
  expect(extended).toMatchObject({ connectionId, scopes: [...allScopes] });
  expect(extended.granted.map(({ type }) => type).toSorted()).toEqual(['order', 'vehicle']);
  const feed = await sharing.feed(client);
  expect(feed).toMatchObject([
    { position: 1, id: orders[0]!.id, revision: 1 },
    { position: 2, revision: 1, consented: scopeBits(...allScopes), updatedAt: sharing.now },
    { position: 3, revision: 1 },
  ]);
  expect(feed.slice(1).map(({ id }) => id)).toEqual(extended.granted.map(({ id }) => id));
  const events = (await sharing.events(client)).slice(2);
  expect(events.map(({ type }) => type)).toEqual(['resource.granted', 'resource.granted']);
  expect((await sharing.trail(connectionId)).at(-1)).toMatchObject({ action: 'share.extended', operator: client.operatorId });
  expect((await sharing.extend(client, connectionId, { orders: more.orders })).granted).toEqual([]);
  expect(await sharing.feed(client)).toEqual(feed);
  expect(await sharing.trail(connectionId)).toHaveLength(2);
});

test('what is granted after the feed has begun again is reported at revision 1, like everything new', async () => {
  const client = await world.fixtures.listeningClient();
  const before = await sharing.share(client);
  await world.fixtures.sql`update client_feed set epoch = 1000003 where client_number = ${client.number}`;
  const { connectionId } = await sharing.share(client);
  const more = await sharing.track(client, before.user);
  await sharing.extend(client, before.connectionId, { orders: more.orders });
  const rows = await world.fixtures.sql`
    select connection_id as connection, (revision + epoch)::int as reported from shared_resource join client_feed using (client_number)
     where client_number = ${client.number} order by position`;
  expect(rows).toEqual([
    { connection: before.connectionId, reported: 1_000_004 },
    { connection: connectionId, reported: 1 },
    { connection: before.connectionId, reported: 1 },
  ]);
});

test('an extension by scopes gives every resource of the connection a new revision and position, and no other', async () => {
  const client = await world.fixtures.listeningClient();
  const { connectionId, orders } = await sharing.share(client, { orders: 2, scopes: ['orders.read'] });
  const other = await sharing.share(client, { scopes: ['orders.read'] });
  sharing.advance(1000);
  await sharing.extend(client, connectionId, { scopes: ['shipping.read'] });
  expect(await scopesOf(connectionId)).toEqual(['orders.read', 'shipping.read']);
  const feed = await sharing.feed(client);
  expect(feed).toMatchObject([
    { position: 3, id: other.orders[0]!.id, revision: 1 },
    { position: 4, revision: 2, consented: scopeBits('orders.read', 'shipping.read'), updatedAt: sharing.now },
    { position: 5, revision: 2 },
  ]);
  const updated = (await sharing.events(client)).filter(({ type }) => type === 'resource.updated');
  expect(updated.map(({ resource }) => resource)).toEqual(orders.map(({ id }) => id).toSorted());
});

test('a scope that the client no longer has moves nothing, whether it is added to a consent or taken away', async () => {
  const client = await world.fixtures.listeningClient();
  const { connectionId } = await sharing.share(client, { scopes: ['orders.read', 'shipping.read'] });
  const { sql } = world.fixtures;
  await sql`update client set scopes = '{orders.read}' where number = ${client.number}`;
  const before = await sharing.feed(client);
  expect(await refusalOf(sharing.extend(client, connectionId, { scopes: ['orders.history.read'] }))).toMatchObject({
    paths: ['input.scopes[0]'],
  });
  expect((await sharing.narrow(client, connectionId, { scopes: ['shipping.read'] })).scopes).toEqual(['orders.read']);
  const after = await sharing.feed(client);
  expect(after).toEqual(before.map((record) => ({ ...record, consented: scopeBits('orders.read') })));
  expect((await sharing.events(client)).filter(({ type }) => type === 'resource.updated')).toEqual([]);
});

test('an extension never goes beyond the scopes of client and profile, and these have to allow each kind', async () => {
  const client = await world.fixtures.listeningClient({ scopes: ['orders.read', 'shipping.read'] });
  const { user, connectionId } = await sharing.share(client, { scopes: ['orders.read'] });
  const { vehicles } = await sharing.track(client, user, { orders: 0, vehicles: 1 });
  expect(await refusalOf(sharing.extend(client, connectionId, { scopes: ['shipping.read', 'vehicles.read'] }))).toMatchObject({
    code: 'invalid_request',
    paths: ['input.scopes[1]'],
    message: 'This integration does not have the scope vehicles.read.',
  });
  expect(await refusalOf(sharing.extend(client, connectionId, { vehicles }))).toMatchObject({ paths: ['input.vehicles'] });
  expect(await refusalOf(sharing.extend(client, connectionId, { scopes: ['nonsense'] }))).toMatchObject({ paths: ['input.scopes[0]'] });
  await world.fixtures.sql`update profile_version set requested_scopes = '{orders.read}' where integration_id = ${client.integrationId}`;
  expect(await refusalOf(sharing.extend(client, connectionId, { scopes: ['shipping.read'] }))).toMatchObject({
    paths: ['input.scopes[0]'],
  });
  expect(await scopesOf(connectionId)).toEqual(['orders.read']);
  // A scope that the consent still names but the client has lost does not let anything be read either.
  await world.fixtures.sql`update client set scopes = '{shipping.read}' where number = ${client.number}`;
  expect(await refusalOf(sharing.extend(client, connectionId, await sharing.track(client, user)))).toMatchObject({
    paths: ['input.orders'],
  });
});

test('an extension takes only orders of the connection’s own user, and a connection shares at most 500 resources at a time', async () => {
  const client = await world.fixtures.listeningClient();
  const { user, connectionId, orders } = await sharing.share(client);
  const others = await sharing.track(client, sharing.newUser());
  expect(await refusalOf(sharing.extend(client, connectionId, { orders: [...others.orders, 'never'] }))).toMatchObject({
    paths: ['input.orders[0]', 'input.orders[1]'],
  });
  const many = await sharing.track(client, user, { orders: 500 });
  expect(await refusalOf(sharing.extend(client, connectionId, many))).toMatchObject({ paths: ['input.orders'] });
  const fitting = { orders: [orders[0]!.key, ...many.orders.slice(0, 499)] };
  expect((await sharing.extend(client, connectionId, fitting)).granted).toHaveLength(499);
});

test('in production an extension needs the gates, as a new link code does; taking away needs nothing', async () => {
  const client = await world.fixtures.listeningClient({ environment: 'production', status: 'active' });
  await sharing.openGates(client);
  const { user, connectionId, orders } = await sharing.share(client, { orders: 2 });
  const more = await sharing.track(client, user);
  await world.fixtures.sql`update service_gate set production_data_enabled = false`;
  expect(await refusalOf(sharing.extend(client, connectionId, more))).toMatchObject({ code: 'production_data_disabled' });
  await world.fixtures.sql`update integration set status = 'suspended' where id = ${client.integrationId}`;
  expect(await refusalOf(sharing.extend(client, connectionId, more))).toMatchObject({ code: 'conflict' });
  expect((await sharing.narrow(client, connectionId, { orders: [orders[0]!.key] })).revoked).toHaveLength(1);
  expect(await sharing.revoke(client, connectionId)).toHaveProperty('revocationId');
});

test('narrowing by a scope moves what looks different, with new revisions and events', async () => {
  const client = await world.fixtures.listeningClient();
  const { connectionId, orders, vehicles } = await sharing.share(client, { orders: 1, vehicles: 1 });
  sharing.advance(1000);
  const narrowed = await sharing.narrow(client, connectionId, { scopes: ['shipping.read'] });
  expect(narrowed.revoked).toEqual([]);
  expect(narrowed.scopes).not.toContain('shipping.read');
  const bits = scopeBits(...allScopes) - scopeBits('shipping.read');
  // The vehicle moves, too, because its snapshot names the scopes in effect.
  expect(await sharing.feed(client)).toMatchObject([
    { position: 3, revision: 2, consented: bits, updatedAt: sharing.now },
    { position: 4, revision: 2, consented: bits },
  ]);
  const updated = (await sharing.events(client)).filter(({ type }) => type === 'resource.updated');
  expect(updated.map(({ resource }) => resource)).toEqual([orders[0]!.id, vehicles[0]!.id].toSorted());
  const before = await sharing.feed(client);
  await sharing.narrow(client, connectionId, { scopes: ['shipping.read'] });
  expect(await sharing.feed(client)).toEqual(before);
  expect((await sharing.trail(connectionId)).map(({ action }) => action)).toEqual(['link_code.redeemed', 'share.narrowed']);
});

test('losing the right to read a type revokes its resources one by one; the others move, the connection stays', async () => {
  const client = await world.fixtures.listeningClient();
  const { connectionId, orders, vehicles } = await sharing.share(client, { orders: 2, vehicles: 1 });
  sharing.advance(1000);
  const { revoked, scopes } = await sharing.narrow(client, connectionId, { scopes: ['orders.read'] });
  expect(scopes).toEqual(allScopes.filter((scope) => scope !== 'orders.read'));
  expect(revoked.map(({ resource }) => resource.id).toSorted()).toEqual(orders.map(({ id }) => id).toSorted());
  expect(new Set(revoked.map(({ revocationId }) => revocationId)).size).toBe(2);
  for (const each of revoked) expect(each.deletionDeadlineAt.getTime() - sharing.now.getTime()).toBe(7 * day);
  const feed = await sharing.feed(client);
  expect(feed.map(({ position }) => position)).toEqual([4, 5, 6]);
  expect(feed[2]).toMatchObject({ id: vehicles[0]!.id, revision: 2, revocation: null });
  const events = (await sharing.events(client)).slice(-3);
  expect(events.map(({ type }) => type)).toEqual(['resource.revoked', 'resource.revoked', 'resource.updated']);
  const [row] = await world.fixtures.sql`select revocation_id from connection where id = ${connectionId}`;
  expect(row).toEqual({ revocation_id: null });
});

test('narrowing by resources revokes exactly these; those taken away before are passed over, and what was never shared is refused', async () => {
  const client = await world.fixtures.listeningClient();
  const { user, connectionId, orders, vehicles } = await sharing.share(client, { orders: 3, vehicles: 1 });
  const [first, second, third] = orders;
  await sharing.revoke(client, connectionId, { type: 'order', key: first!.key });
  const { revoked } = await sharing.narrow(client, connectionId, { orders: [first!.key, second!.key], vehicles: [vehicles[0]!.key] });
  expect(revoked.map(({ resource }) => resource.id).toSorted()).toEqual([second!.id, vehicles[0]!.id].toSorted());
  const live = (await sharing.feed(client)).filter(({ revocation }) => revocation === null);
  expect(live).toMatchObject([{ id: third!.id, revision: 1 }]);
  const never = await sharing.track(client, user);
  const before = await sharing.feed(client);
  expect(await refusalOf(sharing.narrow(client, connectionId, { orders: [third!.key, never.orders[0]!, 'unheard'] }))).toMatchObject({
    code: 'invalid_request',
    paths: ['input.orders[1]', 'input.orders[2]'],
  });
  expect(await sharing.feed(client)).toEqual(before);
});

test('what is shared again after its revocation has a new id at revision 1; the old id keeps its revocation', async () => {
  const client = await world.fixtures.listeningClient();
  const { connectionId, orders } = await sharing.share(client);
  const key = orders[0]!.key;
  const { revocationId } = await sharing.revoke(client, connectionId, { type: 'order', key });
  const { granted } = await sharing.extend(client, connectionId, { orders: [key] });
  expect(granted[0]?.id).not.toBe(orders[0]!.id);
  expect(await sharing.feed(client)).toMatchObject([
    { position: 2, id: orders[0]!.id, revocation: revocationId },
    { position: 3, id: granted[0]?.id, revision: 1, revocation: null },
  ]);
  // From now on, the key stands for the live share.
  expect(await sharing.idOf(client, connectionId, { type: 'order', key })).toBe(granted[0]?.id);
  expect((await sharing.revoke(client, connectionId, { type: 'order', key })).revocationId).not.toBe(revocationId);
});

test('a scope that is given back after a type was lost allows new grants, and does not bring old ones back', async () => {
  const client = await world.fixtures.listeningClient();
  const { connectionId, vehicles } = await sharing.share(client, { orders: 1, vehicles: 1 });
  await sharing.narrow(client, connectionId, { scopes: ['vehicles.read'] });
  await sharing.extend(client, connectionId, { scopes: ['vehicles.read'] });
  const before = (await sharing.feed(client)).find(({ id }) => id === vehicles[0]!.id);
  expect(before?.revocation).not.toBeNull();
  const { granted } = await sharing.extend(client, connectionId, { vehicles: [vehicles[0]!.key] });
  expect(granted).toHaveLength(1);
});

test('a revoked connection can neither be extended nor narrowed; one of the other environment is not found', async () => {
  const client = await world.fixtures.listeningClient();
  const { user, connectionId, orders } = await sharing.share(client);
  const more = await sharing.track(client, user);
  const elsewhere = { ...client, environment: 'production' as const };
  expect(await refusalOf(sharing.extend(elsewhere, connectionId, { scopes: ['orders.read'] }))).toMatchObject({ code: 'not_found' });
  expect(await refusalOf(sharing.narrow(elsewhere, connectionId, { scopes: ['orders.read'] }))).toMatchObject({ code: 'not_found' });
  await sharing.revoke(client, connectionId);
  expect(await refusalOf(sharing.extend(client, connectionId, more))).toMatchObject({ code: 'conflict' });
  expect(await refusalOf(sharing.narrow(client, connectionId, { orders: [orders[0]!.key] }))).toMatchObject({ code: 'conflict' });
});

test('an extension is a consent to the profile as it stands now', async () => {
  const client = await world.fixtures.listeningClient();
  const { user, connectionId } = await sharing.share(client);
  const { sql } = world.fixtures;
  await nextProfile(world, client.integrationId, { purpose: 'Another purpose' });
  const version = async () =>
    (await sql`select profile_version from connection where id = ${connectionId}`)[0]?.['profile_version'] as number;
  await sharing.narrow(client, connectionId, { scopes: ['shipping.read'] });
  expect(await version()).toBe(1);
  await sharing.extend(client, connectionId, await sharing.track(client, user));
  expect(await version()).toBe(2);
});
