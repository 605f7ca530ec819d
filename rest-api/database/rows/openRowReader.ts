import type pg from 'pg';
import type { ReadRows } from '../../../server/domain/shared/query.ts';
import { RowConnection } from './RowConnection.ts';

export type RowReader = { readonly read: ReadRows; close(): Promise<void> };

type Idle = { readonly connection: RowConnection; readonly timer: NodeJS.Timeout };
type Waiting = { resolve(connection: RowConnection): void; reject(error: unknown): void };

/**
 * A small pool of row connections, made on demand and again after a failure; closed when nobody has needed them for `idleMs`. A statement that is not answered in time ends with its
 * connection, so that no row of it arrives later. Rejects with the client library's error, or with code `CONNECT_TIMEOUT`.
 */
export function openRowReader(
  config: pg.ClientConfig,
  { connections: most, withinMs, idleMs }: { connections: number; withinMs: number; idleMs: number },
): RowReader {
  const idle: Idle[] = [];
  const all = new Set<RowConnection>();
  const waiting: Waiting[] = [];
  let places = most;

  const forget = (connection: RowConnection) => {
    if (all.delete(connection)) places += 1;
  };
  const rest = (connection: RowConnection) => {
    const timer = setTimeout(() => {
      idle.splice(0, idle.length, ...idle.filter((each) => each.connection !== connection));
      forget(connection);
      void connection.close();
    }, idleMs);
    idle.push({ connection, timer: timer.unref() });
  };
  const giveBack = (connection: RowConnection) => {
    if (!connection.usable) {
      forget(connection);
      return open();
    }
    const next = waiting.shift();
    if (next) next.resolve(connection);
    else rest(connection);
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
    for (let last = idle.pop(); last; last = idle.pop()) {
      clearTimeout(last.timer);
      if (last.connection.usable) return Promise.resolve(last.connection);
      forget(last.connection);
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
      for (const { timer } of idle) clearTimeout(timer);
      await Promise.all([...all].map((connection) => connection.close()));
    },
  };
}
