import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '../../../server/domain/shared/ids.ts';
import type { MachineClient } from '../../support/clients/machineClient.ts';
import { openWorld, type MachineWorld } from '../../support/world/openWorld.ts';
import type { MachineResponse } from '../../support/clients/MachineResponse.ts';
import { expectProblem } from '../../support/clients/problems.ts';
import { Sharing } from '../../support/feed/sharing.ts';

const day = 24 * 60 * 60 * 1000;

let world: MachineWorld;
let sharing: Sharing;
beforeAll(async () => {
  world = await openWorld({ machine: true });
  sharing = new Sharing(world);
});
afterAll(() => world.close());

/** A client with a revoked order. */
async function revoked(options: Parameters<MachineWorld['backEnd']>[0] = {}) {
  const operator = await world.backEnd(options);
  for (const quota of ['requests_per_minute', 'concurrent_requests']) await world.fixtures.override(operator.client, quota, 1_000);
  if (operator.client.environment === 'production') await sharing.openGates(operator.client);
  const share = await sharing.share(operator.client, { orders: 2 });
  const revocationId = await sharing.revokeResource(operator.client, share.orders[0] ?? '');
  return { ...operator, share, revocationId };
}

type Acknowledgement = { key?: string | string[]; body?: unknown };

function acknowledge(machine: MachineClient, id: string, { key = `key-${id}`, body = { deletion_completed: true } }: Acknowledgement = {}) {
  return machine.call(`/v1/revocations/${id}/ack`, { method: 'POST', body, headers: { 'Idempotency-Key': key } });
}

async function recorded(revocationId: string) {
  const [row] = await world.fixtures.sql<
    { acknowledged_at: Date | null }[]
  >`select acknowledged_at from revocation where id = ${revocationId}`;
  const [audit] = await world.fixtures.sql<{ count: number }[]>`
    select count(*)::int as count from audit_entry where action = 'revocation.acknowledged' and subject_id = ${revocationId}`;
  return { acknowledgedAt: row?.acknowledged_at?.toISOString(), entries: audit?.count };
}

test('a completed deletion is acknowledged once, and recorded under the client’s name', async () => {
  const { client, machine, revocationId } = await revoked();
  const answer = await acknowledge(machine, revocationId);
  const acknowledgedAt = (answer.body as { acknowledged_at: string }).acknowledged_at;
  expect(answer).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
  expect(answer.body).toEqual({ revocation_id: revocationId, status: 'acknowledged', acknowledged_at: acknowledgedAt });
  expect(await recorded(revocationId)).toEqual({ acknowledgedAt, entries: 1 });
  const [entry] = await world.fixtures
    .sql`select actor_type, actor_id, request_id, ip, integration_id from audit_entry where subject_id = ${revocationId}
    and action = 'revocation.acknowledged'`;
  expect(entry).toMatchObject({
    actor_type: 'client',
    actor_id: client.id,
    request_id: answer.headers['x-request-id'],
    ip: '127.0.0.1',
    integration_id: client.integrationId,
  });
});

test('a repeat with the same key, or with another, answers the same as the first', async () => {
  const { machine, revocationId } = await revoked();
  const first = await acknowledge(machine, revocationId);
  world.clock.advance(60_000);
  expect((await acknowledge(machine, revocationId)).body).toEqual(first.body);
  expect((await acknowledge(machine, revocationId, { key: 'another' })).body).toEqual(first.body);
  expect(await recorded(revocationId)).toMatchObject({ entries: 1 });
});

test('a quoted key and a bare one are the same key', async () => {
  const one = await revoked();
  const revocationId = await sharing.revokeResource(one.client, one.share.orders[1] ?? '');
  expect((await acknowledge(one.machine, one.revocationId, { key: 'a"b\\c' })).status).toBe(200);
  expectProblem(await acknowledge(one.machine, revocationId, { key: '"a\\"b\\\\c"' }), 'idempotency_key_reused');
  expect((await acknowledge(one.machine, one.revocationId, { key: '"a\\"b\\\\c"' })).status).toBe(200);
});

test('without a key the acknowledgement is refused, and a malformed or doubled one is named', async () => {
  const { machine, revocationId } = await revoked();
  const path = `/v1/revocations/${revocationId}/ack`;
  expectProblem(await machine.call(path, { method: 'POST', body: { deletion_completed: true } }), 'idempotency_key_required');
  const malformed = ['', 'two words', '"', '""', '"open', '"a b"', '"a"b', '"a\\b"', 'x'.repeat(256), `"${'x'.repeat(256)}"`, 'schlüssel'];
  for (const key of [...malformed, ['one', 'two'], ['one', 'one']]) {
    expectProblem(await acknowledge(machine, revocationId, { key }), 'invalid_request', {
      errors: [{ header: 'Idempotency-Key', detail: expect.any(String) }],
    });
  }
  expect(await recorded(revocationId)).toEqual({ acknowledgedAt: undefined, entries: 0 });
  expect((await acknowledge(machine, revocationId, { key: 'x'.repeat(255) })).status).toBe(200);
});

