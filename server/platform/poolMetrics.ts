import type pg from 'pg';
import { Gauge } from 'prom-client';
import { registry } from './metrics.ts';

/** How many connections a pool has, and how many statements wait for one. Undefined once it has ended. `idle` is absent where it is not known. */
type PoolUse = () => { readonly inUse: number; readonly idle?: number; readonly waiting: number; readonly size: number } | undefined;

const pools = new Map<PoolUse, string>();

/** Pools are looked at when somebody reads the metrics, so that nothing is counted for them while they work. */
const connections = new Gauge({
  name: 'svc_database_pool_connections',
  help: 'Open connections to PostgreSQL by pool, in use or idle',
  labelNames: ['pool', 'state'] as const,
  registers: [registry],
  // The registry asks the metrics in the order of their registration, so the two below show what this one has found.
  collect() {
    for (const gauge of [connections, waiting, size]) gauge.reset();
    for (const [use, pool] of pools) {
      const now = use();
      if (!now) {
        pools.delete(use);
        continue;
      }
      connections.inc({ pool, state: 'in_use' }, now.inUse);
      if (now.idle !== undefined) connections.inc({ pool, state: 'idle' }, now.idle);
      waiting.inc({ pool }, now.waiting);
      size.inc({ pool }, now.size);
    }
  },
});
const waiting = new Gauge({
  name: 'svc_database_pool_waiting',
  help: 'Statements and transactions that wait for a connection of the pool',
  labelNames: ['pool'] as const,
  registers: [registry],
});
const size = new Gauge({
  name: 'svc_database_pool_size',
  help: 'How many connections the pool may open',
  labelNames: ['pool'] as const,
  registers: [registry],
});

/** Shows the use of a pool from now on, together with others of its name in this process, until it ends. */
export function observePool(name: string, use: PoolUse): void {
  pools.set(use, name);
}

/** The same for a pool of the library pg, which counts by itself. */
export function observePgPool(name: string, pool: pg.Pool): void {
  observePool(name, () => {
    if (pool.ended) return undefined;
    const { totalCount, idleCount, waitingCount, options } = pool;
    return { inUse: totalCount - idleCount, idle: idleCount, waiting: waitingCount, size: options.max };
  });
}
