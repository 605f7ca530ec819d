import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { raiseEpoch } from '../../../server/domain/feed/lockFeeds.ts';
import type { MachineClient } from '../../support/clients/machineClient.ts';
import { openWorld, type MachineWorld } from '../../support/world/openWorld.ts';
import { expectProblem } from '../../support/clients/problems.ts';

type Page = {
  upserts: { id: string; type: string; revision: number; scopes: string[]; updated_at: string; shipping?: object; status: string }[];
  tombstones: { revocation_id: string; subject: { type: string; id: string }; resource?: { id: string; type: string } }[];
  next_cursor: string;
  has_more: boolean;
};

let world: MachineWorld;
beforeAll(async () => {
  world = await openWorld({ machine: true });
});
afterAll(() => world.close());

async function syncToTheEnd(machine: MachineClient, { limit, from }: { limit?: number; from?: string } = {}): Promise<Page[]> {
  const pages: Page[] = [];
  let cursor = from;
  do {
    const query = new URLSearchParams({
      ...(cursor !== undefined && { updated_since: cursor }),
      ...(limit !== undefined && { limit: String(limit) }),
    });
    const response = await machine.call(`/v1/sync?${query.toString()}`);
    expect(response.status).toBe(200);
    const page = response.body as Page;
    pages.push(page);
    cursor = page.next_cursor;
  } while (pages.at(-1)?.has_more);
  return pages;
}

/** 500 orders, 50 vehicles and one order that was revoked: a sandbox as the portal makes it. */
async function sandbox(options: Parameters<MachineWorld['backEnd']>[0] = {}) {
  const operator = await world.backEnd(options);
  const connection = await world.fixtures.connection(operator.client);
  const orders = await world.fixtures.share(operator.client, connection, 501, { shipping: true });
  const vehicles = await world.fixtures.share(operator.client, connection, 50, { type: 'vehicle' });
  const revoked = orders.pop() ?? '';
  const revocationId = await world.fixtures.revoke(operator.client, connection, revoked);
  return { ...operator, connection, orders, vehicles, revoked, revocationId };
}

test('an initial sync brings every order, vehicle and tombstone once, in pages of at most 500', async () => {
  const { machine, orders, vehicles, revoked, revocationId, connection } = await sandbox();
  const pages = await syncToTheEnd(machine);
  expect(pages.map((page) => page.upserts.length + page.tombstones.length)).toEqual([500, 51]);
  expect(pages.flatMap((page) => page.upserts.map((record) => record.id))).toEqual([...orders, ...vehicles]);
  expect(pages.flatMap((page) => page.tombstones)).toMatchObject([
    {
      revocation_id: revocationId,
      subject: { type: 'resource', id: revoked },
      connection_id: connection,
      resource: { id: revoked, type: 'order' },
    },
  ]);
  expect(pages[0]?.upserts[0]).toMatchObject({ type: 'order', revision: 1, status: 'placed', shipping: { vessel: 'Test' } });
  expect(pages[1]?.upserts.at(-1)).not.toHaveProperty('shipping');
});

test('small pages bring the same records in the same order', async () => {
  const { machine, client, orders, vehicles } = await sandbox();
  await world.fixtures.override(client, 'requests_per_minute', 100);
  const pages = await syncToTheEnd(machine, { limit: 37 });
  expect(pages).toHaveLength(15);
  expect(pages.every((page) => page.upserts.length + page.tombstones.length <= 37)).toBe(true);
  expect(pages.flatMap((page) => page.upserts.map((record) => record.id))).toEqual([...orders, ...vehicles]);
});

test('a client with orders.read alone sees orders without shipping and no vehicle', async () => {
  const { machine, orders } = await sandbox({ scopes: ['orders.read'] });
  const records = (await syncToTheEnd(machine)).flatMap((page) => page.upserts);
  expect(records.map((record) => record.id)).toEqual(orders);
  expect(records[0]?.scopes).toEqual(['orders.read']);
  expect(records.some((record) => 'shipping' in record)).toBe(false);
});

