import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '../../../server/domain/shared/ids.ts';
import { sourceKey, userRef } from '../../../server/domain/shared/lookupKeys.ts';
import { allScopes } from '../../../server/domain/shared/scopes.ts';
import { generateCorpus } from '../../../server/domain/sandbox/generator/generateCorpus.ts';
import { storeCorpus } from '../../../server/domain/sandbox/corpus/storeCorpus.ts';
import { operations } from '../../../rest-api/operations.ts';
import { completeOrder, completeVehicle, forbiddenOrders, forbiddenVehicles, markers } from '../../support/forbiddenData.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { leavingFields, orderFields, problemFields, vehicleFields } from '../../support/database/leavingFields.ts';
import type { MachineClient } from '../../support/clients/machineClient.ts';
import { openWorld, type MachineWorld } from '../../support/world/openWorld.ts';
import type { MachineResponse } from '../../support/clients/MachineResponse.ts';
import { Sharing } from '../../support/feed/sharing.ts';

let world: MachineWorld;
let sharing: Sharing;
const answers: { operation: string; answer: MachineResponse }[] = [];
const user = `user-${markers.user}`;
const keys = { order: `order-${markers.key}`, vehicle: `vehicle-${markers.key}` };

beforeAll(async () => {
  world = await openWorld({ machine: true });
  sharing = new Sharing(world);
  await answerEverything();
}, 60_000);
afterAll(() => world.close());

async function note(operation: string, call: Promise<MachineResponse>): Promise<MachineResponse> {
  const answer = await call;
  answers.push({ operation, answer });
  return answer;
}

/** Every operation in every way that it can answer, for a client that may see everything, and for one with a sandbox corpus. */
async function answerEverything(): Promise<void> {
  const { client, machine } = await world.backEnd();
  for (const quota of ['requests_per_minute', 'requests_per_hour']) await world.fixtures.override(client, quota, 1_200);
  await world.fixtures.override(client, 'polling_interval_seconds', 300, new Date('2040-01-01T00:00:00Z'));
  const upsert = (version: string, orderData: object, vehicleData: object) =>
    sharing.upsert('sandbox', [
      { type: 'order', key: keys.order, user, version, historyComplete: true, data: orderData },
      { type: 'vehicle', key: keys.vehicle, version, historyComplete: true, data: vehicleData },
    ]);
  await upsert('1', { status: 'placed', model: 'Kestrel', market: 'DE' }, { status: 'available', model: 'Tarn', market: 'NL' });
  await upsert('2', completeOrder, completeVehicle);
  await upsert('3', { ...completeOrder, status: 'delivered', trim: null }, { ...completeVehicle, status: 'sold' });
  await upsert('4', completeOrder, completeVehicle);
  const { code } = await sharing.codeFor(client, { user, orders: [keys.order], vehicles: [keys.vehicle] });
  const redeemed = await note('redeemLinkCode', machine.call('/v1/link-codes/redeem', { method: 'POST', body: { code } }));
  const { resources } = redeemed.body as { resources: { id: string; type: string }[] };
  const [orderId, vehicleId] = ['order', 'vehicle'].map((type) => resources.find((resource) => resource.type === type)?.id ?? '');
  const revoked = await sharing.share(client, { orders: 2, vehicles: 1 });
  const revocationId = await sharing.revokeResource(client, revoked.orders[0] ?? '');
  await sharing.revokeConnection(client, revoked.connectionId);
  await callAll(machine, { orderId: orderId ?? '', vehicleId: vehicleId ?? '', revokedId: revoked.orders[0] ?? '', revocationId, code });

  const inSandbox = await world.backEnd();
  const now = world.clock.now();
  const owner = { clientNumber: inSandbox.client.number, clientId: inSandbox.client.id, generation: 1, scopes: allScopes, now };
  await world.em().transactional((tx) => storeCorpus(tx, owner, generateCorpus({ seed: 'walk', now, scopes: allScopes })));
  const first = await note('getSync', inSandbox.machine.call('/v1/sync'));
  await note('getSync', inSandbox.machine.call(`/v1/sync?updated_since=${(first.body as { next_cursor: string }).next_cursor}`));
  await note('getOrderStatistics', inSandbox.machine.call('/v1/statistics/orders'));
}

