import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { DomainError } from '../../../server/domain/shared/DomainError.ts';
import { limits } from '../../../server/domain/shared/limits.ts';
import { allScopes } from '../../../server/domain/shared/scopes.ts';
import { withdrawTrackedResources } from '../../../server/domain/sharing/revocation/withdrawTrackedResources.ts';
import type { OrderData } from '../../../server/domain/tracking/allowlist.ts';
import type { Change } from '../../../server/domain/tracking/diff.ts';
import type { UpsertInput } from '../../../server/domain/tracking/judgeUpserts.ts';
import { sampleOrder, sampleShipping, sampleVehicle } from '../../support/world/samples.ts';
import { openWorld } from '../../support/world/openWorld.ts';
import type { World } from '../../support/world/World.ts';
import { listenToStatements, statementsOf } from '../../support/database/queryPlans.ts';
import { Tracking } from '../../support/world/Tracking.ts';
import { applyChanges } from './applyChanges.ts';

const now = new Date('2026-11-21T10:00:00.250Z');
const later = (milliseconds: number) => new Date(now.getTime() + milliseconds);
let world: World;
let tracking: Tracking;

beforeAll(async () => {
  listenToStatements();
  world = await openWorld();
  tracking = new Tracking(world);
});

afterAll(() => world.close());

let serial = 0;

/** An order with a key of its own, at version 1. */
function newOrder(fields: Partial<UpsertInput> = {}): UpsertInput {
  serial += 1;
  return { type: 'order', key: `order-${serial}`, version: '1', user: 'anna', historyComplete: true, data: sampleOrder, ...fields };
}

function newVehicle(fields: Partial<UpsertInput> = {}): UpsertInput {
  serial += 1;
  return { type: 'vehicle', key: `vehicle-${serial}`, version: '1', historyComplete: true, data: sampleVehicle, ...fields };
}

/** The next version of the same resource, with other data. */
function next(resource: UpsertInput, fields: Partial<OrderData>, more: Partial<UpsertInput> = {}): UpsertInput {
  const data = { ...(resource.data as OrderData), ...fields };
  return { ...resource, version: String(BigInt(resource.version) + 1n), data, ...more };
}

async function refusalOf(resources: readonly UpsertInput[], at = now): Promise<DomainError> {
  const refusal = await tracking.upsert(resources, { now: at }).catch((error: unknown) => error);
  if (refusal instanceof DomainError) return refusal;
  throw new Error('Nothing was refused.', { cause: refusal });
}

const history = async (resource: UpsertInput) => {
  const row = await tracking.stored(resource);
  return world.fixtures.sql<{ sequence: string; section: string; occurredAt: Date; changes: string }[]>`
    select sequence, section, occurred_at as "occurredAt", changes from tracked_change where tracked_resource_id = ${row?.id ?? ''} order by sequence`;
};

test('a new order and a new stock vehicle are created, a newer version updates, an equal or older one is ignored', async () => {
  const order = newOrder({ version: '5' });
  const vehicle = newVehicle();
  expect(await tracking.upsert([order, vehicle], { now })).toEqual({ created: 2, updated: 0, unchanged: 0, ignored: 0 });
  expect(await tracking.upsert([{ ...next(order, { status: 'built' }), version: '6' }], { now })).toMatchObject({ updated: 1 });
  for (const version of ['6', '5', '0']) {
    expect(await tracking.upsert([{ ...next(order, { status: 'cancelled' }), version }], { now })).toMatchObject({
      ignored: 1,
      updated: 0,
    });
  }
  expect(await tracking.stored(order)).toMatchObject({ version: '6', core: JSON.stringify({ ...sampleOrder, status: 'built' }) });
});

test('a newer version with the same projection raises the version only', async () => {
  const order = newOrder();
  await tracking.upsert([order], { now });
  const client = await world.fixtures.listeningClient();
  const { ids } = await tracking.share(client, 'anna', [order]);
  const before = await tracking.shareRow(client, ids[0]!);
  const sameInOtherWords = { ...next(order, { trim: null, production: {} }), version: '900' };
  expect(await tracking.upsert([sameInOtherWords], { now: later(1) })).toEqual({ created: 0, updated: 0, unchanged: 1, ignored: 0 });
  expect(await tracking.stored(order)).toMatchObject({ version: '900' });
  expect(await history(order)).toHaveLength(1);
  expect(await tracking.shareRow(client, ids[0]!)).toEqual(before);
});

