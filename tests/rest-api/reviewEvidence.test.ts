import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openUsageClient } from '../../rest-api/database/databaseClients.ts';
import type { CountedKind } from '../../server/domain/evidence/evidenceKinds.ts';
import { evidenceOf } from '../../server/domain/evidence/evidenceOf.ts';
import { writeUsage } from '../../server/domain/usage/writeUsage.ts';
import { finishedRequest } from '../support/world/finishedRequests.ts';
import type { TestClient } from '../support/world/Fixtures.ts';
import { openWorld, type MachineWorld } from '../support/world/openWorld.ts';
import { Sharing } from '../support/feed/sharing.ts';
import { patient } from '../support/patience.ts';

let world: MachineWorld;
let sharing: Sharing;
beforeAll(async () => {
  world = await openWorld({ machine: true });
  sharing = new Sharing(world);
});
afterAll(() => world.close());

const counts = async ({ number }: TestClient): Promise<Record<string, number>> => {
  const rows = await world.fixtures.sql<{ kind: string; count: number }[]>`
    select kind, count::int from review_evidence where client_number = ${number}`;
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]));
};

/** The evidence once it contains this, because the recorder writes up to a second later. */
async function evidence(client: TestClient, expected: Partial<Record<CountedKind, number>>): Promise<void> {
  const giveUpAt = Date.now() + patient(5_000);
  for (;;) {
    const now = await counts(client);
    if (Object.entries(expected).every(([kind, count]) => now[kind] === count) || Date.now() > giveUpAt) {
      expect(now).toEqual(expected);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

type Page = { next_cursor: string; has_more: boolean };

test('an operator’s back end that does everything right has it all on record, with first time, last time and how often', async () => {
  const { client, machine } = await world.backEnd();
  await world.fixtures.override(client, 'requests_per_minute', 8);
  const startedAt = world.clock.now();
  await machine.call('/v1/capabilities');
  const { code } = await sharing.code(client, { orders: 3, vehicles: 1 });
  const redeemed = await machine.call('/v1/link-codes/redeem', { method: 'POST', body: { code } });
  const first = await machine.call('/v1/sync?limit=3');
  const second = await machine.call(`/v1/sync?limit=3&updated_since=${(first.body as Page).next_cursor}`);
  expect((second.body as Page).has_more).toBe(false);
  const poll = `/v1/sync?limit=3&updated_since=${(second.body as Page).next_cursor}`;
  const { etag } = (await machine.call(poll)).headers;
  expect((await machine.call(poll, { headers: { 'If-None-Match': String(etag) } })).status).toBe(304);
  const [order] = (redeemed.body as { resources: { id: string }[] }).resources;
  const revocationId = await sharing.revokeResource(client, order?.id ?? '');
  await machine.call(`/v1/revocations/${revocationId}/ack`, {
    method: 'POST',
    body: { deletion_completed: true },
    headers: { 'Idempotency-Key': 'one' },
  });
  await world.fixtures.sql`update certificate set issued_at = issued_at - interval '1 day' where client_number = ${client.number}`;
  const renewed = await world.fixtures.certificate(world.authority, client);
  const after = world.connect(renewed);
  await after.call('/v1/sync');
  const refused = await after.call('/v1/sync');
  expect(refused.status).toBe(429);
  world.clock.advance(Number(refused.headers['retry-after']) * 1000);
  await after.call('/v1/sync');

  await evidence(client, {
    capabilities_read: 7,
    cursor_followed: 2,
    request_conditional: 1,
    answer_unchanged: 1,
    pause_honoured: 1,
    link_code_redeemed: 1,
    tombstone_acknowledged: 1,
    certificate_rotated: 1,
  });
  const [found = []] = await evidenceOf(world.em(), [client.integrationId]);
  expect(found.map(({ kind, seen }) => [kind, seen?.count])).toEqual([
    ['capabilities_read', 7],
    ['cursor_followed', 2],
    ['request_conditional', 1],
    ['pause_honoured', 1],
    ['link_code_redeemed', 1],
    ['tombstone_acknowledged', 1],
    ['certificate_rotated', 1],
  ]);
  const [capabilities] = found;
  expect(capabilities?.seen?.firstAt.getTime()).toBeGreaterThanOrEqual(startedAt.getTime());
  expect(capabilities?.seen?.lastAt.getTime()).toBeGreaterThan(capabilities?.seen?.firstAt.getTime() ?? Infinity);
  expect(capabilities?.companion).toEqual({ title: 'Data requests without reading them first', against: true, seen: null });
});

test('a back end that ignores Retry-After and never reads its capabilities has that on record', async () => {
  const { client, machine } = await world.backEnd();
  await world.fixtures.override(client, 'requests_per_minute', 1);
  await machine.call('/v1/sync');
  for (let turn = 0; turn < 3; turn += 1) {
    expect((await machine.call('/v1/sync')).status).toBe(429);
    world.clock.advance(2_000);
  }
  await evidence(client, { capabilities_not_read: 1, pause_disregarded: 2 });
});

test('If-None-Match counts where it names a stored ETag and the answer has one: not on a history, not without a tag', async () => {
  const { client, machine } = await world.backEnd();
  const { code } = await sharing.code(client, { orders: 1 });
  const { body } = await machine.call('/v1/link-codes/redeem', { method: 'POST', body: { code } });
  const id = (body as { resources: { id: string }[] }).resources[0]?.id ?? '';
  const given = (path: string, value: string) => machine.call(path, { headers: { 'If-None-Match': value } });
  expect((await given(`/v1/orders/${id}/history`, '"a"')).status).toBe(200);
  expect((await given('/v1/capabilities', '"a"')).status).toBe(200);
  expect((await given('/v1/sync', 'yesterday')).status).toBe(200);
  expect((await given('/v1/sync', '*')).status).toBe(304);
  expect((await given(`/v1/orders/${id}`, '"a"')).status).toBe(200);
  await evidence(client, { link_code_redeemed: 1, capabilities_not_read: 2, capabilities_read: 3, request_conditional: 1 });
});

test('nothing is kept of a production client', async () => {
  const { client, machine } = await world.backEnd({ environment: 'production', status: 'active' });
  await sharing.openGates(client);
  const { code } = await sharing.code(client, { orders: 1 });
  expect((await machine.call('/v1/link-codes/redeem', { method: 'POST', body: { code } })).status).toBe(200);
  await machine.call('/v1/sync');
  const rows = () => world.fixtures.sql`select from request_log where client_number = ${client.number}`;
  while ((await rows()).length < 2) await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await counts(client)).toEqual({});
  expect(await world.fixtures.sql`select from client_observation where client_number = ${client.number}`).toHaveLength(0);
});

test('evidence outlives the request log, and a batch that is written again counts nothing twice', async () => {
  const client = await world.fixtures.client();
  const certificate = await world.fixtures.certificate(world.authority, client);
  const usage = openUsageClient(world.urls.machineApi);
  const facts = { costClass: 'pull', conditional: true, retryAfterSeconds: null, page: null };
  const batch = [
    finishedRequest(client, certificate, { operation: 'getCapabilities', sandbox: { ...facts, conditional: false } }),
    finishedRequest(client, certificate, { status: 304, sandbox: facts }),
  ];
  await writeUsage(usage.query, batch);
  await writeUsage(usage.query, [...batch, finishedRequest(client, certificate, { sandbox: facts })]);
  const all = { capabilities_read: 2, request_conditional: 2, answer_unchanged: 1 };
  await evidence(client, all);
  await world.fixtures.sql`delete from request_log where client_number = ${client.number}`;
  await evidence(client, all);
  await usage.close();
});

test('an integration of which nothing was seen yet has every kind, unseen', async () => {
  const client = await world.fixtures.client();
  const [found = []] = await evidenceOf(world.em(), [client.integrationId]);
  expect(found).toHaveLength(7);
  expect(found.every(({ seen, companion }) => seen === null && (companion?.seen ?? null) === null)).toBe(true);
});
