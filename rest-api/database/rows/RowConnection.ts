import { randomBytes } from 'node:crypto';
import { Socket } from 'node:net';
import type pg from 'pg';
import type { ConnectionBudget } from '../../../server/database/connection/ConnectionBudget.ts';
import { PooledClient } from '../../../server/database/connection/PooledClient.ts';
import { Row, type OnRow } from '../../../server/domain/shared/query.ts';
import { MessageReader } from './MessageReader.ts';
import { takeStream } from './takeStream.ts';
import { dataRow, errorOf, errorResponse, executeMessages, parseMessage, readyForQuery } from './protocol.ts';

type Running = { readonly onRow: OnRow; failure: unknown; resolve(): void; reject(error: unknown): void };

const receiveBytes = 64 * 1024;

/**
 * A connection to PostgreSQL that hands rows over in binary format, straight from the bytes that the socket received. The library pg
 * opens it (host, TLS, authentication) and keeps it in its pool; while it is open, this class alone reads what arrives. It runs one
 * statement at a time. After a failure it must not be used again: what is prepared on it may be what failed, as after a migration
 * (`cached plan must not change result type`).
 */
export class RowConnection extends PooledClient {
  readonly #row = new Row();
  readonly #messages = new MessageReader((type, bytes, from, to) => this.#take(type, bytes, from, to));
  readonly #prepared = new Map<string, string>();
  /** A pooler may have lent the server's session to somebody else before, whose statements have names, too. */
  readonly #prefix = `rows_${randomBytes(6).toString('hex')}_`;
  #running: Running | undefined;

  /** `connect` rejects when it fails or takes longer than three seconds. */
  constructor(config: pg.ClientConfig, budget: ConnectionBudget) {
    let onBytes = (bytes: Buffer, length: number) => socket.emit('data', Buffer.from(bytes.subarray(0, length)));
    const socket = new Socket({
      // One buffer for everything that this connection will ever receive; otherwise each read makes a new one.
      onread: { buffer: Buffer.allocUnsafeSlow(receiveBytes), callback: (length, bytes) => onBytes(bytes as Buffer, length) },
    });
    super(
      {
        ...config,
        // A pool hides it from copies.
        password: config.password,
        connectionTimeoutMillis: 3_000,
        stream: (options?: { ssl?: unknown }) => (options?.ssl ? new Socket() : socket),
      },
      budget,
    );
    // A caller that waits for rows learns of a connection that breaks from `end`.
    this.once('end', () => this.#broken());
    this.once('connect', () => {
      takeStream(this, (chunk) => this.#messages.push(chunk, chunk.length));
      onBytes = (bytes, length) => {
        this.#messages.push(bytes, length);
        return true;
      };
    });
  }

  /** Runs a statement, which is prepared when it is first used, and calls `onRow` for each row. Rejects with whatever that throws. */
  read(text: string, parameters: readonly (string | number | null)[], onRow: OnRow): Promise<void> {
    const known = this.#prepared.get(text);
    const name = known ?? `${this.#prefix}${this.#prepared.size}`;
    const messages = executeMessages(name, parameters);
    const { stream } = this.connection;
    return new Promise<void>((resolve, reject) => {
      // It may have broken at the very moment when the pool handed it out.
      if (!stream.writable) return reject(connectionClosed());
      this.#running = { onRow, failure: undefined, resolve, reject };
      stream.write(known === undefined ? Buffer.concat([parseMessage(name, text), messages]) : messages);
    }).then(() => void this.#prepared.set(text, name));
  }

  #take(type: number, bytes: Buffer, from: number, to: number): void {
    const running = this.#running;
    if (!running) return;
    if (type === dataRow) {
      if (running.failure !== undefined) return;
      try {
        this.#row.set(bytes, from);
        running.onRow(this.#row);
      } catch (error) {
        running.failure = error;
      }
    } else if (type === errorResponse) {
      running.failure ??= errorOf(bytes.subarray(from, to));
    } else if (type === readyForQuery) {
      this.#running = undefined;
      if (running.failure === undefined) running.resolve();
      else running.reject(running.failure);
    }
  }

  #broken(): void {
    const running = this.#running;
    this.#running = undefined;
    running?.reject(running.failure ?? connectionClosed());
  }
}

function connectionClosed(): Error {
  return Object.assign(new Error('The connection to PostgreSQL ended.'), { code: 'CONNECTION_CLOSED' });
}
