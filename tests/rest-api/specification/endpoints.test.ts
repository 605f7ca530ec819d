import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { allScopes } from '../../../server/domain/shared/scopes.ts';
import { openWorld, type MachineWorld } from '../../support/world/openWorld.ts';
import { expectProblem } from '../../support/clients/problems.ts';
import { Sharing } from '../../support/feed/sharing.ts';

/** docs/specification.md, “Paths”: a test for each operation. */
let world: MachineWorld;
let sharing: Sharing;
beforeAll(async () => {
  world = await openWorld({ machine: true });
  sharing = new Sharing(world);
});
afterAll(() => world.close());

/** The refusal that a client without this scope gets, whatever it asks for. */
async function withoutScope(scope: (typeof allScopes)[number], path: string) {
  const { machine } = await world.backEnd({ scopes: allScopes.filter((each) => each !== scope) });
  expectProblem(await machine.call(path), 'scope_required', {
    required_scopes: [scope],
    missing_in: 'client',
    detail: expect.stringContaining('the scopes that capabilities reports'),
  });
}

test('GET /capabilities: report environment, integration_status, scopes, quotas, production_data_enabled', async () => {
  const { machine } = await world.backEnd({ scopes: ['orders.read'] });
  expect(await machine.call('/v1/capabilities')).toMatchObject({
    status: 200,
    body: {
      environment: 'sandbox',
      integration_status: 'sandbox',
      scopes: ['orders.read'],
      quotas: { requests_per_hour: 600, requests_per_minute: 20, concurrent_requests: 4 },
      production_data_enabled: false,
    },
  });
});

test('POST /link-codes/redeem: exchange a ten-digit code for a connection ID and integration-specific resource IDs', async () => {
  const { client, machine } = await world.backEnd();
  const { code } = await sharing.code(client, { orders: 1, vehicles: 1 });
  const answer = await machine.call('/v1/link-codes/redeem', { method: 'POST', body: { code } });
  const id = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`));
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    connection_id: id('con'),
    resources: expect.arrayContaining([
      { id: id('ord'), type: 'order' },
      { id: id('veh'), type: 'vehicle' },
    ]),
  });
});

test('GET /sync: pull changed resources and tombstones', async () => {
  const { client, machine } = await world.backEnd();
  const { orders } = await sharing.share(client, { orders: 2 });
  const first = (await machine.call('/v1/sync')).body as { next_cursor: string; upserts: { id: string }[] };
  expect(first.upserts.map(({ id }) => id).sort()).toEqual(orders.toSorted());
  const revocationId = await sharing.revokeResource(client, orders[0] ?? '');
  expect((await machine.call(`/v1/sync?updated_since=${first.next_cursor}`)).body).toMatchObject({
    upserts: [],
    tombstones: [{ revocation_id: revocationId, resource: { id: orders[0] } }],
    has_more: false,
  });
});

test('GET order snapshot path: order detail (orders.read)', async () => {
  const { client, machine } = await world.backEnd();
  const { orders, connectionId } = await sharing.share(client);
  const [id = ''] = orders;
  expect(await machine.call(`/v1/orders/${id}`)).toMatchObject({
    status: 200,
    headers: { etag: expect.any(String) },
    body: { id, type: 'order', revision: 1, connection_id: connectionId, history_complete: true, option_codes: ['MKE', 'TLR2'] },
  });
  await withoutScope('orders.read', `/v1/orders/${id}`);
});

test('GET vehicle snapshot path: vehicle detail (vehicles.read)', async () => {
  const { client, machine } = await world.backEnd();
  const { vehicles } = await sharing.share(client, { orders: 0, vehicles: 1 });
  const [id = ''] = vehicles;
  expect(await machine.call(`/v1/vehicles/${id}`)).toMatchObject({
    status: 200,
    body: { id, type: 'vehicle', revision: 1, status: 'available' },
  });
  await withoutScope('vehicles.read', `/v1/vehicles/${id}`);
});

test.each([
  ['order', 'orders.history.read'],
  ['vehicle', 'vehicles.history.read'],
] as const)('GET history paths: order history and vehicle history, paginated independently (%s)', async (type, scope) => {
  const { client, machine } = await world.backEnd();
  const share = await sharing.share(client, { orders: 1, vehicles: 1 });
  const [id = ''] = share[`${type}s`];
  await world.fixtures.history(
    client,
    id,
    [1, 2, 3].map((sequence) => ({ sequence, changes: '[{"path":"status","to":"sold"}]' })),
  );
  const before = (await machine.call('/v1/sync')).body as { next_cursor: string };
  const first = (await machine.call(`/v1/${type}s/${id}/history?limit=2`)).body;
  expect(first).toMatchObject({ resource: { id, type }, items: [{ sequence: 1 }, { sequence: 2 }], next_after: 2 });
  expect((await machine.call(`/v1/${type}s/${id}/history?after=2`)).body).toMatchObject({
    items: expect.arrayContaining([expect.objectContaining({ sequence: 3 })]),
  });
  expect((await machine.call('/v1/sync')).body).toMatchObject(before);
  await withoutScope(scope, `/v1/${type}s/${id}/history`);
});

test('GET /statistics/orders: aggregate generation (statistics.orders.read)', async () => {
  const { client, machine } = await world.backEnd();
  const groups = [{ market: 'DE', model: 'Kestrel', status: 'placed', count: 20 }];
  const id = await world.fixtures.generation(client, { groups: JSON.stringify(groups) });
  expect((await machine.call('/v1/statistics/orders')).body).toMatchObject({ generation_id: id, minimum_group_size: 20, groups });
  await withoutScope('statistics.orders.read', '/v1/statistics/orders');
});

test('POST /revocations/{id}/ack: acknowledge completed deletion (revocations.ack)', async () => {
  const { client, machine } = await world.backEnd();
  const { orders } = await sharing.share(client);
  const revocationId = await sharing.revokeResource(client, orders[0] ?? '');
  const acknowledgement = { method: 'POST', body: { deletion_completed: true }, headers: { 'Idempotency-Key': 'one' } };
  expect(await machine.call(`/v1/revocations/${revocationId}/ack`, acknowledgement)).toMatchObject({
    status: 200,
    body: { revocation_id: revocationId, status: 'acknowledged' },
  });
  const other = await world.backEnd({ scopes: ['orders.read'] });
  expectProblem(await other.machine.call(`/v1/revocations/${revocationId}/ack`, acknowledgement), 'scope_required', {
    required_scopes: ['revocations.ack'],
  });
});
