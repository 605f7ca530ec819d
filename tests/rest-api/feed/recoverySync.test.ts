import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { MachineClient } from '../../support/clients/machineClient.ts';
import { openWorld, type MachineWorld } from '../../support/world/openWorld.ts';
import { expectProblem } from '../../support/clients/problems.ts';
import { Sharing } from '../../support/feed/sharing.ts';

type Tombstone = {
  revocation_id: string;
  subject: { type: string; id: string };
  connection_id: string;
  resource?: { id: string; type: string };
};
type Page = { upserts: { id: string; connection_id: string }[]; tombstones: Tombstone[]; next_cursor: string; has_more: boolean };

let world: MachineWorld;
let sharing: Sharing;
beforeAll(async () => {
  world = await openWorld({ machine: true });
  sharing = new Sharing(world);
});
afterAll(() => world.close());

async function busyOperator(options: Parameters<MachineWorld['backEnd']>[0] = {}) {
  const operator = await world.backEnd(options);
  await world.fixtures.override(operator.client, 'requests_per_minute', 10_000);
  return operator;
}

/** Follows the feed to its end in small pages. */
async function sync(machine: MachineClient, from?: string) {
  const upserts: Page['upserts'] = [];
  const tombstones: Tombstone[] = [];
  for (let cursor = from; ;) {
    const answer = await machine.call(`/v1/sync?limit=3${cursor === undefined ? '' : `&updated_since=${cursor}`}`);
    expect(answer.status).toBe(200);
    const page = answer.body as Page;
    upserts.push(...page.upserts);
    tombstones.push(...page.tombstones);
    cursor = page.next_cursor;
    if (!page.has_more) return { upserts, tombstones, cursor };
  }
}

test('a recovery sync brings all that is shared and every tombstone ever, so an operator that lost everything ends with the truth', async () => {
  const { client, machine } = await busyOperator();
  const kept = await sharing.share(client, { orders: 3, vehicles: 2 });
  const ended = await sharing.share(client, { orders: 2 });
  const before = await sync(machine);
  const [single = ''] = kept.orders;
  const first = await sharing.revokeResource(client, single);
  const second = await sharing.revokeConnection(client, ended.connectionId);
  const expected = [
    { revocation_id: first, subject: { type: 'resource', id: single }, resource: { id: single, type: 'order' } },
    ...ended.orders.map((id) => ({
      revocation_id: second,
      subject: { type: 'connection', id: ended.connectionId },
      resource: { id, type: 'order' },
    })),
    { revocation_id: second, subject: { type: 'connection', id: ended.connectionId } },
  ];
  const byResource = (tombstones: readonly object[]) => tombstones.map((tombstone) => JSON.stringify(tombstone)).sort();
  const reduced = (tombstones: readonly Tombstone[]) =>
    byResource(tombstones.map(({ revocation_id, subject, resource }) => ({ revocation_id, subject, ...(resource && { resource }) })));

  const update = await sync(machine, before.cursor);
  expect(update.upserts).toEqual([]);
  expect(reduced(update.tombstones)).toEqual(byResource(expected));
  expect(update.tombstones.at(-1)).not.toHaveProperty('resource');

  for (let turn = 0; turn < 2; turn += 1) {
    const recovery = await sync(machine);
    expect(recovery.upserts.map(({ id }) => id).sort()).toEqual([...kept.orders.slice(1), ...kept.vehicles].sort());
    expect(reduced(recovery.tombstones)).toEqual(byResource(expected));
    expect(recovery.cursor).toBe(update.cursor);
  }
  // Acknowledged tombstones stay: an operator may recover from an older backup.
  await machine.call(`/v1/revocations/${first}/ack`, {
    method: 'POST',
    body: { deletion_completed: true },
    headers: { 'Idempotency-Key': 'k' },
  });
  expect(reduced((await sync(machine)).tombstones)).toEqual(byResource(expected));
});

test('a page that is asked for again after a revocation brings the tombstone and never the old data', async () => {
  const { client, machine } = await busyOperator();
  const { orders } = await sharing.share(client, { orders: 2 });
  const first = await machine.call('/v1/sync');
  await sharing.revokeResource(client, orders[0] ?? '');
  const again = await machine.call('/v1/sync', { headers: { 'If-None-Match': first.headers.etag ?? '' } });
  expect(again.status).toBe(200);
  expect((again.body as Page).upserts.map(({ id }) => id)).toEqual([orders[1]]);
  expect((again.body as Page).tombstones.map(({ resource }) => resource?.id)).toEqual([orders[0]]);
});

test('one integration’s sandbox and production never see each other’s data, cursors or validators', async () => {
  const production = await busyOperator({ environment: 'production', status: 'active' });
  await sharing.openGates(production.client);
  const sandbox = await busyOperator({ status: 'active' });
  await world.fixtures.sql`update client set integration_id = ${production.client.integrationId} where number = ${sandbox.client.number}`;
  const own = { ...sandbox.client, integrationId: production.client.integrationId };
  const inProduction = await sharing.share(production.client, { orders: 2 });
  const inSandbox = await sharing.share(own, { orders: 3 });
  const [real, generated] = [await sync(production.machine), await sync(sandbox.machine)];
  expect(real.upserts.map(({ id }) => id).sort()).toEqual(inProduction.orders.toSorted());
  expect(generated.upserts.map(({ id }) => id).sort()).toEqual(inSandbox.orders.toSorted());
  expectProblem(await production.machine.call(`/v1/sync?updated_since=${generated.cursor}`), 'invalid_cursor');
  expectProblem(await sandbox.machine.call(`/v1/sync?updated_since=${real.cursor}`), 'invalid_cursor');
  const { etag } = (await sandbox.machine.call('/v1/sync')).headers;
  expect((await production.machine.call('/v1/sync', { headers: { 'If-None-Match': etag ?? '' } })).status).toBe(200);
  await sharing.revokeConnection(own, inSandbox.connectionId);
  expect((await sync(production.machine)).tombstones).toEqual([]);
});