type Known = { orderId: string; vehicleId: string; revokedId: string; revocationId: string; code: string };

async function callAll(machine: MachineClient, { orderId, vehicleId, revokedId, revocationId, code }: Known): Promise<void> {
  await note('getCapabilities', machine.call('/v1/capabilities'));
  await note('getSync', machine.call('/v1/sync'));
  await note('getSync', machine.call('/v1/sync?limit=1'));
  await note('getSync', machine.call('/v1/sync?limit=0'));
  await note('getSync', machine.call('/v1/sync?updated_since=x'));
  for (const id of [orderId, revokedId, newId('ord')]) {
    await note('getOrder', machine.call(`/v1/orders/${id}`));
    await note('getOrderHistory', machine.call(`/v1/orders/${id}/history`));
    await note('getOrderHistory', machine.call(`/v1/orders/${id}/history?limit=1`));
  }
  for (const id of [vehicleId, newId('veh')]) {
    await note('getVehicle', machine.call(`/v1/vehicles/${id}`));
    await note('getVehicleHistory', machine.call(`/v1/vehicles/${id}/history`));
    await note('getVehicleHistory', machine.call(`/v1/vehicles/${id}/history?limit=1`));
  }
  await note('getOrderStatistics', machine.call('/v1/statistics/orders'));
  await note('redeemLinkCode', machine.call('/v1/link-codes/redeem', { method: 'POST', body: { code } }));
  await note('redeemLinkCode', machine.call('/v1/link-codes/redeem', { method: 'POST', body: { code: 1 } }));
  const acknowledgement = { method: 'POST', body: { deletion_completed: true } };
  const path = `/v1/revocations/${revocationId}/ack`;
  await note('acknowledgeRevocation', machine.call(path, acknowledgement));
  await note('acknowledgeRevocation', machine.call(path, { ...acknowledgement, headers: { 'Idempotency-Key': 'a' } }));
}

describe('what the order-tracking service hands in', () => {
  test.each([...forbiddenOrders, ...forbiddenVehicles])(
    'is refused by its path, and changes nothing: $name',
    async ({ type, data, path }) => {
      const count = async () => (await world.fixtures.sql`select count(*)::int as count from tracked_resource`)[0]?.['count'] as number;
      const before = await count();
      const known = { version: '9', historyComplete: true };
      const batch = [
        { ...known, type: 'order' as const, key: newId('key'), user, data: completeOrder },
        { ...known, type, key: newId('key'), ...(type === 'order' && { user }), data },
      ];
      await expect(sharing.upsert('sandbox', batch)).rejects.toMatchObject({
        code: 'invalid_request',
        fields: expect.arrayContaining([expect.objectContaining({ path: `resources[1].data.${path}` })]) as unknown,
      });
      expect(await count()).toBe(before);
    },
  );
});

