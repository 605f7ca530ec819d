import { callbackify } from 'node:util';
import pg from 'pg';
import type { ConnectionBudget } from './ConnectionBudget.ts';

/** Without another `connectionTimeoutMillis`. */
const usuallyWithin = 3_000;
const goodbyeWithin = 1_000;

/**
 * A connection that counts in its budget from before its first packet until its socket has closed, whatever it is doing meanwhile: while it
 * is made (TLS, authentication), used and ended. It is made when there is room for it. One that cannot be made, or whose server does not
 * take its goodbye within a second, has its socket destroyed.
 */
export class BoundedClient extends pg.Client {
  readonly #budget: ConnectionBudget;
  readonly #connectedWithin: number;
  #ending = false;
  /** By `performance.now()`. */
  connectedAt = Number.NEGATIVE_INFINITY;

  constructor(config: pg.ClientConfig, budget: ConnectionBudget) {
    super(config);
    this.#budget = budget;
    this.#connectedWithin = config.connectionTimeoutMillis ?? usuallyWithin;
    // Without a listener, a connection that breaks would end the process. A caller that waits for an answer gets the error, too.
    this.on('error', () => (this.#ending = true));
    this.once('end', () => {
      this.#ending = true;
      this.#budget.giveBack(this);
    });
    this.once('connect', () => {
      this.connectedAt = performance.now();
      this.#budget.connected(this);
    });
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | void {
    if (!callback) return this.#connect();
    callbackify(() => this.#connect())(callback);
  }

  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | void {
    if (!callback) return this.#end();
    callbackify(() => this.#end())(callback);
  }

  /** Whether it has broken or ended, or is about to. */
  get isEnding(): boolean {
    return this.#ending;
  }

  /** Closes the socket at once. A caller that still waits for an answer hears that the connection has ended. */
  destroy(): void {
    this.connection.stream.destroy();
  }

  async #end(): Promise<void> {
    this.#ending = true;
    this.#budget.ending(this);
    const timer = setTimeout(() => this.destroy(), goodbyeWithin);
    await super.end();
    clearTimeout(timer);
  }

  async #connect(): Promise<pg.Client> {
    await this.#budget.take(this, this.#connectedWithin);
    // Its pool may have given it up while it waited.
    if (this.#ending || this.connection.stream.destroyed) {
      this.#budget.giveBack(this);
      throw new Error('Connection terminated');
    }
    try {
      return await super.connect();
    } catch (error) {
      this.destroy();
      throw error;
    }
  }
}

/** The option by which a pool makes connections of this class, all in one budget. */
export function clientsWithin(budget: ConnectionBudget, Client: typeof BoundedClient): pg.PoolConfig['Client'] {
  // A pool passes its options, which its types do not say, and a library in between copies whatever stands beside them.
  const make = function (config: pg.ClientConfig): BoundedClient {
    return new Client(config, budget);
  };
  return make as unknown as pg.PoolConfig['Client'];
}
