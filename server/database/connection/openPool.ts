import pg from 'pg';
import { BoundedClient, clientsWithin } from './BoundedClient.ts';
import { ConnectionBudget } from './ConnectionBudget.ts';
import { connectionOf } from './connectionOf.ts';
import { type ConnectionName, connectionUses, settingsOf } from './connectionUses.ts';
import { PooledClient } from './PooledClient.ts';
import { observePool } from './poolMetrics.ts';
import type { Settings } from './settings.ts';
import { rowTypes } from './rowTypes.ts';

type PoolOptions = Pick<pg.PoolConfig, 'connectionTimeoutMillis' | 'query_timeout' | 'idleTimeoutMillis' | 'onConnect'> & {
  /** How many connections it may have, if not as many as its use, or the budget that it shares with the pool whose place it takes. */
  readonly max?: number | ConnectionBudget | undefined;
  /** Another class of connections. */
  readonly client?: typeof PooledClient;
  /** Another class of pools. */
  readonly Pool?: typeof pg.Pool;
};

/** How much longer than the server may work on a statement its answer may take. */
const answerMargin = 1_000;

/** A pool of `pg` whose connections have the settings of their use, and are not used again once their server cannot write or is silent. */
export function openPool(
  databaseUrl: string,
  name: ConnectionName,
  { max, client, Pool = pg.Pool, ...options }: PoolOptions = {},
): pg.Pool {
  const pool = new Pool({ ...poolOptions(databaseUrl, name, max, client), ...options });
  watchPool(pool, name);
  // One that breaks has already left the pool, and nobody is waiting for it.
  pool.on('error', () => undefined);
  // The job queue warns of a pool without one, because it cannot know that each connection listens for its own errors.
  pool.on('connect', () => undefined);
  return pool;
}

/** The options of such a pool, for a library that makes it itself and calls `watchPool` with it. */
export function poolOptions(
  databaseUrl: string,
  name: ConnectionName,
  max: number | ConnectionBudget = connectionUses[name].most,
  Client = PooledClient,
): pg.PoolConfig {
  const settings = settingsOf(name);
  const budget = typeof max === 'number' ? new ConnectionBudget(name, max) : max;
  return {
    ...connectionOf(databaseUrl, { name }),
    ...answerLimit(settings),
    types: rowTypes,
    Client: clientsWithin(budget, Client),
    max: budget.most,
    onConnect: awaited((client) => applySettings(client, settings)),
  };
}

/**
 * Has the metrics show the use of a pool until it is ended. What it still holds then is in its budget; a pool whose connections never come back would otherwise be counted beside the one in its place.
 */
export function watchPool(pool: pg.Pool, name: ConnectionName): void {
  observePool(name, () => (pool.ending ? undefined : { idle: pool.idleCount, waiting: pool.waitingCount, size: pool.options.max }));
}

/** The server ends a statement that takes longer, so a caller that has heard nothing by then hears nothing any more. The terminal has no limit. */
export function answerLimit({ statement_timeout: limit }: Settings): Pick<pg.ClientConfig, 'query_timeout'> {
  return limit === undefined ? {} : { query_timeout: Number(limit) + answerMargin };
}

/** What a pool does with each new connection before anybody gets it. The pool waits for it, which its types do not say. */
export function awaited(work: (client: pg.ClientBase) => Promise<void>): pg.PoolConfig['onConnect'] {
  return (client): unknown => work(client);
}

type ClientOptions = Pick<pg.ClientConfig, 'connectionTimeoutMillis' | 'query_timeout' | 'pipeline'> & {
  readonly budget?: ConnectionBudget;
  /** Speaks the replication protocol, in which a server is asked for a copy of itself. */
  readonly replication?: 'true';
};

/** Connects one client, with the settings of its use. Anyone who needs to know of its loss listens to `error` and `end`. */
export async function openClient(
  databaseUrl: string,
  name: ConnectionName,
  { budget = new ConnectionBudget(name, 1), ...options }: ClientOptions = {},
): Promise<BoundedClient> {
  const settings = settingsOf(name);
  const config = { ...connectionOf(databaseUrl, { name }), ...answerLimit(settings), connectionTimeoutMillis: 3_000, ...options };
  const client = new BoundedClient(config, budget);
  await client.connect();
  try {
    await applySettings(client, settings);
  } catch (error) {
    await client.end();
    throw error;
  }
  return client;
}

/** One statement that sets all of them for the session. The connection is given up if it is not answered. */
export function settingsStatement(settings: Settings): {
  readonly text: string;
  readonly values: string[];
  readonly query_timeout: number;
} {
  const pairs = Object.entries(settings);
  return {
    query_timeout: 3_000,
    text: `select ${pairs.map((_pair, place) => `set_config($${2 * place + 1}, $${2 * place + 2}, false)`).join(', ')}`,
    values: pairs.flatMap(([name, value]) => [name, String(value)]),
  };
}

async function applySettings(client: pg.ClientBase, settings: Settings): Promise<void> {
  if (Object.keys(settings).length > 0) await client.query(settingsStatement(settings));
}
