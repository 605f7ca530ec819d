import pg from 'pg';
import type { ReadRows } from '../../../server/domain/shared/query.ts';
import { RowConnection } from './RowConnection.ts';

export type RowReader = { readonly read: ReadRows; close(): Promise<void> };

/**
 * Reads rows through a small pool of row connections. They are opened on demand, closed after a failure, and closed when nobody has
 * needed them for `idleMs`. A statement that is not answered within `withinMs` ends together with its connection, so that none of its
 * rows arrives later. Rejects with the library's error, or with code `CONNECTION_CLOSED`.
 */
export function openRowReader(
  config: pg.ClientConfig,
  { connections, withinMs, idleMs }: { connections: number; withinMs: number; idleMs: number },
): RowReader {
  const pool = new pg.Pool({ ...config, Client: RowConnection, max: connections, idleTimeoutMillis: idleMs });
  // An idle connection that breaks has already left the pool, and nobody is waiting for it.
  pool.on('error', () => undefined);
  let ended: Promise<void> | undefined;
  return {
    read: async (text, parameters, onRow) => {
      const connection = (await pool.connect()) as RowConnection & pg.PoolClient;
      const timer = setTimeout(() => connection.destroy(), withinMs);
      try {
        await connection.read(text, parameters, onRow);
        connection.release();
      } catch (error) {
        connection.release(true);
        throw error;
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => (ended ??= pool.end()),
  };
}
