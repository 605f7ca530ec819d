import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildSandboxCorpus } from '../../../server/domain/sandbox/corpus/buildSandboxCorpus.ts';
import { regenerateSandboxCorpus } from '../../../server/domain/sandbox/corpus/regenerateSandboxCorpus.ts';
import { eraseUser } from '../../../server/domain/sharing/revocation/eraseUser.ts';
import { revokeResource } from '../../../server/domain/sharing/revocation/revokeResource.ts';
import { replayDelivery } from '../../../server/domain/webhook/replay/replayDelivery.ts';
import type { TestClient } from '../../support/world/Fixtures.ts';
import { SharingCommands } from '../../support/feed/sharingCommands.ts';
import { openWorld } from '../../support/world/openWorld.ts';
import { requestedCorpus } from '../../support/world/sandboxFixtures.ts';
import type { World } from '../../support/world/World.ts';
import { operatorOf } from '../lifecycles/certificateWalk.ts';

let world: World;
let sharing: SharingCommands;

beforeAll(async () => {
  world = await openWorld();
  sharing = new SharingCommands(world);
});
afterAll(() => world.close());

/** What became of each of the client's deliveries, by type and subject. */
async function deliveriesOf({ number }: TestClient): Promise<[string, string, string][]> {
  const rows = await world.fixtures.sql<{ type: string; subject: string; state: string; reason: string | null }[]>`
    select d.type, coalesce(e.resource_id, e.connection_id, '') as subject, d.state, d.reason
      from webhook_delivery d join webhook_event e on e.id = d.event_id where e.client_number = ${number} order by d.number`;
  return rows.map(({ type, subject, state, reason }) => [type, subject, reason ? `${state}: ${reason}` : state]);
}

const gone = 'discarded: access_revoked';

test('a revoked resource discards what still waits about it, pending or held, and nothing else; its own event stays', async () => {
  const client = await world.fixtures.listeningClient();
  const { connectionId, orders } = await sharing.share(client, { orders: 2 });
  const [revoked, kept] = orders.map(({ id }) => id);
  await world.fixtures.sql`update webhook_delivery set state = 'held', reason = 'gate_closed' where resource_id = ${revoked!}`;
  await sharing.revoke(client, connectionId, { type: 'order', key: orders[0]!.key });
  expect((await deliveriesOf(client)).filter(([, subject]) => subject === revoked)).toEqual([
    ['resource.granted', revoked, gone],
    ['resource.revoked', revoked, 'pending'],
  ]);
  expect((await deliveriesOf(client)).filter(([, subject]) => subject !== revoked)).toEqual([
    ['connection.created', connectionId, 'pending'],
    ['resource.granted', kept, 'pending'],
  ]);
});

test('what was delivered, or is a dead letter, stays what it was after a revocation', async () => {
  const client = await world.fixtures.listeningClient();
  const { connectionId } = await sharing.share(client, { orders: 2 });
  const { sql } = world.fixtures;
  const [first, second] = await sql<{ number: string }[]>`
    select d.number from webhook_delivery d where d.connection_id = ${connectionId} order by d.number`;
  await sql`update webhook_delivery set state = 'delivered' where number = ${first!.number}`;
  await sql`update webhook_delivery set state = 'dead', reason = 'window_over' where number = ${second!.number}`;
  await sharing.revoke(client, connectionId);
  expect((await deliveriesOf(client)).map(([type, , state]) => [type, state])).toEqual([
    ['connection.created', 'pending'],
    ['resource.granted', 'delivered'],
    ['resource.granted', 'dead: window_over'],
    ['connection.revoked', 'pending'],
  ]);
});

test('a narrowed share discards what its resources lost, and what stays visible with less is still delivered', async () => {
  const client = await world.fixtures.listeningClient();
  const { connectionId, orders, vehicles } = await sharing.share(client, { orders: 1, vehicles: 1 });
  await sharing.narrow(client, connectionId, { scopes: ['vehicles.read', 'vehicles.history.read', 'shipping.read'] });
  const [order, vehicle] = [orders[0]!.id, vehicles[0]!.id];
  const found = await deliveriesOf(client);
  expect(found.filter(([, subject]) => subject === vehicle)).toEqual([
    ['resource.granted', vehicle, gone],
    ['resource.revoked', vehicle, 'pending'],
  ]);
  expect(found.filter(([, subject]) => subject === order)).toEqual([
    ['resource.granted', order, 'pending'],
    ['resource.updated', order, 'pending'],
  ]);
});