test('versions are whole 64-bit numbers: neighbours beyond the precision of a double differ', async () => {
  const order = newOrder({ version: '9223372036854775806' });
  await tracking.upsert([order], { now });
  expect(await tracking.upsert([{ ...next(order, { status: 'built' }), version: '9223372036854775807' }], { now })).toMatchObject({
    updated: 1,
  });
  for (const version of ['9223372036854775808', '-1', '1.0', '', '1e3', ' 1', '01234567890123456789']) {
    const refusal = await refusalOf([newOrder({ version })]);
    expect(refusal.fields).toEqual([{ path: 'resources[0].version', message: expect.stringContaining('from 0 to 9223372036854775807') }]);
  }
});

test('the same batch twice changes nothing the second time', async () => {
  const batch = [newOrder(), newVehicle(), newOrder({ data: { ...sampleOrder, shipping: sampleShipping } })];
  await tracking.upsert(batch, { now });
  const before = await tracking.everything();
  expect(await tracking.upsert(batch, { now: later(5) })).toEqual({ created: 0, updated: 0, unchanged: 0, ignored: 3 });
  expect(await tracking.everything()).toBe(before);
});

test('the history of any sequence of versions replays to the snapshot, with indexed paths', async () => {
  const first = newOrder();
  const steps = [
    first,
    next(first, { status: 'confirmed', option_codes: ['MKE', 'TLR2', 'PRR5', 'TOW1'] }),
    next(first, { status: 'in_transit', option_codes: ['MKE'], shipping: sampleShipping }),
    next(first, { status: 'in_transit', option_codes: ['MKE'], shipping: { ...sampleShipping, vessel: 'Jade Estuary', events: [] } }),
    next(first, { status: 'delivered', option_codes: null, shipping: null, delivery_estimate: { from: '2026-11-20' } }),
  ].map((step, index) => ({ ...step, version: String(index + 1), occurredAt: later(-1_000_000 + index * 1_000) }));
  for (const [index, step] of steps.entries()) await tracking.upsert([step], { now: later(index * 10) });

  const items = await history(first);
  expect(items.map(({ section }) => section)).toEqual(['core', 'core', 'core', 'shipping', 'shipping', 'core', 'shipping']);
  const changes = items.flatMap((item) => JSON.parse(item.changes) as Change[]);
  expect(changes).toContainEqual({ path: 'option_codes[2]', from: 'PFB4', to: 'PRR5' });
  expect(changes).toContainEqual({ path: 'shipping.events[0].kind', from: 'loaded' });
  const row = await tracking.stored(first);
  expect(applyChanges({}, changes)).toEqual({ ...JSON.parse(row!.core) });
  expect(items[1]?.occurredAt).toEqual(steps[1]?.occurredAt);
});

test('sequences rise with the time of recording, also within one upsert and when clocks go back', async () => {
  const order = newOrder({ data: { ...sampleOrder, shipping: sampleShipping } });
  await tracking.upsert([order], { now });
  await tracking.upsert([next(order, { status: 'built' })], { now: later(-5_000) });
  await tracking.upsert([{ ...next(order, { status: 'delivered' }), version: '3' }], { now: later(5_000) });
  const start = now.getTime();
  expect((await history(order)).map(({ sequence }) => Number(sequence) - start)).toEqual([0, 1, 2, 5_000]);
});

test('what a resource looks like since when is told by occurredAt, or is now', async () => {
  const order = newOrder({ occurredAt: '2026-11-20T09:00:00.5+02:00' });
  await tracking.upsert([order], { now });
  await tracking.upsert([next(order, { status: 'built' }, { occurredAt: null })], { now: later(7) });
  expect((await history(order)).map(({ occurredAt }) => occurredAt.toISOString())).toEqual([
    '2026-11-20T07:00:00.500Z',
    later(7).toISOString(),
  ]);
  expect(await tracking.upsert([newOrder({ occurredAt: later(60_000) })], { now })).toMatchObject({ created: 1 });
  for (const occurredAt of [
    later(60_001),
    later(60_001).toISOString(),
    'yesterday',
    '2026-11-20',
    '1985-04-12T00:00:00Z',
    new Date(Number.NaN),
  ]) {
    expect((await refusalOf([newOrder({ occurredAt })])).fields.map(({ path }) => path)).toEqual(['resources[0].occurredAt']);
  }
});

