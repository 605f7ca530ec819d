import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import pg from 'pg';
import { Row, type OnRow } from '../../../server/domain/shared/query.ts';
import { MessageReader } from './MessageReader.ts';
import { dataRow, errorOf, errorResponse, executeMessages, parseMessage, readyForQuery } from './protocol.ts';

type Running = { readonly onRow: OnRow; failure: unknown; resolve(): void; reject(error: unknown): void };

const receiveBytes = 64 * 1024;

/**
 * A connection to PostgreSQL that hands rows over in binary format, straight from the bytes that the socket received. The library pg
 * makes it (host, TLS, authentication); from then on this class alone reads what arrives. One statement at a time. A failure is its end:
 * what is prepared on it may be what failed, as after a migration (`cached plan must not change result type`).
 */
export class RowConnection {
  readonly #client: pg.Client;
  readonly #stream: Duplex;
  readonly #row = new Row();
  readonly #messages = new MessageReader((type, bytes, from, to) => this.#take(type, bytes, from, to));
  readonly #prepared = new Map<string, string>();
  #running: Running | undefined;
  #open = true;
  #ended: Promise<void> | undefined;

  /** Connects; rejects when that fails or takes longer than two seconds. */
  static async open(config: pg.ClientConfig): Promise<RowConnection> {
    let onBytes = (bytes: Buffer, length: number) => socket.emit('data', Buffer.from(bytes.subarray(0, length)));
    const socket = new Socket({
      // One buffer for all that this connection will ever receive: otherwise each read makes a new one.
      onread: { buffer: Buffer.allocUnsafeSlow(receiveBytes), callback: (length, bytes) => onBytes(bytes as Buffer, length) },
    });
    const client = new pg.Client({
      ...config,
      connectionTimeoutMillis: 2_000,
      // A peer that vanished without a word is noticed while nothing is sent.
      keepAlive: true,
      keepAliveInitialDelayMillis: 60_000,
      stream: (options?: { ssl?: unknown }) => (options?.ssl ? new Socket() : socket),
    });
    // Without a listener a connection that breaks would end the process; whoever waits for rows learns of it by `close`.
    client.on('error', () => undefined);
    await client.connect();
    const connection = new RowConnection(client);
    onBytes = (bytes, length) => {
      connection.#messages.push(bytes, length);
      return true;
    };
    return connection;
  }

  private constructor(client: pg.Client) {
    this.#client = client;
    this.#stream = client.connection.stream;
    this.#stream.removeAllListeners('data');
    this.#stream.on('data', (chunk: Buffer) => this.#messages.push(chunk, chunk.length));
    this.#stream.once('close', () => this.#broken());
  }

  /** Whether another statement may be sent. */
  get usable(): boolean {
    return this.#open && this.#running === undefined;
  }

  /** Runs a statement, prepared at its first use, and calls `onRow` for each row; what that throws rejects. */
  read(text: string, parameters: readonly (string | number | null)[], onRow: OnRow): Promise<void> {
    const known = this.#prepared.get(text);
    const name = known ?? `s${this.#prepared.size}`;
    const messages = executeMessages(name, parameters);
    return new Promise<void>((resolve, reject) => {
      if (!this.usable) return reject(connectionClosed());
      this.#running = { onRow, failure: undefined, resolve, reject };
      this.#stream.write(known === undefined ? Buffer.concat([parseMessage(name, text), messages]) : messages);
    }).then(() => void this.#prepared.set(text, name));
  }

  /** Ends politely, once. */
  close(): Promise<void> {
    this.#open = false;
    return (this.#ended ??= this.#client.end());
  }

  /** Ends at once: nothing of a statement that still runs is waited for. */
  destroy(): void {
    this.#stream.destroy();
    this.#broken();
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
      if (running.failure === undefined) return running.resolve();
      void this.close();
      running.reject(running.failure);
    }
  }

  #broken(): void {
    this.#open = false;
    const running = this.#running;
    this.#running = undefined;
    running?.reject(running.failure ?? connectionClosed());
  }
}

function connectionClosed(): Error {
  return Object.assign(new Error('The connection to PostgreSQL ended.'), { code: 'CONNECTION_CLOSED' });
}
