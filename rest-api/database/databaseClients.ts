import type { Query, ReadRows } from '../../server/domain/shared/query.ts';
import { type ConnectionName, type ConnectionSizes, connectionUses } from '../../server/database/connection/connectionUses.ts';
import { openPipelines, type Pipelines } from '../../server/database/connection/openPipelines.ts';
import { unavailable, withinTime } from '../../server/database/unavailable.ts';
import { traceStatement } from '../../server/platform/tracing/tracing.ts';
import { openRowReader } from './rows/openRowReader.ts';
import { serverPresence, type WhileThere } from './serverPresence.ts';

/** The machine API's connections to PostgreSQL. */
export type DatabaseClients = {
  /** Used only for admission, whose transactions are asynchronous. */
  readonly admission: Query;
  readonly read: Query;
  /** Used for pages, whose rows are copied straight from the socket into the answer. */
  readonly readRows: ReadRows;
  /** For what is read or done on other connections. */
  readonly whileThere: WhileThere;
  close(): Promise<void>;
};

const answerWithinMs = 16_000;
const idleMs = 300_000;

/**
 * Opens three small pools: two whose statements are pipelined, for admission and for reading, and one for pages. Connections are opened on
 * demand, and again after a failure. A query that cannot be sent, or that PostgreSQL does not answer in time, rejects with
 * `temporarily_unavailable`, and so does one whose server has become silent, after four seconds.
 */
export function openDatabaseClients(databaseUrl: string, sizes: ConnectionSizes = {}): DatabaseClients {
  const sizeOf = (name: ConnectionName) => sizes[name] ?? connectionUses[name].most;
  const pipelines = (name: ConnectionName) => openPipelines(databaseUrl, name, { max: sizeOf(name) });
  const admission = pipelines('machine-api-admission');
  const reading = pipelines('machine-api-read');
  const rows = openRowReader(databaseUrl, { connections: sizeOf('machine-api-pages'), withinMs: answerWithinMs, idleMs });
  // Its statements look at single rows and wait for nobody.
  const whileThere = serverPresence(() => reading.query('select 1', []));
  return {
    admission: admission.query,
    read: (text, parameters) => whileThere(reading.query(text, parameters)),
    readRows: async (text, parameters, onRow) => {
      const left = new AbortController();
      const read = () => withinTime(rows.read(text, parameters, onRow, left.signal), answerWithinMs);
      try {
        await traceStatement(text, () => whileThere(read(), () => left.abort()));
      } catch (error) {
        throw unavailable(error);
      }
    },
    whileThere,
    close: async () => {
      await Promise.all([admission.close(), reading.close(), rows.close()]);
    },
  };
}

/** One connection on which this process records usage, separate from those that requests wait for. Its transactions are asynchronous. */
export function openUsageClient(databaseUrl: string): Pipelines {
  return openPipelines(databaseUrl, 'machine-api-usage', { max: 1 });
}