test('a client with vehicles.read alone sees vehicles only', async () => {
  const { machine, vehicles } = await sandbox({ scopes: ['vehicles.read'] });
  const records = (await syncToTheEnd(machine)).flatMap((page) => page.upserts);
  expect(records.map((record) => record.id)).toEqual(vehicles);
});

test('a connection shows what its user consented to, whatever the client may', async () => {
  const { client, machine } = await world.backEnd();
  const connection = await world.fixtures.connection(client, ['orders.read']);
  const [order] = await world.fixtures.share(client, connection, 1, { consented: ['orders.read'], shipping: true });
  await world.fixtures.share(client, connection, 1, { type: 'vehicle', consented: ['orders.read'] });
  const [page] = await syncToTheEnd(machine);
  expect(page?.upserts.map((record) => record.id)).toEqual([order]);
  expect(page?.upserts[0]).toMatchObject({ scopes: ['orders.read'] });
  expect(page?.upserts[0]).not.toHaveProperty('shipping');
});

test('after the end a cursor brings what changed since, and nothing else', async () => {
  const { client, machine, orders } = await sandbox();
  const cursor = (await syncToTheEnd(machine)).at(-1)?.next_cursor;
  const [unchanged] = await syncToTheEnd(machine, { from: cursor });
  expect(unchanged).toEqual({ upserts: [], tombstones: [], next_cursor: cursor, has_more: false });
  await world.fixtures.touch(client, orders[7] ?? '');
  const [changed] = await syncToTheEnd(machine, { from: cursor });
  expect(changed?.upserts).toMatchObject([{ id: orders[7], revision: 2 }]);
});

test('an empty feed is one empty page with a cursor that goes on working', async () => {
  const { client, machine } = await world.backEnd();
  const [page] = await syncToTheEnd(machine);
  expect(page).toMatchObject({ upserts: [], tombstones: [], has_more: false });
  const connection = await world.fixtures.connection(client);
  const ids = await world.fixtures.share(client, connection, 2);
  expect((await syncToTheEnd(machine, { from: page?.next_cursor }))[0]?.upserts.map((record) => record.id)).toEqual(ids);
});

test('a repeated page is 304 with If-None-Match, until anything in the feed changes', async () => {
  const { client, machine, orders } = await sandbox();
  const first = await machine.call('/v1/sync');
  const etag = first.headers.etag ?? '';
  expect(first.headers['cache-control']).toBe('private, no-cache');
  for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const repeated = await machine.call('/v1/sync', { headers: { 'If-None-Match': header } });
    expect(repeated).toMatchObject({ status: 304, text: '' });
    expect(repeated.headers).toMatchObject({ etag, 'cache-control': 'private, no-cache', ratelimit: expect.any(String) });
  }
  for (const header of ['"other"', 'not a tag', `${etag} garbage"`]) {
    expect(await machine.call('/v1/sync', { headers: { 'If-None-Match': header } })).toMatchObject({ status: 200, text: first.text });
  }
  expect((await machine.call('/v1/sync?limit=499', { headers: { 'If-None-Match': etag } })).status).toBe(200);
  await world.fixtures.touch(client, orders[0] ?? '');
  const changed = await machine.call('/v1/sync', { headers: { 'If-None-Match': etag } });
  expect(changed.status).toBe(200);
  expect(changed.headers.etag).not.toBe(etag);
});

