import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { IntegrationStatus } from '../../../server/domain/integration/integrationStatus.ts';
import type { ErrorCode } from '../../../server/domain/shared/errorCatalogue.ts';
import { newId } from '../../../server/domain/shared/ids.ts';
import type { MachineResponse } from '../../support/clients/MachineResponse.ts';
import { openWorld, type MachineWorld } from '../../support/world/openWorld.ts';
import { expectProblem } from '../../support/clients/problems.ts';

let world: MachineWorld;
beforeAll(async () => {
  world = await openWorld({ machine: true });
});
afterAll(() => world.close());

test('a shared order is answered as its sync record, and as 304 until it changes', async () => {
  const { client, machine } = await world.backEnd();
  const connection = await world.fixtures.connection(client);
  const [id = ''] = await world.fixtures.share(client, connection, 1, { shipping: true });
  const detail = await machine.call(`/v1/orders/${id}`);
  expect(detail.status).toBe(200);
  expect((await machine.call('/v1/sync')).body).toMatchObject({ upserts: [detail.body] });
  const headers = { 'If-None-Match': detail.headers.etag ?? '' };
  expect(await machine.call(`/v1/orders/${id}`, { headers })).toMatchObject({ status: 304, text: '' });
  await world.fixtures.touch(client, id);
  const changed = await machine.call(`/v1/orders/${id}`, { headers });
  expect(changed).toMatchObject({ status: 200, body: { revision: 2 } });
});

test('a shared stock vehicle is answered without sections that it does not have', async () => {
  const { client, machine } = await world.backEnd();
  const [id] = await world.fixtures.share(client, await world.fixtures.connection(client), 1, { type: 'vehicle' });
  const { status, body } = await machine.call(`/v1/vehicles/${id}`);
  expect(status).toBe(200);
  expect(body).toMatchObject({ id, type: 'vehicle', status: 'available' });
  expect(body).not.toHaveProperty('shipping');
});

test('another integration’s id, a random id, a wrong type and a malformed id read the same', async () => {
  const mine = await world.backEnd();
  const other = await world.backEnd();
  const connection = await world.fixtures.connection(other.client);
  const [theirs] = await world.fixtures.share(other.client, connection, 1);
  const [vehicle] = await world.fixtures.share(mine.client, await world.fixtures.connection(mine.client), 1, { type: 'vehicle' });
  const answers: MachineResponse[] = [];
  for (const id of [theirs, newId('ord'), vehicle, 'ord_1', '%00', 'ord_%E2%82']) answers.push(await mine.machine.call(`/v1/orders/${id}`));
  const [first] = answers;
  for (const answer of answers) {
    expectProblem(answer, 'not_found');
    const own = { instance: expect.any(String), request_id: expect.any(String) };
    expect(answer.body).toEqual({ ...(first?.body as object), ...own });
  }
});

test('a revoked order is 410 with its revocation, also with a matching validator', async () => {
  const { client, machine } = await world.backEnd();
  const connection = await world.fixtures.connection(client);
  const [id = ''] = await world.fixtures.share(client, connection, 1);
  const { etag } = (await machine.call(`/v1/orders/${id}`)).headers;
  const revocationId = await world.fixtures.revoke(client, connection, id);
  const answer = await machine.call(`/v1/orders/${id}`, { headers: { 'If-None-Match': etag ?? '*' } });
  expectProblem(answer, 'access_ended', { revocation_id: revocationId, deletion_deadline_at: expect.stringMatching(/Z$/) });
});

test('a scope that the client or the user’s consent lacks is named, with where it is missing', async () => {
  const narrow = await world.backEnd({ scopes: ['vehicles.read'] });
  expectProblem(await narrow.machine.call(`/v1/orders/${newId('ord')}`), 'scope_required', {
    required_scopes: ['orders.read'],
    missing_in: 'client',
  });
  const { client, machine } = await world.backEnd();
  const [id] = await world.fixtures.share(client, await world.fixtures.connection(client), 1, { consented: ['vehicles.read'] });
  expectProblem(await machine.call(`/v1/orders/${id}`), 'scope_required', {
    required_scopes: ['orders.read'],
    missing_in: 'consent',
    detail: expect.stringMatching(/did not consent.*Capabilities does not show this/),
  });
});

test('an unknown path is 404, a known one with another method 405 with Allow', async () => {
  const { machine } = await world.backEnd();
  expectProblem(await machine.call('/v1/nothing'), 'not_found');
  expectProblem(await machine.call('/v1/sync/'), 'not_found');
  const wrong = await machine.call('/v1/sync', { method: 'DELETE' });
  expectProblem(wrong, 'method_not_allowed');
  expect(wrong.headers.allow).toBe('GET, HEAD');
});

test('production data stays closed until the gates of service and integration are open', async () => {
  const { client, machine } = await world.backEnd({ environment: 'production', status: 'active' });
  expect((await machine.call('/v1/capabilities')).body).toMatchObject({
    environment: 'production',
    integration_status: 'active',
    production_data_enabled: false,
  });
  expectProblem(await machine.call('/v1/sync'), 'production_data_disabled');
  await world.fixtures.sql`update integration set production_gate_open = true where id = ${client.integrationId}`;
  expectProblem(await machine.call('/v1/sync'), 'production_data_disabled');
  await world.fixtures.sql`update service_gate set production_data_enabled = true`;
  expect((await machine.call('/v1/sync')).status).toBe(200);
  await world.fixtures.sql`update service_gate set production_data_enabled = false`;
});

test('production needs the status active; a sandbox works in every status but retired', async () => {
  const refused: Readonly<Record<IntegrationStatus, ErrorCode | null>> = {
    sandbox: 'integration_not_active',
    submitted: 'integration_not_active',
    rejected: 'integration_not_active',
    approved: 'integration_not_active',
    active: null,
    suspended: 'integration_suspended',
    retired: 'integration_retired',
  };
  for (const [status, code] of Object.entries(refused)) {
    const production = await world.backEnd({ environment: 'production', status });
    const answer = await production.machine.call('/v1/capabilities');
    if (code === null) expect(answer.status).toBe(200);
    else expectProblem(answer, code);
    // What is refused does not count.
    const counted = code === null ? '"minute";r=19;t=60, "hour";r=599;t=3600' : '"minute";r=20;t=60, "hour";r=600;t=3600';
    expect(answer.headers.ratelimit).toBe(counted);
    const sandbox = await world.backEnd({ status });
    const own = await sandbox.machine.call('/v1/capabilities');
    if (status === 'retired') expectProblem(own, 'integration_retired');
    else expect(own.status).toBe(200);
  }
});
