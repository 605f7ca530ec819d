import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '../../../server/domain/shared/ids.ts';
import { limits } from '../../../server/domain/shared/limits.ts';
import { allScopes, type Scope } from '../../../server/domain/shared/scopes.ts';
import type { TestHistoryItem } from '../../support/world/Fixtures.ts';
import type { MachineClient } from '../../support/clients/machineClient.ts';
import { openWorld, type MachineWorld } from '../../support/world/openWorld.ts';
import type { MachineResponse } from '../../support/clients/MachineResponse.ts';
import { expectProblem } from '../../support/clients/problems.ts';

type Page = {
  resource: { id: string; type: string };
  history_complete: boolean;
  items: { sequence: number; occurred_at: string; changes: { path: string; from?: unknown; to?: unknown }[] }[];
  next_after?: number;
};

let world: MachineWorld;
beforeAll(async () => {
  world = await openWorld({ machine: true });
});
afterAll(() => world.close());

const placed = '[{"path":"status","to":"placed"}]';
const without = (...left: readonly Scope[]) => allScopes.filter((scope) => !left.includes(scope));
const sequencesOf = (pages: readonly Page[]) => pages.flatMap((page) => page.items.map((item) => item.sequence));

/** An order with 25 items, every fifth about shipping; sequences rise with gaps and are stored out of order. */
async function orderWithHistory(options: { scopes?: readonly Scope[]; consented?: readonly Scope[] } = {}) {
  const operator = await world.backEnd(options);
  const consented = options.consented ?? allScopes;
  const connection = await world.fixtures.connection(operator.client, consented);
  const [id = ''] = await world.fixtures.share(operator.client, connection, 1, { consented, shipping: true });
  const items = Array.from({ length: 25 }, (_, index): TestHistoryItem => {
    const sequence = 1_790_000_000_000 + index * 37;
    if (index % 5 < 4) return { sequence, changes: placed };
    return { sequence, section: 'shipping', changes: '[{"path":"shipping.vessel","from":"A","to":"B"}]' };
  });
  await world.fixtures.history(operator.client, id, items.toReversed());
  return { ...operator, connection, id, items };
}

async function readToTheEnd(machine: MachineClient, path: string, limit?: number): Promise<Page[]> {
  const pages: Page[] = [];
  let after: number | undefined;
  do {
    const query = new URLSearchParams({
      ...(after !== undefined && { after: String(after) }),
      ...(limit !== undefined && { limit: String(limit) }),
    });
    const answer = await machine.call(`${path}?${query.toString()}`);
    expect(answer.status).toBe(200);
    const page = answer.body as Page;
    pages.push(page);
    after = page.next_after;
  } while (after !== undefined);
  return pages;
}

test('an order’s history comes in order of its sequences, uncached, with the stored changes unchanged', async () => {
  const { client, machine, id, items } = await orderWithHistory();
  const changes = '[{"path":"option_codes[0]","from":"MT1","to":"MT2"},{"path":"model_year","to":2026},{"path":"interior","from":"Weiß"}]';
  await world.fixtures.history(client, id, [{ sequence: 1_800_000_000_000, changes }]);
  const answer = await machine.call(`/v1/orders/${id}/history`);
  const page = answer.body as Page;
  expect(answer).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
  expect(answer.headers.etag).toBeUndefined();
  expect(page).toMatchObject({ resource: { id, type: 'order' }, history_complete: true });
  expect(page).not.toHaveProperty('next_after');
  expect(sequencesOf([page])).toEqual([...items.map((item) => item.sequence), 1_800_000_000_000]);
  expect(page.items.at(-1)).toEqual({
    sequence: 1_800_000_000_000,
    occurred_at: '2026-11-20T08:15:30.120Z',
    changes: JSON.parse(changes) as unknown,
  });
  expect(answer.text).toContain(changes);
});

test('a stock vehicle’s history says when it is incomplete', async () => {
  const { client, machine } = await world.backEnd({ scopes: ['vehicles.read', 'vehicles.history.read'] });
  const [id = ''] = await world.fixtures.share(client, await world.fixtures.connection(client), 1, { type: 'vehicle' });
  await world.fixtures.sql`update tracked_resource set history_complete = false
    where id = (select tracked_resource_id from shared_resource where client_number = ${client.number} and id = ${id})`;
  await world.fixtures.history(client, id, [{ sequence: 7, changes: '[{"path":"status","from":"available","to":"reserved"}]' }]);
  const { status, body } = await machine.call(`/v1/vehicles/${id}/history`);
  expect(status).toBe(200);
  expect(body).toMatchObject({ resource: { id, type: 'vehicle' }, history_complete: false, items: [{ sequence: 7 }] });
});

