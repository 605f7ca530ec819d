import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '../../../server/domain/shared/ids.ts';
import { allScopes } from '../../../server/domain/shared/scopes.ts';
import { operations } from '../../../rest-api/operations.ts';
import type { Operation } from '../../../rest-api/Operation.ts';
import type { MachineClient } from '../../support/clients/machineClient.ts';
import { openWorld, type MachineWorld } from '../../support/world/openWorld.ts';
import type { MachineResponse } from '../../support/clients/MachineResponse.ts';
import { expectProblem } from '../../support/clients/problems.ts';
import { Sharing } from '../../support/feed/sharing.ts';

/** The ID of everything that one client can learn about. */
type Ids = { order: string; vehicle: string; connection: string; revokedOrder: string; revokedVehicle: string; revocation: string };
type Operator = Awaited<ReturnType<MachineWorld['backEnd']>>;
type Party = { operator: Operator; ids: Ids };

let world: MachineWorld;
let sharing: Sharing;
let mine: Party;
let strangers: Party[];
let production: Party;
beforeAll(async () => {
  world = await openWorld({ machine: true });
  sharing = new Sharing(world);
  mine = await party(await world.backEnd());
  const active = await world.backEnd({ environment: 'production', status: 'active' });
  await sharing.openGates(active.client);
  production = await party(active);
  // Two integrations of one operator are as much strangers to each other as those of two operators.
  const sibling = await world.backEnd();
  await world.fixtures
    .sql`update integration set operator_id = ${mine.operator.client.operatorId} where id = ${sibling.client.integrationId}`;
  strangers = [await party(await world.backEnd()), await party(sibling), production];
});
afterAll(() => world.close());

async function party(operator: Operator): Promise<Party> {
  for (const quota of ['requests_per_minute', 'requests_per_hour']) await world.fixtures.override(operator.client, quota, 1_200);
  const { connectionId, orders, vehicles } = await sharing.share(operator.client, { orders: 2, vehicles: 2 });
  const [order = '', revokedOrder = ''] = orders;
  const [vehicle = '', revokedVehicle = ''] = vehicles;
  const revocation = await sharing.revokeResource(operator.client, revokedOrder);
  await sharing.revokeResource(operator.client, revokedVehicle);
  return { operator, ids: { order, vehicle, connection: connectionId, revokedOrder, revokedVehicle, revocation } };
}

const withId = operations.filter(({ path }) => path.includes('{'));
const reading = withId.filter(({ method }) => method === 'GET');
const wanted = (operation: Operation) => /\{(\w+)_id\}/.exec(operation.path)?.[1] as 'order' | 'vehicle' | 'revocation';
const prefixes = { order: 'ord', vehicle: 'veh', revocation: 'rev' } as const;

function call(machine: MachineClient, operation: Operation, id: string, headers: Record<string, string> = {}): Promise<MachineResponse> {
  const path = operation.path.replace(/\{\w+\}/, id);
  if (operation.method === 'GET') return machine.call(path, { headers });
  return machine.call(path, {
    method: 'POST',
    headers: { ...headers, 'Idempotency-Key': newId('key') },
    body: { deletion_completed: true },
  });
}

/** What an answer reveals, without what the caller has sent and the request's own ID. */
function told({ status, headers, body }: MachineResponse) {
  const { date: _date, 'x-request-id': _id, ratelimit: _left, 'content-length': _length, ...rest } = headers;
  return { status, headers: rest, body: { ...(body as object), instance: '', request_id: '' } };
}

describe.each(withId.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))('%s', (_name, operation) => {
  test('tells the same of a random id and of every id that is not this client’s or not of this kind', async () => {
    const { machine } = mine.operator;
    const random = await call(machine, operation, newId(prefixes[wanted(operation)]));
    expectProblem(random, 'not_found');
    const ownOfOtherKinds = Object.entries(mine.ids).flatMap(([kind, id]) => (kind.toLowerCase().endsWith(wanted(operation)) ? [] : [id]));
    const foreign = strangers.flatMap(({ ids }) => Object.values(ids));
    const malformed = ['ord_1', `${newId(prefixes[wanted(operation)])}0`, newId('con'), '%00', "'", 'ORD_0', mine.operator.client.id];
    for (const id of [...ownOfOtherKinds, ...foreign, ...malformed])
      expect([id, told(await call(machine, operation, id))]).toEqual([id, told(random)]);
  });

  test('tells a production client nothing of the sandbox’s ids', async () => {
    const { machine } = production.operator;
    const random = await call(machine, operation, newId(prefixes[wanted(operation)]));
    for (const id of Object.values(mine.ids)) expect([id, told(await call(machine, operation, id))]).toEqual([id, told(random)]);
  });
});