describe('what the machine API answers', () => {
  // EST answers with certificates, which certificateRenewal.test.ts reads.
  const withFields = operations.filter(({ costClass }) => costClass !== 'est');

  test('covers every operation whose answers have fields', () => {
    const answered = answers.filter(({ answer }) => answer.status === 200).map(({ operation }) => operation);
    expect([...new Set(answered)].sort()).toEqual(withFields.map(({ name }) => name).sort());
  });

  test.each(withFields.map(({ name }) => name))('%s has no field beyond the allowlist, and has each of it somewhere', (name) => {
    const bodies = answers.filter(({ operation, answer }) => operation === name && answer.status === 200).map(({ answer }) => answer.body);
    const seen = new Set(bodies.flatMap((body) => fieldsOf(body)));
    expect([...seen].sort()).toEqual([...(leavingFields[name] ?? [])].sort());
  });

  test('problems have no field beyond RFC 9457 and the contract’s members', () => {
    const seen = answers.filter(({ answer }) => answer.status >= 400).flatMap(({ answer }) => fieldsOf(answer.body));
    expect([...new Set(seen)].filter((field) => !problemFields.has(field))).toEqual([]);
  });

  test.each([
    ['getOrderHistory', orderFields],
    ['getVehicleHistory', vehicleFields],
  ] as const)('%s names changes of allowed fields only', (name, fields) => {
    const paths = answers
      .filter(({ operation, answer }) => operation === name && answer.status === 200)
      .flatMap(({ answer }) => (answer.body as { items: { changes: { path: string }[] }[] }).items)
      .flatMap((item) => item.changes.map(({ path }) => path.replaceAll(/\[\d+\]/g, '[]')));
    expect([...new Set(paths)].sort()).toEqual([...fields].sort());
  });

  test('holds no reference to a user or a source, in no form, and nothing that was refused', () => {
    const { lookup } = world.keyRing;
    const hidden = [
      userRef(lookup, 'sandbox', user),
      sourceKey(lookup, 'sandbox', 'order', keys.order),
      sourceKey(lookup, 'sandbox', 'vehicle', keys.vehicle),
    ].flatMap((bytes) => [bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url')]);
    for (const { answer } of answers) {
      const everything = JSON.stringify(answer.headers) + answer.text;
      for (const secret of [...hidden, ...Object.values(markers)]) expect(everything).not.toContain(secret);
    }
  });
});

describe('what is written past the rules, straight into storage', () => {
  const update = (text: string) => Promise.resolve(world.fixtures.sql.unsafe(text));

  test.each([
    ['a third type', `update tracked_resource set type = 'account'`],
    ['a third environment', `update tracked_resource set environment = 'test'`],
    ['a snapshot above 16,000 bytes', `update tracked_resource set core = repeat('x', 16001)`],
    ['a shipping section of a vehicle', `update tracked_resource set shipping = '{"vessel":"x"}' where type = 'vehicle'`],
    ['a section of its own', `update tracked_change set section = 'private'`],
    [
      'shipping changes among those of the order',
      `update tracked_change set changes = '[{"path":"shipping.vessel","to":"x"}]' where section = 'core'`,
    ],
    ['a share of a third type', `update shared_resource set type = 'account'`],
  ])('%s is refused', async (_name, text) => {
    await expect(update(text)).rejects.toThrow('check constraint');
  });

  test('a consent that is wider than the client’s scopes shows no more than those', async () => {
    const { client, machine } = await world.backEnd({ scopes: ['orders.read'] });
    const connection = await world.fixtures.connection(client, ['orders.read']);
    const [id = ''] = await world.fixtures.share(client, connection, 1, { consented: ['orders.read'], shipping: true });
    const [hidden = ''] = await world.fixtures.share(client, connection, 1, { type: 'vehicle', consented: ['orders.read'] });
    await world.fixtures.sql`update shared_resource set consented = 127 where client_number = ${client.number}`;
    await world.fixtures.sql`update connection set scopes = ${[...allScopes]} where client_number = ${client.number}`;
    const { upserts } = (await machine.call('/v1/sync')).body as { upserts: object[] };
    expect(upserts).toEqual([(await machine.call(`/v1/orders/${id}`)).body]);
    expect(fieldsOf(upserts[0]).filter((field) => field.startsWith('shipping'))).toEqual([]);
    expect(upserts[0]).toMatchObject({ scopes: ['orders.read'] });
    expect((await machine.call(`/v1/vehicles/${hidden}`)).status).toBe(403);
  });

  test('what a generation was computed from stays inside', async () => {
    const { client, machine } = await world.backEnd();
    await world.fixtures.generation(client, { groups: '[]' });
    await world.fixtures.sql`update statistics_generation set basis = ${JSON.stringify(markers)} where client_number = ${client.number}`;
    const { text } = await machine.call('/v1/statistics/orders');
    for (const marker of Object.values(markers)) expect(text).not.toContain(marker);
  });
});
