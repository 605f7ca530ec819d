import { expect, test } from '@jest/globals';
import { registry } from '../../server/platform/metrics.ts';
import { ConnectionBudget } from '../../server/database/connection/ConnectionBudget.ts';
import { openPool } from '../../server/database/connection/openPool.ts';
import { observePool } from '../../server/database/connection/poolMetrics.ts';
import { createTestDatabase } from '../support/run/testDatabase.ts';

const shown = async (pool: string) =>
  (await registry.metrics()).split('\n').filter((line) => line.startsWith('svc_database_pool_') && line.includes(`{pool="${pool}"`));

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
  const used = new ConnectionBudget('migrate-queue', 6);
  await fill(used, { open: 5, opening: 0, closing: 0 });
  const exhausted = new ConnectionBudget('migrate-queue', 6);
  const connections = await fill(exhausted, { open: 3, opening: 2, closing: 1 });
  let ended = false;
  observePool('migrate-queue', () => ({ idle: 2, waiting: 0, size: 6 }));
  observePool('migrate-queue', () => (ended ? undefined : { idle: 0, waiting: 4, size: 6 }));
  expect(await shown('migrate-queue')).toEqual([
    'svc_database_pool_connections{pool="migrate-queue",state="in_use"} 6',
    'svc_database_pool_connections{pool="migrate-queue",state="idle"} 2',
    'svc_database_pool_connections{pool="migrate-queue",state="opening"} 2',
    'svc_database_pool_connections{pool="migrate-queue",state="closing"} 1',
    'svc_database_pool_waiting{pool="migrate-queue"} 4',
    'svc_database_pool_size{pool="migrate-queue"} 12',
  ]);
  ended = true;
  for (const connection of connections) exhausted.giveBack(connection);
  expect(await shown('migrate-queue')).toEqual(
    expect.arrayContaining([
      'svc_database_pool_connections{pool="migrate-queue",state="in_use"} 3',
      'svc_database_pool_waiting{pool="migrate-queue"} 0',
      'svc_database_pool_size{pool="migrate-queue"} 6',
    ]),
  );
});

test('a connection that belongs to no pool is shown with the one that there may be', async () => {
  await fill(new ConnectionBudget('webhook-pump', 1), { open: 1, opening: 0, closing: 0 });
  expect(await shown('webhook-pump')).toEqual(
    expect.arrayContaining([
      'svc_database_pool_connections{pool="webhook-pump",state="in_use"} 1',
      'svc_database_pool_size{pool="webhook-pump"} 1',
    ]),
  );
});

test('a pool that is ended is not counted beside the one in its place, though a connection of it never comes back', async () => {
  const database = await createTestDatabase();
  const left = openPool(database.url, 'migrate-watch');
  const client = await left.connect();
  const ended = left.end();
  const sizes = () => shown('migrate-watch').then((lines) => lines.filter((line) => line.startsWith('svc_database_pool_size')));
  const next = openPool(database.url, 'migrate-watch');
  expect(await sizes()).toEqual(['svc_database_pool_size{pool="migrate-watch"} 1']);
  client.release();
  await Promise.all([ended, next.end()]);
  await database.drop();
});