test('pages of any size, followed to the end, bring every item once and stop where no more exist', async () => {
  const { client, machine, id, items } = await orderWithHistory();
  await world.fixtures.override(client, 'requests_per_minute', 100);
  for (const limit of [1, 7, 24, 25, 500]) {
    const pages = await readToTheEnd(machine, `/v1/orders/${id}/history`, limit);
    expect(pages).toHaveLength(Math.ceil(25 / limit));
    expect(sequencesOf(pages)).toEqual(items.map((item) => item.sequence));
  }
});

test('a page has 100 items unless asked, and nothing follows the last sequence until something changes', async () => {
  const { client, machine, id } = await orderWithHistory();
  await world.fixtures.history(
    client,
    id,
    Array.from({ length: 100 }, (_, index) => ({ sequence: index + 1, changes: placed })),
  );
  const pages = await readToTheEnd(machine, `/v1/orders/${id}/history`);
  expect(pages.map((page) => page.items.length)).toEqual([100, 25]);
  const last = pages.at(-1)?.items.at(-1)?.sequence ?? 0;
  const path = `/v1/orders/${id}/history?after=${last}`;
  expect((await machine.call(path)).body).toEqual({ resource: { id, type: 'order' }, history_complete: true, items: [] });
  await world.fixtures.history(client, id, [{ sequence: Number.MAX_SAFE_INTEGER, changes: placed }]);
  expect(sequencesOf([(await machine.call(path)).body as Page])).toEqual([Number.MAX_SAFE_INTEGER]);
});

test('a page ends before 8 MiB and goes on behind it', async () => {
  const { client, machine } = await world.backEnd();
  const [id = ''] = await world.fixtures.share(client, await world.fixtures.connection(client), 1);
  // Far larger than the items that the service stores, of which 500 always fit.
  const changes = JSON.stringify([{ path: 'interior', to: 'x'.repeat(1024 * 1024) }]);
  await world.fixtures.history(
    client,
    id,
    Array.from({ length: 10 }, (_, index) => ({ sequence: index + 1, changes })),
  );
  const first = await machine.call(`/v1/orders/${id}/history`, { describe: false });
  expect(first.body).toMatchObject({ next_after: 7 });
  expect(Buffer.byteLength(first.text)).toBeLessThanOrEqual(limits.responseBytes);
  const rest = await machine.call(`/v1/orders/${id}/history?after=7`, { describe: false });
  expect(sequencesOf([rest.body as Page])).toEqual([8, 9, 10]);
});

test('shipping items are seen only where client and user allow shipping.read, and hidden ones leave no trace in the pages', async () => {
  for (const options of [{ scopes: without('shipping.read') }, { consented: without('shipping.read') }]) {
    const { client, machine, id, items } = await orderWithHistory(options);
    await world.fixtures.override(client, 'requests_per_minute', 100);
    const visible = items.filter((item) => item.section !== 'shipping').map((item) => item.sequence);
    for (const limit of [4, 20]) {
      const pages = await readToTheEnd(machine, `/v1/orders/${id}/history`, limit);
      expect(sequencesOf(pages)).toEqual(visible);
      expect(pages.every((page) => page.items.length === limit)).toBe(true);
      expect(JSON.stringify(pages)).not.toContain('shipping');
    }
  }
});

test('without orders.read the history has no change of an order’s fields', async () => {
  for (const options of [{ scopes: without('orders.read') }, { consented: without('orders.read') }]) {
    const { machine, id } = await orderWithHistory(options);
    expect((await machine.call(`/v1/orders/${id}/history`)).body).toMatchObject({ items: [] });
  }
});

test('an item without changes is dropped', async () => {
  const { client, machine, id } = await orderWithHistory();
  await world.fixtures.history(client, id, [{ sequence: 5, changes: '[]' }]);
  const page = (await machine.call(`/v1/orders/${id}/history?limit=1`)).body as Page;
  expect(sequencesOf([page])).toEqual([1_790_000_000_000]);
});

