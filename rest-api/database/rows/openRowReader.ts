import type { ReadRows } from '../../../server/domain/shared/query.ts';
import { settingsOf } from '../../../server/database/connection/connectionUses.ts';
import { awaited, openPool, settingsStatement } from '../../../server/database/connection/openPool.ts';
import { RowConnection } from './RowConnection.ts';

type RowReader = {
  /** Aborted, it ends like one that is not answered in time. */
  readonly read: (...statement: [...Parameters<ReadRows>, left?: AbortSignal]) => Promise<void>;
  close(): Promise<void>;
};

/**
 * Reads rows through a small pool of row connections. They are opened on demand, closed after a failure, and closed when nobody has
 * needed them for `idleMs`. A statement that is not answered within `withinMs` ends together with its connection, so that none of its
 * rows arrives later. Rejects with the library's error, or with code `CONNECTION_CLOSED`.
 */
export function openRowReader(
  databaseUrl: string,
  { connections, withinMs, idleMs }: { connections: number; withinMs: number; idleMs: number },
): RowReader {
  const pool = openPool(databaseUrl, 'machine-api-pages', {
    client: RowConnection,
    max: connections,
    idleTimeoutMillis: idleMs,
    onConnect: awaited((client) => {
      const { text, values, query_timeout } = settingsStatement(settingsOf('machine-api-pages'));
      return readWithin(query_timeout, client as RowConnection, text, values, () => undefined);
    }),
  });
  let ended: Promise<void> | undefined;
  return {
    read: async (text, parameters, onRow, left) => {
      const connection = (await pool.connect()) as RowConnection;
      const leave = () => connection.destroy();
      left?.addEventListener('abort', leave);
      try {
        if (left?.aborted) leave();
        await readWithin(withinMs, connection, text, parameters, onRow);
        connection.release();
      } catch (error) {
        connection.release(true);
        throw error;
      } finally {
        left?.removeEventListener('abort', leave);
      }
    },
    close: () => (ended ??= pool.end()),
  };
}

async function readWithin(milliseconds: number, connection: RowConnection, ...statement: Parameters<ReadRows>): Promise<void> {
  const timer = setTimeout(() => connection.destroy(), milliseconds);
  try {
    await connection.read(...statement);
  } finally {
    clearTimeout(timer);
  }
}
