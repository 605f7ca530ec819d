import { expect, test } from '@jest/globals';
import type pg from 'pg';
import { registry } from '../../server/platform/metrics.ts';
import { observePgPool, observePool } from '../../server/platform/poolMetrics.ts';

const shown = async () =>
  (await registry.metrics()).split('\n').filter((line) => /^svc_database_pool_\w+\{pool="(queue|pages)"/.test(line));

test('the use of all pools of a name is shown together, until they have ended', async () => {
  const pool = { totalCount: 5, idleCount: 2, waitingCount: 0, options: { max: 6 }, ended: false };
  const exhausted = { ...pool, totalCount: 6, idleCount: 0, waitingCount: 4 };
  for (const each of [pool, exhausted]) observePgPool('queue', each as unknown as pg.Pool);
  observePool('pages', () => ({ inUse: 1, waiting: 0, size: 4 }));
  expect(await shown()).toEqual([
    'svc_database_pool_connections{pool="queue",state="in_use"} 9',
    'svc_database_pool_connections{pool="queue",state="idle"} 2',
    'svc_database_pool_connections{pool="pages",state="in_use"} 1',
    'svc_database_pool_waiting{pool="queue"} 4',
    'svc_database_pool_waiting{pool="pages"} 0',
    'svc_database_pool_size{pool="queue"} 12',
    'svc_database_pool_size{pool="pages"} 4',
  ]);
  exhausted.ended = true;
  expect(await shown()).toContain('svc_database_pool_waiting{pool="queue"} 0');
});
