import pg from 'pg';
import { observePgPool } from '../../platform/poolMetrics.ts';
import { connectionOf } from './connectionOf.ts';
import { type ConnectionName, connectionUses, settingsOf } from './connectionUses.ts';
import { endsConnection } from './endsConnection.ts';
import { endSoon, noteLoss } from './endSoon.ts';
import type { Settings } from './settings.ts';

type PoolOptions = Pick<pg.PoolConfig, 'max' | 'connectionTimeoutMillis' | 'query_timeout' | 'idleTimeoutMillis' | 'Client' | 'onConnect'>;

/** How much longer than the server may work on a statement its answer may take. */
const answerMargin = 1_000;
const goodbyeWithin = 1_000;

/** A pool of `pg` whose connections have the settings of their use, and are not used again once their server cannot write or is silent. */
export function openPool(databaseUrl: string, name: ConnectionName, options: PoolOptions = {}): pg.Pool {
  const pool = new pg.Pool({ ...poolOptions(databaseUrl, name), ...options });
  observePgPool(name, pool);
  pool.on('connect', dropWhenUseless);
  // One that breaks has already left the pool, and nobody is waiting for it.
  pool.on('error', () => undefined);
  return pool;
}

/** The options of such a pool, for a library that makes it itself and calls `dropWhenUseless` for each of its connections. */
export function poolOptions(databaseUrl: string, name: ConnectionName): pg.PoolConfig {
  const settings = settingsOf(name);
  return {
    ...connectionOf(databaseUrl, { name }).forPg(),
    ...answerLimit(settings),
    max: connectionUses[name].most,
    onConnect: awaited((client) => applySettings(client, settings)),
  };
}

/** The server ends a statement that takes longer, so whoever has heard nothing by then hears nothing any more. The terminal has no limit. */
function answerLimit({ statement_timeout: limit }: Settings): Pick<pg.ClientConfig, 'query_timeout'> {
  return limit === undefined ? {} : { query_timeout: Number(limit) + answerMargin };
}

/** What a pool does with each new connection before anybody gets it. The pool waits for it, which its types do not say. */
export function awaited(work: (client: pg.ClientBase) => Promise<void>): pg.PoolConfig['onConnect'] {
  return (client): unknown => work(client);
}

/** Connects one client, with the settings of its use. Whoever needs to know of its loss listens to `error` and `end`. */
export async function openClient(
  databaseUrl: string,
  name: ConnectionName,
  options: Pick<pg.ClientConfig, 'connectionTimeoutMillis' | 'query_timeout'> = {},
): Promise<pg.Client> {
  const settings = settingsOf(name);
  const client = new pg.Client({
    ...connectionOf(databaseUrl, { name }).forPg(),
    ...answerLimit(settings),
    connectionTimeoutMillis: 3_000,
    ...options,
  });
  // Whoever waits for an answer gets the error, too.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await applySettings(client, settings);
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
  return client;
}

/** Ends a client. If nobody takes its goodbye, as a server that has vanished, its socket is destroyed after a second. */
export async function endClient(client: pg.Client): Promise<void> {
  const timer = setTimeout(() => client.connection.stream.destroy(), goodbyeWithin);
  await client.end().catch(() => undefined);
  clearTimeout(timer);
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

/**
 * Ends a connection whose server has said that it cannot do its work now, as one that has become a standby, or has not answered in time.
 * Its pool drops it as soon as it comes back, and the next connection may find the new primary.
 */
export function dropWhenUseless(client: pg.PoolClient): void {
  noteLoss(client);
  const query = client.query.bind(client) as (...parameters: unknown[]) => unknown;
  const watched = (...parameters: unknown[]): unknown => {
    const result = query(...parameters);
    if (result instanceof Promise) {
      result.catch((error: unknown) => {
        if (endsConnection(error)) endSoon(client);
      });
    }
    return result;
  };
  client.query = watched as typeof client.query;
}