test('a deletion that is not completed is 422 and changes nothing; a body that does not say is 400', async () => {
  const { machine, revocationId } = await revoked();
  expectProblem(await acknowledge(machine, revocationId, { body: { deletion_completed: false } }), 'deletion_not_completed');
  for (const body of [{}, { deletion_completed: 'true' }, { deletion_completed: null }, { deletion_completed: 1 }]) {
    expectProblem(await acknowledge(machine, revocationId, { body }), 'invalid_request', {
      errors: [{ pointer: '/deletion_completed', detail: expect.any(String) }],
    });
  }
  expect(await recorded(revocationId)).toEqual({ acknowledgedAt: undefined, entries: 0 });
  expect((await acknowledge(machine, revocationId)).status).toBe(200);
});

test('a key that belongs to another acknowledgement is refused, by revocation and by body, and per client', async () => {
  const one = await revoked();
  const second = await sharing.revokeResource(one.client, one.share.orders[1] ?? '');
  expect((await acknowledge(one.machine, one.revocationId, { key: 'once' })).status).toBe(200);
  expectProblem(await acknowledge(one.machine, second, { key: 'once' }), 'idempotency_key_reused');
  expectProblem(
    await acknowledge(one.machine, one.revocationId, { key: 'once', body: { deletion_completed: false } }),
    'idempotency_key_reused',
  );
  const other = await revoked();
  expect((await acknowledge(other.machine, other.revocationId, { key: 'once' })).status).toBe(200);
  expect(await recorded(second)).toEqual({ acknowledgedAt: undefined, entries: 0 });
});

test('acknowledgements that arrive together all answer the same, and one is recorded', async () => {
  const { machine, certificate, revocationId } = await revoked();
  const elsewhere = world.connect(certificate, await world.secondApi());
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, turn) => acknowledge(turn % 2 ? machine : elsewhere, revocationId, { key: `key-${turn % 4}` })),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(await recorded(revocationId)).toMatchObject({ entries: 1 });
});

test('two revocations that one key names together: one is acknowledged, the other refused', async () => {
  const { client, machine, share, revocationId } = await revoked();
  const second = await sharing.revokeResource(client, share.orders[1] ?? '');
  const answers = await Promise.all([revocationId, second].map((id) => acknowledge(machine, id, { key: 'shared' })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
});

test('after the deadline the window is closed, but an earlier acknowledgement goes on answering', async () => {
  const { client, machine, share, revocationId } = await revoked();
  const second = await sharing.revokeResource(client, share.orders[1] ?? '');
  const first = await acknowledge(machine, revocationId);
  world.clock.advance(7 * day);
  expectProblem(await acknowledge(machine, second), 'acknowledgement_window_closed');
  expectProblem(await acknowledge(machine, second), 'acknowledgement_window_closed');
  const repeat = await acknowledge(machine, revocationId);
  expect(repeat).toMatchObject({ status: 200, text: first.text });
  expect(await recorded(second)).toEqual({ acknowledgedAt: undefined, entries: 0 });
  world.clock.advance(-7 * day);
});

test('one acknowledgement covers all that a revoked connection still shared', async () => {
  const { client, machine } = await world.backEnd();
  const { connectionId, orders } = await sharing.share(client, { orders: 2 });
  const revocationId = await sharing.revokeConnection(client, connectionId);
  for (const id of orders) expectProblem(await machine.call(`/v1/orders/${id}`), 'access_ended', { revocation_id: revocationId });
  expect((await acknowledge(machine, revocationId)).status).toBe(200);
  for (const id of orders) expectProblem(await machine.call(`/v1/orders/${id}`), 'access_ended', { revocation_id: revocationId });
});

test('another client’s revocation, another environment’s, a random id, a wrong type and a malformed id read the same', async () => {
  const mine = await revoked();
  const other = await revoked();
  const production = await revoked({ environment: 'production', status: 'active' });
  const ids = [
    other.revocationId,
    production.revocationId,
    newId('rev'),
    mine.share.orders[0] ?? '',
    mine.share.connectionId,
    'rev_1',
    '%00',
  ];
  const answers: MachineResponse[] = [];
  for (const id of ids) answers.push(await acknowledge(mine.machine, id, { key: 'same' }));
  for (const answer of answers) {
    expectProblem(answer, 'not_found');
    expect(answer.body).toEqual({ ...(answers[0]?.body as object), instance: expect.any(String), request_id: expect.any(String) });
  }
  expect(await recorded(other.revocationId)).toEqual({ acknowledgedAt: undefined, entries: 0 });
});

test('acknowledging needs revocations.ack, and works in production while the gate is closed', async () => {
  const { machine } = await world.backEnd({ scopes: ['orders.read'] });
  expectProblem(await acknowledge(machine, newId('rev')), 'scope_required', { required_scopes: ['revocations.ack'], missing_in: 'client' });
  const production = await revoked({ environment: 'production', status: 'active' });
  await world.fixtures.sql`update service_gate set production_data_enabled = false`;
  expectProblem(await production.machine.call('/v1/sync'), 'production_data_disabled');
  expect((await acknowledge(production.machine, production.revocationId)).status).toBe(200);
});

test('an acknowledgement takes from the limits of a pull', async () => {
  world.clock.stop();
  const { machine } = await world.backEnd();
  const { headers } = await acknowledge(machine, newId('rev'));
  expect(headers['ratelimit-policy']).toBe('"minute";q=20;w=60, "hour";q=600;w=3600');
  expect(headers.ratelimit).toBe('"minute";r=19;t=60, "hour";r=599;t=3600');
  world.clock.run();
});
