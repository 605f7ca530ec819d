import type pg from 'pg';
import type { ReadRows } from '../../server/domain/shared/query.ts';
import { RowConnection } from './RowConnection.ts';

export type RowReader = { readonly read: ReadRows; close(): Promise<void> };

type Waiting = { resolve(connection: RowConnection): void; reject(error: unknown): void };

/**
 * A small pool of row connections, made on demand and again after a failure. A statement that is not answered in time ends with its
 * connection, so that no row of it arrives later. Rejects with the client library's error, or with code `CONNECT_TIMEOUT`.
 */
export function openRowReader(
  config: pg.ClientConfig,
  { connections: most, withinMs }: { connections: number; withinMs: number },
): RowReader {
  const idle: RowConnection[] = [];
  const all = new Set<RowConnection>();
  const waiting: Waiting[] = [];
  let places = most;

  const giveBack = (connection: RowConnection) => {
    if (!connection.usable) {
      all.delete(connection);
      places += 1;
      open();
    } else {
      const next = waiting.shift();
      if (next) next.resolve(connection);
      else idle.push(connection);
    }
  };
  /** Makes a connection for the first in the queue. */
  const open = () => {
    const next = places > 0 ? waiting.shift() : undefined;
    if (!next) return;
    places -= 1;
    RowConnection.open(config).then(
      (connection) => {
        all.add(connection);
        next.resolve(connection);
      },
      (error: unknown) => {
        places += 1;
        next.reject(error);
        open();
      },
    );
  };
  const take = (): Promise<RowConnection> => {
    for (let connection = idle.pop(); connection; connection = idle.pop()) {
      if (connection.usable) return Promise.resolve(connection);
      all.delete(connection);
      places += 1;
    }
    return new Promise((resolve, reject) => {
      waiting.push({ resolve, reject });
      open();
    });
  };

  return {
    read: async (text, parameters, onRow) => {
      const connection = await take();
      const timer = setTimeout(() => connection.destroy(), withinMs);
      try {
        await connection.read(text, parameters, onRow);
      } finally {
        clearTimeout(timer);
        giveBack(connection);
      }
    },
    close: async () => {
      await Promise.all([...all].map((connection) => connection.close()));
    },
  };
}
