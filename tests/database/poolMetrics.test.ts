import { expect, test } from '@jest/globals';
import { registry } from '../../server/platform/metrics.ts';
import { ConnectionBudget } from '../../server/database/connection/ConnectionBudget.ts';
import { openPool } from '../../server/database/connection/openPool.ts';
import { observePool } from '../../server/database/connection/poolMetrics.ts';
import { createTestDatabase } from '../support/run/testDatabase.ts';

/** What the metrics say of a pool, by the metric's name without its beginning and its state. */
async function shown(pool: string): Promise<Record<string, number>> {
  const lines = (await registry.metrics()).split('\n').filter((line) => line.includes(`{pool="${pool}"`));
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = '', state = ''] = /^svc_database_pool_(\w+)\{pool="[^"]+"(?:,state="(\w+)")?\}/.exec(line) ?? [];
      return [state || name, Number(line.split(' ').at(-1))];
    }),
  );
}

/** As many connections in a budget, of which the last `opening` are being made and the first `closing` are being ended. */
async function fill(budget: ConnectionBudget, { open, opening, closing }: ReturnType<ConnectionBudget['count']>): Promise<object[]> {
  const connections = Array.from({ length: open + opening + closing }, () => ({}));
  for (const [place, connection] of connections.entries()) {
    await budget.take(connection, 1_000);
    if (place < open + closing) budget.connected(connection);
    if (place < closing) budget.ending(connection);
  }
  return connections;
}

test('all connections of a name that exist are shown together, what they are doing, and how many there may be, until the pools have ended', async () => {
  // Other tests of the same process may have left some open.
  const before = await shown('migrate-queue');
  const added = async () =>
    Object.fromEntries(Object.entries(await shown('migrate-queue')).map(([name, number]) => [name, number - (before[name] ?? 0)]));
  const used = new ConnectionBudget('migrate-queue', 6);
  await fill(used, { open: 5, opening: 0, closing: 0 });
  const exhausted = new ConnectionBudget('migrate-queue', 6);
  const connections = await fill(exhausted, { open: 3, opening: 2, closing: 1 });
  let ended = false;
  observePool('migrate-queue', () => ({ idle: 2, waiting: 0, size: 6 }));
  observePool('migrate-queue', () => (ended ? undefined : { idle: 0, waiting: 4, size: 6 }));
  expect(await added()).toEqual({ in_use: 6, idle: 2, opening: 2, closing: 1, waiting: 4, size: 12 });
  ended = true;
  for (const connection of connections) exhausted.giveBack(connection);
  expect(await added()).toEqual({ in_use: 3, idle: 2, opening: 0, closing: 0, waiting: 0, size: 6 });
});

test('a connection that belongs to no pool is shown with the one that there may be', async () => {
  const before = await shown('migrate-watch');
  await fill(new ConnectionBudget('migrate-watch', 1), { open: 1, opening: 0, closing: 0 });
  const { in_use, size } = await shown('migrate-watch');
  expect([in_use, size]).toEqual([(before['in_use'] ?? 0) + 1, (before['size'] ?? 0) + 1]);
});

test('a pool that is ended is not counted beside the one in its place, though a connection of it never comes back', async () => {
  const database = await createTestDatabase();
  const left = openPool(database.url, 'start-check');
  const client = await left.connect();
  const before = (await shown('start-check'))['size'] ?? 0;
  const ended = left.end();
  const next = openPool(database.url, 'start-check');
  expect((await shown('start-check'))['size']).toBe(before);
  client.release();
  await Promise.all([ended, next.end()]);
  await database.drop();
});
