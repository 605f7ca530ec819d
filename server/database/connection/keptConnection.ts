import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import { PooledClient } from './PooledClient.ts';

/**
 * The connection that a mutation keeps from its first statement to its answer. What reads the answer could otherwise find no free connection
 * in time, and the caller would be told that a change which is stored has failed.
 */
class KeptConnection {
  #phase: 'none' | 'command' | 'answer' | 'over' = 'none';
  #client: pg.PoolClient | undefined;
  #giveBack: ((destroy?: boolean | Error) => void) | undefined;
  #inUse = false;
  readonly #waiting: (() => void)[] = [];

  /** A command's statements use the connection, and others beside it if they need several at a time, as they would without it. */
  command(): void {
    this.#phase = 'command';
  }

  /** Gives the connection back until the next statement. */
  rest(): void {
    if (!this.#inUse) this.#part();
  }

  /** The statements that read the answer take turns. None of them is in a transaction in which another one is awaited. */
  answer(): void {
    if (this.#phase === 'command') this.#phase = 'answer';
  }

  over(): void {
    this.#phase = 'over';
    if (!this.#inUse) this.#part();
  }

  async take(connect: () => Promise<pg.PoolClient>): Promise<pg.PoolClient> {
    if (this.#phase === 'none' || this.#phase === 'over' || (this.#phase === 'command' && this.#inUse)) return connect();
    while (this.#inUse) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#inUse = true;
    if (this.#client instanceof PooledClient && this.#client.isEnding) this.#part();
    try {
      return (this.#client ??= this.#kept(await connect()));
    } catch (error) {
      this.#free();
      throw error;
    }
  }

  /** Its users release it to this request instead of to the pool. */
  #kept(client: pg.PoolClient): pg.PoolClient {
    this.#giveBack = client.release.bind(client);
    client.release = (destroy) => {
      if (destroy || this.#phase === 'over') this.#part(destroy);
      this.#free();
    };
    return client;
  }

  #free(): void {
    this.#inUse = false;
    this.#waiting.shift()?.();
  }

  #part(destroy?: boolean | Error): void {
    const client = this.#client;
    this.#client = undefined;
    if (!client || !this.#giveBack) return;
    client.release = this.#giveBack;
    client.release(destroy);
  }
}

const current = new AsyncLocalStorage<KeptConnection>();

/** Runs a request, in which a connection is kept once `keepConnection` has been called. */
export async function withKeptConnection<Result>(request: () => Promise<Result>): Promise<Result> {
  const kept = new KeptConnection();
  try {
    return await current.run(kept, request);
  } finally {
    kept.over();
  }
}

/** A command begins: the connection of its first statement is kept until the request has been answered. */
export function keepConnection(): void {
  current.getStore()?.command();
}

/** Something takes a while before the next statement, and nothing is stored yet: others may have the connection meanwhile. */
export function restConnection(): void {
  current.getStore()?.rest();
}

/** The command is done, and what is read from now on is read for its answer. */
export function readAnswer(): void {
  current.getStore()?.answer();
}

/** Has this pool give requests the connections that they keep. */
export function lendKept(pool: pg.Pool): void {
  const connect = pool.connect.bind(pool) as (...parameters: unknown[]) => Promise<pg.PoolClient>;
  const lend = (...parameters: unknown[]): Promise<pg.PoolClient> => {
    const kept = parameters.length === 0 ? current.getStore() : undefined;
    return kept ? kept.take(connect) : connect(...parameters);
  };
  pool.connect = lend as typeof pool.connect;
}