test('a change raises the revision of every share that may see it, once, with its event', async () => {
  const order = newOrder();
  await tracking.upsert([order], { now });
  const clients = [await world.fixtures.listeningClient(), await world.fixtures.listeningClient()];
  const shares = [];
  for (const client of clients) shares.push({ client, id: (await tracking.share(client, 'anna', [order])).ids[0]! });
  const moment = later(42);
  await tracking.upsert([next(order, { status: 'built', option_codes: ['MKE'] })], { now: moment });
  for (const { client, id } of shares) {
    expect(await tracking.shareRow(client, id)).toEqual({ revision: '2', position: '2', updatedAt: moment });
    const events = await world.fixtures
      .sql`select type, resource_id from webhook_event where client_number = ${client.number} and type = 'resource.updated'`;
    expect(events).toEqual([{ type: 'resource.updated', resource_id: id }]);
  }
});

test('a change of shipping moves no share without shipping.read, neither its revision nor its time nor its feed', async () => {
  const order = newOrder({ data: { ...sampleOrder, shipping: sampleShipping } });
  await tracking.upsert([order], { now });
  const withoutShipping = allScopes.filter((scope) => scope !== 'shipping.read');
  const seeing = await world.fixtures.listeningClient();
  const withoutConsent = await world.fixtures.listeningClient();
  const withoutScope = await world.fixtures.listeningClient({ scopes: withoutShipping });
  const ids = [
    (await tracking.share(seeing, 'anna', [order])).ids[0]!,
    (await tracking.share(withoutConsent, 'anna', [order], { scopes: withoutShipping })).ids[0]!,
    (await tracking.share(withoutScope, 'anna', [order])).ids[0]!,
  ] as const;
  // This client has lost the scope after the user's consent.
  const lost = await world.fixtures.listeningClient();
  const lostId = (await tracking.share(lost, 'anna', [order])).ids[0]!;
  await world.fixtures.sql`update client set scopes = ${withoutShipping} where number = ${lost.number}`;
  const hidden = [
    { client: withoutConsent, id: ids[1] },
    { client: withoutScope, id: ids[2] },
    { client: lost, id: lostId },
  ];
  const before = await Promise.all(hidden.map(({ client, id }) => tracking.shareRow(client, id)));

  await tracking.upsert([next(order, { shipping: { ...sampleShipping, vessel: 'Coral Meridian' } })], { now: later(9) });
  expect(await tracking.shareRow(seeing, ids[0])).toMatchObject({ revision: '2', updatedAt: later(9) });
  expect(await Promise.all(hidden.map(({ client, id }) => tracking.shareRow(client, id)))).toEqual(before);
  for (const { client } of hidden) {
    const [feed] = await world.fixtures.sql`select head from client_feed where client_number = ${client.number}`;
    expect(feed).toEqual({ head: '1' });
    expect(
      await world.fixtures.sql`select 1 from webhook_event where client_number = ${client.number} and type = 'resource.updated'`,
    ).toHaveLength(0);
  }
});

test('a change of what a client cannot read at all moves nothing in its feed', async () => {
  const vehicle = newVehicle();
  await tracking.upsert([vehicle], { now });
  const client = await world.fixtures.listeningClient();
  const { ids } = await tracking.share(client, 'anna', [vehicle]);
  await world.fixtures.sql`update client set scopes = ${['orders.read']} where number = ${client.number}`;
  await tracking.upsert([{ ...vehicle, version: '2', data: { ...sampleVehicle, status: 'sold' } }], { now: later(1) });
  expect(await tracking.shareRow(client, ids[0]!)).toMatchObject({ revision: '1', position: '1' });
});

test('history_complete stands in every snapshot, so its change raises the revision and adds nothing to the history', async () => {
  const order = newOrder({ historyComplete: false });
  await tracking.upsert([order], { now });
  const client = await world.fixtures.listeningClient({ scopes: ['orders.read'] });
  const { ids } = await tracking.share(client, 'anna', [order]);
  expect(await tracking.upsert([next(order, {}, { historyComplete: true })], { now: later(1) })).toMatchObject({ updated: 1 });
  expect(await tracking.stored(order)).toMatchObject({ historyComplete: true });
  expect(await tracking.shareRow(client, ids[0]!)).toMatchObject({ revision: '2' });
  expect(await history(order)).toHaveLength(1);
});

