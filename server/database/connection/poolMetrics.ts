import { Gauge } from 'prom-client';
import { registry } from '../../platform/metrics.ts';
import { budgetsInUse } from './ConnectionBudget.ts';
import type { ConnectionName } from './connectionUses.ts';

/** How many connections of a pool nobody uses, how many statements wait for one, and how many there may be. Undefined once it has ended. */
type PoolUse = () => { readonly idle: number; readonly waiting: number; readonly size: number } | undefined;

const pools = new Map<PoolUse, ConnectionName>();

/** Everything is looked at when somebody reads the metrics, so that nothing is counted for them while pools work. */
const connections = new Gauge({
  name: 'svc_database_pool_connections',
  help: 'Connections to PostgreSQL that exist, by use: in use, idle, being opened or being closed',
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
      connections.inc({ pool, state: 'in_use' }, -now.idle);
      connections.inc({ pool, state: 'idle' }, now.idle);
      waiting.inc({ pool }, now.waiting);
      size.inc({ pool }, now.size);
    }
    const pooled = new Set(pools.values());
    for (const budget of budgetsInUse()) {
      const { name: pool, most } = budget;
      const { open, opening, closing } = budget.count();
      connections.inc({ pool, state: 'in_use' }, open);
      connections.inc({ pool, state: 'opening' }, opening);
      connections.inc({ pool, state: 'closing' }, closing);
      if (!pooled.has(pool)) size.inc({ pool }, most);
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
  help: 'How many connections there may be',
  labelNames: ['pool'] as const,
  registers: [registry],
});

/** Shows the use of a pool from now on, together with others of its name in this process, until it ends. */
export function observePool(name: ConnectionName, use: PoolUse): void {
  pools.set(use, name);
}