test('a withdrawn order discards what waits about it for every client, and an erased user everything of theirs', async () => {
  const clients = [await world.fixtures.listeningClient(), await world.fixtures.listeningClient()] as const;
  const user = sharing.newUser();
  const { orders } = await sharing.track(clients[0], user, { orders: 2 });
  for (const client of clients) {
    const { code } = await sharing.code(client, user, { orders });
    await sharing.redeem(client, code);
  }
  const granted = async (client: TestClient) =>
    (await deliveriesOf(client)).filter(([type]) => type === 'resource.granted').map(([, , state]) => state);
  await sharing.withdraw([{ type: 'order', key: orders[0]! }]);
  for (const client of clients) expect((await granted(client)).sort()).toEqual([gone, 'pending']);
  await eraseUser(world.em(), { ...sharing.by(), user });
  for (const client of clients) expect(await granted(client)).toEqual([gone, gone]);
});

test('the workers hear which endpoints to read again, and nobody is told of clients without any', async () => {
  const client = await world.fixtures.listeningClient();
  const silent = await world.fixtures.client();
  const shares = [await sharing.share(client), await sharing.share(silent)] as const;
  const [endpoint] = await world.fixtures.sql<
    { number: number }[]
  >`select number from webhook_endpoint where client_number = ${client.number}`;
  const heard: string[] = [];
  const listening = await world.fixtures.sql.listen('webhook_recheck', (numbers) => heard.push(numbers));
  await sharing.revoke(silent, shares[1].connectionId);
  await sharing.revoke(client, shares[0].connectionId);
  const other = await sharing.share(client);
  await sharing.narrow(client, other.connectionId, { scopes: ['shipping.read'] });
  await world.fixtures.sql.notify('webhook_recheck', 'end');
  for (let turn = 0; turn < 1_000 && !heard.includes('end'); turn += 1) await world.fixtures.sql`select 1`;
  await listening.unlisten();
  expect(heard).toEqual([String(endpoint!.number), String(endpoint!.number), 'end']);
});

test('a replay that is stored while its subject is being revoked is read again as soon as that commits', async () => {
  const client = await world.fixtures.listeningClient();
  const { connectionId, orders } = await sharing.share(client, { orders: 1 });
  const { sql } = world.fixtures;
  const [former] = await sql<{ id: string; endpoint: number }[]>`
    update webhook_delivery set state = 'delivered', finished_at = ${sharing.now} where connection_id = ${connectionId} returning id, endpoint_number as endpoint`;
  const heard: string[] = [];
  const listening = await sql.listen('webhook_recheck', (numbers) => heard.push(numbers));
  await world.em().transactional(async (tx) => {
    await revokeResource(tx, { clientNumber: client.number, resourceId: orders[0]!.id, now: sharing.now });
    const made = await replayDelivery(world.em(), { actor: operatorOf(client.operatorId), deliveryId: former!.id, now: sharing.now });
    expect(made.state).toBe('pending');
  });
  await sql.notify('webhook_recheck', 'end');
  for (let turn = 0; turn < 1_000 && !heard.includes('end'); turn += 1) await sql`select 1`;
  await listening.unlisten();
  expect(heard).toEqual([String(former!.endpoint), 'end']);
});

test('regenerating a sandbox discards what waits about the former one, and tells of the new statistics', async () => {
  const client = await world.fixtures.client();
  await requestedCorpus(world, { clientNumber: client.number, at: sharing.now });
  const clock = { now: () => sharing.now };
  await buildSandboxCorpus(world.em(), { clientNumber: client.number, generation: 1, clock });
  await world.fixtures.webhookEndpoint(client);
  await sharing.share(client);
  await regenerateSandboxCorpus(world.em(), { actor: operatorOf(client.operatorId), clientId: client.id, now: sharing.now });
  await buildSandboxCorpus(world.em(), { clientNumber: client.number, generation: 2, clock });
  expect((await deliveriesOf(client)).map(([type, , state]) => [type, state])).toEqual([
    ['connection.created', 'discarded: sandbox_replaced'],
    ['resource.granted', 'discarded: sandbox_replaced'],
    ['statistics.updated', 'pending'],
  ]);
});