test('an order needs its user and keeps it; a stock vehicle has none', async () => {
  const order = newOrder();
  await tracking.upsert([order], { now });
  const before = await tracking.everything();
  const other = newOrder();
  for (const version of ['0', '2']) {
    const refusal = await refusalOf([other, { ...order, user: 'bert', version }]);
    expect(refusal.fields).toEqual([{ path: 'resources[1].user', message: expect.not.stringContaining('bert') }]);
  }
  for (const user of [undefined, null, '', 'with space', 'x'.repeat(201)]) {
    expect((await refusalOf([newOrder({ user })])).fields.map(({ path }) => path)).toEqual(['resources[0].user']);
  }
  expect((await refusalOf([newVehicle({ user: 'anna' })])).fields.map(({ path }) => path)).toEqual(['resources[0].user']);
  expect(await tracking.everything()).toBe(before);
});

test('keys are 1 to 200 visible characters, each once in a batch; an order and a vehicle may have the same', async () => {
  for (const key of ['', 'with space', 'tab\t', 'ü', 'x'.repeat(201)]) {
    expect((await refusalOf([newOrder({ key })])).fields.map(({ path }) => path)).toEqual(['resources[0].key']);
  }
  const twice = newOrder({ key: 'the-same' });
  expect((await refusalOf([twice, newVehicle({ key: twice.key }), twice])).fields).toEqual([
    { path: 'resources[2].key', message: expect.not.stringContaining(twice.key) },
  ]);
  expect(await tracking.upsert([twice, newVehicle({ key: twice.key })], { now })).toMatchObject({ created: 2 });
});

test('a batch has 1 to 1,000 resources', async () => {
  for (const count of [0, 1_001]) {
    expect((await refusalOf(Array.from({ length: count }, () => newOrder()))).fields.map(({ path }) => path)).toEqual(['resources']);
  }
  const batch = Array.from({ length: 1_000 }, () => newOrder());
  expect(await tracking.upsert(batch, { now })).toMatchObject({ created: 1_000 });
  expect(
    await tracking.upsert(
      batch.map((order) => next(order, { status: 'built' })),
      { now: later(1) },
    ),
  ).toMatchObject({ updated: 1_000 });
});

test('sandbox and production never meet: one key is two resources', async () => {
  const order = newOrder();
  await tracking.upsert([order], { now, environment: 'sandbox' });
  expect(await tracking.upsert([{ ...order, user: 'bert' }], { now, environment: 'production' })).toMatchObject({ created: 1 });
  await tracking.upsert([next(order, { status: 'built' }, { user: 'bert' })], { now, environment: 'production' });
  expect((await tracking.stored(order, 'sandbox'))?.core).toContain('placed');
  expect((await tracking.stored(order, 'production'))?.core).toContain('built');
});

test('what a withdrawal has deleted of a history stays missing: it is never whole again, whatever is said', async () => {
  const order = newOrder();
  await tracking.upsert([order], { now });
  await withdrawTrackedResources(world.orm.em.fork(), {
    actor: tracking.actor(),
    lookupKeys: tracking.lookupKeys,
    resources: [order],
    now,
  });
  expect(await tracking.upsert([next(order, {})], { now: later(1) })).toMatchObject({ updated: 1 });
  expect(await tracking.stored(order)).toMatchObject({ withdrawnAt: null, historyComplete: false });
  const again = next(order, {}, { version: '3', historyComplete: true });
  expect(await tracking.upsert([again], { now: later(2) })).toMatchObject({ unchanged: 1 });
  expect(await tracking.stored(order)).toMatchObject({ historyComplete: false });
});