describe.each(reading.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))('%s', (_name, operation) => {
  const kind = wanted(operation) as 'order' | 'vehicle';

  test('answers 200 for this client’s own, also in another connection of its', async () => {
    const { client, machine } = mine.operator;
    const other = await sharing.share(client, { orders: 1, vehicles: 1 });
    for (const id of [mine.ids[kind], (kind === 'order' ? other.orders : other.vehicles)[0] ?? ''])
      expect((await call(machine, operation, id)).status).toBe(200);
  });

  test('answers 410 for a revoked one, whatever the condition or the method', async () => {
    const { client, machine } = mine.operator;
    const { connectionId, orders, vehicles } = await sharing.share(client, { orders: 2, vehicles: 2 });
    const [one = '', other = ''] = kind === 'order' ? orders : vehicles;
    const etag = (await machine.call(`/v1/${kind}s/${one}`)).headers.etag ?? '';
    const gone = new Map([[one, await sharing.revokeResource(client, one)]]);
    gone.set(other, await sharing.revokeConnection(client, connectionId));
    for (const [id, revocationId] of gone) {
      for (const headers of [{}, { 'If-None-Match': etag }, { 'If-None-Match': '*' }, { 'If-None-Match': `W/${etag}, "x"` }] as Record<
        string,
        string
      >[]) {
        const answer = await call(machine, operation, id, headers);
        expectProblem(answer, 'access_ended', { revocation_id: revocationId, deletion_deadline_at: expect.stringMatching(/\.\d{3}Z$/) });
        expect(answer.headers).toMatchObject({ 'cache-control': 'no-store' });
        expect(answer.headers.etag).toBeUndefined();
      }
      const head = await machine.call(operation.path.replace(/\{\w+\}/, id), { method: 'HEAD', headers: { 'If-None-Match': etag } });
      expect(head).toMatchObject({ status: 410, text: '' });
    }
  });

  test('goes on answering 410 after the deletion was acknowledged, and 404 to everybody else', async () => {
    const { client, machine } = mine.operator;
    const share = await sharing.share(client, { orders: 1, vehicles: 1 });
    const [id = ''] = kind === 'order' ? share.orders : share.vehicles;
    const revocationId = await sharing.revokeResource(client, id);
    const path = `/v1/revocations/${revocationId}/ack`;
    const acknowledged = await machine.call(path, {
      method: 'POST',
      body: { deletion_completed: true },
      headers: { 'Idempotency-Key': id },
    });
    expect(acknowledged.status).toBe(200);
    expectProblem(await call(machine, operation, id), 'access_ended', { revocation_id: revocationId });
    for (const stranger of strangers) expectProblem(await call(stranger.operator.machine, operation, id), 'not_found');
  });
});

test('an order shared again has a new id at revision 1, and the old one stays gone', async () => {
  const { client, machine } = mine.operator;
  const [user, key] = [newId('key'), newId('key')];
  const data = { status: 'placed', model: 'Kestrel', market: 'DE' };
  await sharing.upsert('sandbox', [{ type: 'order', key, user, version: '1', historyComplete: true, data }]);
  const link = async () => sharing.redeem(client, (await sharing.codeFor(client, { user, orders: [key] })).code);
  const [first] = (await link())?.orders ?? [];
  await sharing.upsert('sandbox', [{ type: 'order', key, user, version: '2', historyComplete: true, data: { ...data, status: 'built' } }]);
  expect((await machine.call(`/v1/orders/${first}`)).body).toMatchObject({ revision: 2 });
  await sharing.revokeResource(client, first ?? '');
  const [again] = (await link())?.orders ?? [];
  expect(again).not.toBe(first);
  expect((await machine.call(`/v1/orders/${again}`)).body).toMatchObject({ revision: 1, status: 'built' });
  expectProblem(await machine.call(`/v1/orders/${first}`), 'access_ended');
});

test('one order has different ids in different connections and integrations, and none leads to the other', async () => {
  const stranger = strangers[0]?.operator ?? mine.operator;
  const [user, key] = [newId('key'), newId('key')];
  await sharing.upsert('sandbox', [
    { type: 'order', key, user, version: '1', historyComplete: true, data: { status: 'placed', model: 'Kestrel', market: 'DE' } },
  ]);
  const ids: string[] = [];
  for (const { client } of [mine.operator, mine.operator, stranger]) {
    const share = await sharing.redeem(client, (await sharing.codeFor(client, { user, orders: [key] })).code);
    ids.push(share?.orders[0] ?? '', share?.connectionId ?? '');
  }
  expect(new Set(ids).size).toBe(6);
  const seen = (await stranger.machine.call('/v1/sync')).text;
  for (const id of ids.slice(0, 4)) expect(seen).not.toContain(id);
});

test('no parameter, header or body selects another client or environment', async () => {
  const { machine } = mine.operator;
  const { client } = production.operator;
  const selecting = {
    'X-Environment': 'production',
    'X-Client-Id': client.id,
    Authorization: `Bearer ${client.id}`,
    Cookie: `client=${client.id}`,
  };
  const answer = await machine.call('/v1/capabilities', { headers: selecting });
  expect(answer.body).toMatchObject({ environment: 'sandbox', client_id: mine.operator.client.id, scopes: allScopes });
  for (const query of ['environment=production', `client_id=${client.id}`])
    expectProblem(await machine.call(`/v1/capabilities?${query}`), 'invalid_request');
});