test('a cursor of another client, an altered one and one beyond the head are refused alike', async () => {
  const mine = await sandbox();
  const other = await sandbox();
  const cursor = (await syncToTheEnd(mine.machine)).at(-1)?.next_cursor ?? '';
  expectProblem(await other.machine.call(`/v1/sync?updated_since=${cursor}`), 'invalid_cursor');
  const altered = cursor.slice(0, 20) + (cursor[20] === 'A' ? 'B' : 'A') + cursor.slice(21);
  for (const wrong of [altered, '', 'x', `${cursor}A`, cursor.slice(0, -1)]) {
    expectProblem(await mine.machine.call(`/v1/sync?updated_since=${wrong}`), 'invalid_cursor', {
      errors: [{ parameter: 'updated_since', detail: expect.any(String) }],
    });
  }
  expectProblem(await mine.machine.call('/v1/sync?updated_since='), 'invalid_cursor', {
    detail: 'updated_since is empty. The first sync leaves it out, and so does a recovery sync.',
  });
  await world.fixtures.sql`update client_feed set head = head - 1 where client_number = ${mine.client.number}`;
  expectProblem(await mine.machine.call(`/v1/sync?updated_since=${cursor}`), 'invalid_cursor');
});

test('a new epoch of the feed refuses old cursors and raises every revision, at its own time', async () => {
  const { client, machine } = await sandbox();
  const before = await machine.call('/v1/sync');
  const began = new Date(Date.now() + 60_000);
  await world.em().transactional((tx) => raiseEpoch(tx, client.number, began));
  expectProblem(await machine.call(`/v1/sync?updated_since=${(before.body as Page).next_cursor}`), 'invalid_cursor');
  const after = await machine.call('/v1/sync', { headers: { 'If-None-Match': before.headers.etag ?? '' } });
  expect(after.status).toBe(200);
  const [first] = (after.body as Page).upserts;
  expect(first?.revision).toBe(2);
  expect(new Set((after.body as Page).upserts.map(({ updated_at }) => updated_at))).toEqual(new Set([began.toISOString()]));
  const detail = await machine.call(`/v1/${first?.type}s/${first?.id}`);
  expect(detail.body).toMatchObject({ revision: 2, updated_at: began.toISOString() });
});

test('the tombstones of a revoked connection end with one for the connection itself', async () => {
  const { client, machine } = await world.backEnd();
  const connection = await world.fixtures.connection(client);
  const [order] = await world.fixtures.share(client, connection, 1);
  const revocation = await world.fixtures.revoke(client, connection, order ?? '');
  await world.fixtures.sql`update revocation set subject_type = 'connection', subject_id = ${connection} where id = ${revocation}`;
  await world.fixtures.sql`update client_feed set head = head + 1 where client_number = ${client.number}`;
  await world.fixtures
    .sql`update connection set revocation_id = ${revocation}, position = (select head from client_feed where client_number = ${client.number}) where id = ${connection}`;
  const [page] = await syncToTheEnd(machine);
  expect(page?.tombstones).toMatchObject([
    { subject: { type: 'connection', id: connection }, resource: { id: order, type: 'order' } },
    { subject: { type: 'connection', id: connection } },
  ]);
  expect(page?.tombstones[1]).not.toHaveProperty('resource');
});

test('a parameter that is doubled or out of range is named in the refusal, and one that is unknown is not repeated', async () => {
  const { machine } = await world.backEnd();
  for (const [query, parameter] of [
    ['limit=0', 'limit'],
    ['limit=501', 'limit'],
    ['limit=1e2', 'limit'],
    ['limit=5&limit=6', 'limit'],
    ['limit=', 'limit'],
  ] as const) {
    expectProblem(await machine.call(`/v1/sync?${query}`), 'invalid_request', {
      errors: [{ parameter, detail: expect.any(String) }],
    });
  }
  expectProblem(await machine.call('/v1/sync?offset=x'), 'invalid_request', {
    errors: [{ detail: expect.not.stringContaining('offset') }],
  });
});

test('a client without a reading scope is told which scopes would do', async () => {
  const { machine } = await world.backEnd({ scopes: ['revocations.ack'] });
  expectProblem(await machine.call('/v1/sync'), 'scope_required', {
    required_scopes: ['orders.read', 'vehicles.read'],
    missing_in: 'client',
  });
});