test('the history scope that the client or the user’s consent lacks is named, with where it is missing', async () => {
  const kinds = [
    { type: 'order', prefix: 'ord', scope: 'orders.history.read' },
    { type: 'vehicle', prefix: 'veh', scope: 'vehicles.history.read' },
  ] as const;
  for (const { type, prefix, scope } of kinds) {
    const narrow = await world.backEnd({ scopes: without(scope) });
    const missing = { required_scopes: [scope] };
    expectProblem(await narrow.machine.call(`/v1/${type}s/${newId(prefix)}/history`), 'scope_required', {
      ...missing,
      missing_in: 'client',
    });
    const { client, machine } = await world.backEnd();
    const connection = await world.fixtures.connection(client, without(scope));
    const [id] = await world.fixtures.share(client, connection, 1, { type, consented: without(scope) });
    expectProblem(await machine.call(`/v1/${type}s/${id}/history`), 'scope_required', { ...missing, missing_in: 'consent' });
  }
});

test('history of another integration’s id, a random id, a wrong type and a malformed id reads the same', async () => {
  const { client, machine } = await world.backEnd();
  const other = await orderWithHistory();
  const [vehicle] = await world.fixtures.share(client, await world.fixtures.connection(client), 1, { type: 'vehicle' });
  const production = await world.backEnd({ environment: 'production', status: 'active' });
  const [elsewhere] = await world.fixtures.share(production.client, await world.fixtures.connection(production.client), 1);
  const answers: MachineResponse[] = [];
  for (const id of [other.id, newId('ord'), vehicle, elsewhere, 'ord_1', '%00']) {
    answers.push(await machine.call(`/v1/orders/${id}/history`));
  }
  for (const answer of answers) {
    expectProblem(answer, 'not_found');
    const own = { instance: expect.any(String), request_id: expect.any(String) };
    expect(answer.body).toEqual({ ...(answers[0]?.body as object), ...own });
  }
  expectProblem(await machine.call(`/v1/vehicles/${other.id}/history`), 'not_found');
});

test('the history of a revoked order is 410 with its revocation, and stays so', async () => {
  const { client, machine, connection, id } = await orderWithHistory({ consented: without('orders.history.read') });
  const revocationId = await world.fixtures.revoke(client, connection, id);
  const gone = { revocation_id: revocationId, deletion_deadline_at: expect.stringMatching(/Z$/) };
  expectProblem(await machine.call(`/v1/orders/${id}/history`), 'access_ended', gone);
  await world.fixtures.sql`delete from tracked_resource
    where id = (select tracked_resource_id from shared_resource where client_number = ${client.number} and id = ${id})`;
  expectProblem(await machine.call(`/v1/orders/${id}/history?after=3`), 'access_ended', gone);
});

test('parameters that do not fit are named, before the resource is looked at', async () => {
  const { client, machine } = await world.backEnd();
  await world.fixtures.override(client, 'requests_per_minute', 100);
  const path = `/v1/orders/${newId('ord')}/history`;
  const wrong = { limit: ['0', '501', '-1', '1.5', ''], after: ['-1', '9007199254740992', 'x', '01'] };
  for (const [parameter, values] of Object.entries(wrong)) {
    for (const value of values) {
      const answer = await machine.call(`${path}?${parameter}=${value}`);
      expectProblem(answer, 'invalid_request', { errors: [{ parameter, detail: expect.any(String) }] });
    }
  }
  // A name that the caller made up is not repeated, because it could be something that nobody should read.
  const unknown = await machine.call(`${path}?since=1`);
  expectProblem(unknown, 'invalid_request', { errors: [{ detail: expect.not.stringContaining('since') }] });
});

test('production history is closed behind the gate', async () => {
  const { machine } = await world.backEnd({ environment: 'production', status: 'active' });
  expectProblem(await machine.call(`/v1/orders/${newId('ord')}/history`), 'production_data_disabled');
  expectProblem(await machine.call(`/v1/vehicles/${newId('veh')}/history`), 'production_data_disabled');
});

test('history takes from the limits of a pull', async () => {
  world.clock.stop();
  const { machine } = await world.backEnd();
  const { headers } = await machine.call(`/v1/orders/${newId('ord')}/history`);
  expect(headers['ratelimit-policy']).toBe('"minute";q=20;w=60, "hour";q=600;w=3600');
  expect(headers.ratelimit).toBe('"minute";r=19;t=60, "hour";r=599;t=3600');
  world.clock.run();
});