test('a newer version brings a withdrawn resource back, shared with nobody; the version that was withdrawn does not', async () => {
  const order = newOrder({ data: { ...sampleOrder, shipping: sampleShipping } });
  await tracking.upsert([order], { now });
  const client = await world.fixtures.listeningClient();
  const { ids } = await tracking.share(client, 'anna', [order]);
  const { lookupKeys } = tracking;
  await withdrawTrackedResources(world.orm.em.fork(), { actor: tracking.actor(), lookupKeys, resources: [order], now });
  expect(await tracking.upsert([order], { now })).toMatchObject({ ignored: 1 });
  expect(await tracking.stored(order)).toMatchObject({ withdrawnAt: now });

  const [before, ended] = [await history(order), await tracking.shareRow(client, ids[0]!)];
  expect(await tracking.upsert([next(order, {})], { now: later(3) })).toMatchObject({ updated: 1 });
  expect(await tracking.stored(order)).toMatchObject({ withdrawnAt: null, version: '2', core: JSON.stringify(sampleOrder) });
  const changes = (await history(order)).flatMap((item) => JSON.parse(item.changes) as Change[]);
  expect({ before, state: applyChanges({}, changes) }).toEqual({ before: [], state: { ...sampleOrder, shipping: sampleShipping } });
  expect(await tracking.shareRow(client, ids[0]!)).toEqual(ended);
});

const vin = 'WVWZZZ1KZAW386752';
const orderNumber = 'RN117463529';
const address = 'anna@example.com';
const event = sampleShipping.events[0]!;

test.each<[string, Record<string, unknown>, string]>([
  ['a VIN', { vin }, 'vin'],
  ['an order number', { order_number: orderNumber }, 'order_number'],
  ['an address', { address: { street: 'Lindenallee 4', city: 'Musterstadt' } }, 'address'],
  ['an email address', { email: address }, 'email'],
  ['a vehicle name', { vehicle_name: 'Blitz' }, 'vehicle_name'],
  ['a position', { gps: [49.45, 11.07] }, 'gps'],
  ['a price', { price: 42_990 }, 'price'],
  ['a lock state', { locked: true }, 'locked'],
  ['a field in other letters', { Status: 'built' }, 'Status'],
  ['a field of another type of resource', { listed_on: '2026-05-01' }, 'listed_on'],
  ['a VIN in production', { production: { vin } }, 'production.vin'],
  ['an address in the delivery estimate', { delivery_estimate: { from: '2026-12-01', address: 'x' } }, 'delivery_estimate.address'],
  ['a position in shipping', { shipping: { ...sampleShipping, gps: '49.45' } }, 'shipping.gps'],
  ['a position in a shipping event', { shipping: { events: [event, { ...event, gps: '49.45' }] } }, 'shipping.events[1].gps'],
  ['a VIN as model', { model: vin }, 'model'],
  ['an order number as trim', { trim: orderNumber }, 'trim'],
  ['an email address as exterior', { exterior: address }, 'exterior'],
  ['a postal address as interior', { interior: 'Lindenallee 4, 12345 Musterstadt' }, 'interior'],
  ['a VIN as vessel', { shipping: { vessel: vin } }, 'shipping.vessel'],
  ['an order number as voyage', { shipping: { voyage: orderNumber } }, 'shipping.voyage'],
  ['a VIN as option code', { option_codes: ['MKE', vin] }, 'option_codes[1]'],
  ['an order number as option code', { option_codes: [orderNumber.slice(0, 10)] }, 'option_codes[0]'],
  ['a birthday as date', { ordered_on: '1985-04-12' }, 'ordered_on'],
  ['an object where a value belongs', { model: { vin } }, 'model'],
  ['a list where an object belongs', { production: [vin] }, 'production'],
])('%s is refused by its path, its value nowhere repeated or stored', async (_, fields, path) => {
  const before = await tracking.everything();
  const good = newOrder();
  const refusal = await refusalOf([good, newOrder({ data: { ...sampleOrder, ...fields } })]);
  expect(refusal.code).toBe('invalid_request');
  expect([...new Set(refusal.fields.map((field) => field.path))]).toEqual([`resources[1].data.${path}`]);
  const told = JSON.stringify(refusal.fields) + refusal.message;
  for (const value of [vin, orderNumber, orderNumber.slice(0, 10), address, 'Lindenallee', '49.45', 'Blitz', '42990', '1985']) {
    expect(told).not.toContain(value);
  }
  expect(await tracking.everything()).toBe(before);
});

test('data that is not an object at all is refused by its path', async () => {
  for (const data of [null, undefined, 'text', 7, [], [sampleOrder]]) {
    expect((await refusalOf([newOrder({ data })])).fields[0]?.path).toMatch(/^resources\[0\]\.data/);
  }
});

test('at most 100 broken rules are listed, however many there are', async () => {
  const refusal = await refusalOf(
    Array.from({ length: 300 }, () => newOrder({ data: { ...sampleOrder, vin, order_number: orderNumber } })),
  );
  expect(refusal.fields).toHaveLength(100);
  expect(refusal.fields[0]).toEqual({
    path: 'resources[0].data.vin',
    message: 'resources[0].data.vin: is not an accepted field',
  });
});

test('no key and no user is stored in the clear', async () => {
  const marker = randomBytes(12).toString('hex');
  await tracking.upsert([newOrder({ key: `key-${marker}`, user: `user-${marker}` })], { now });
  expect(await tracking.everything()).not.toContain(marker);
});

test('batches with the same resources in opposite order, new and known, never block each other for good', async () => {
  const client = await world.fixtures.listeningClient();
  const batch = Array.from({ length: 40 }, () => newOrder());
  await tracking.upsert(batch.slice(0, 20), { now });
  await tracking.share(client, 'anna', batch.slice(0, 20));
  for (let round = 1; round <= 10; round += 1) {
    const fresh = Array.from({ length: 20 }, () => newOrder());
    const all = [...batch, ...fresh];
    const version = (offset: number) => String(round * 10 + offset);
    const writers = Array.from({ length: 6 }, (_, index) => {
      const members = all.map((order) => next(order, { model_year: 2020 + index }, { version: version(index) }));
      return tracking.upsert(index % 2 === 0 ? members : members.toReversed(), { now: later(round) });
    });
    const counts = await Promise.all(writers);
    const created = counts.reduce((sum, count) => sum + count.created, 0);
    expect(created).toBe(round === 1 ? 40 : 20);
    for (const order of all)
      expect(await tracking.stored(order)).toMatchObject({ version: version(5), core: expect.stringContaining('2025') });
  }
});

test('a batch is judged, and compared with what is stored, in many turns of the event loop', async () => {
  const orders = Array.from({ length: 200 }, () => newOrder());
  let turn = 0;
  let counting = true;
  const count = () => {
    turn += 1;
    if (counting) setImmediate(count);
  };
  setImmediate(count);
  /** What was looked at in each turn. */
  const judged = new Map<number, Set<string>>();
  const compared = new Map<number, number>();
  const watched = (order: UpsertInput): UpsertInput => {
    const key = () => {
      judged.set(turn, (judged.get(turn) ?? new Set()).add(order.key));
      return order.key;
    };
    return Object.defineProperty({ ...order }, 'key', { enumerable: true, get: key });
  };
  const parse: (text: string) => unknown = JSON.parse.bind(JSON);
  const spy = jest.spyOn(JSON, 'parse').mockImplementation((text: string) => {
    if (text.includes('"placed"')) compared.set(turn, (compared.get(turn) ?? 0) + 1);
    return parse(text);
  });
  await tracking.upsert(orders.map(watched), { now });
  await tracking.upsert(
    orders.map((order) => watched(next(order, { status: 'built' }))),
    { now: later(1) },
  );
  counting = false;
  spy.mockRestore();
  const most = (counts: Iterable<number>) => Math.max(...counts);
  expect(most(Array.from(judged.values(), ({ size }) => size))).toBe(limits.resourcesPerTurn);
  // Each order was `placed` once before and once after.
  expect([compared.size, most(compared.values())]).toEqual([400 / limits.resourcesPerTurn, limits.resourcesPerTurn]);
});

test('a statement writes as many rows as its limit allows and no more, however large the batch is', async () => {
  const orders = Array.from({ length: 2 * limits.rowsPerStatement + 1 }, () => newOrder());
  const written: number[] = [];
  const upsert = async (batch: readonly UpsertInput[], at: Date) => {
    const { statements } = await statementsOf(() => tracking.upsert(batch, { now: at }));
    const writing = statements.filter(({ text }) => /\b(?:insert into|update) tracked_(?:resource|change)\b/.test(text));
    written.push(...writing.map(({ values }) => Math.max(...values.map((value) => (Array.isArray(value) ? value.length : 0)))));
  };
  await upsert(orders, now);
  await upsert(
    orders.map((order) => next(order, { status: 'built' })),
    later(1),
  );
  const slices = [limits.rowsPerStatement, limits.rowsPerStatement, 1];
  // The resources and their history, each when they are created and when they change.
  expect(written).toEqual([...slices, ...slices, ...slices, ...slices]);
});
