import postgres from 'postgres';
import type { Query, ReadRows } from '../../server/domain/shared/query.ts';
import { unavailable, withinTime } from '../../server/database/unavailable.ts';
import { traceStatement } from '../../server/platform/tracing/tracing.ts';
import { openRowReader } from './rows/openRowReader.ts';

/** The machine API's connections to PostgreSQL. */
export type DatabaseClients = {
  /** Used only for admission, because its transactions are asynchronous (`synchronous_commit = off`). */
  readonly admission: Query;
  readonly read: Query;
  /** Used for pages, whose rows are copied straight from the socket into the answer. */
  readonly readRows: ReadRows;
  close(): Promise<void>;
};

const answerWithinMs = 16_000;
const admitWithinMs = 5_000;
const recordWithinMs = 5_000;
const idleSeconds = 300;

const common = {
  connect_timeout: 2,
  // It tries again soon. Our own time limit bounds how long anybody waits for a connection.
  backoff: () => 0.2,
  idle_timeout: idleSeconds,
  keep_alive: 60,
  fetch_types: false,
  prepare: true,
  onnotice: () => {},
} as const;

// Every statement here reads through an index and is bounded by its own limits. A plan that was made while the tables were small, or a
// generic plan that guesses, would otherwise read whole tables.
const session = {
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 10_000,
  TimeZone: 'UTC',
  jit: 'off',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
} as const;

/** What admission's connections set. Its plans do not depend on whom it asks about, and its commits do not wait for the disk. */
export const admissionSession = {
  ...session,
  statement_timeout: admitWithinMs,
  plan_cache_mode: 'force_generic_plan',
  synchronous_commit: 'off',
} as const;

/**
 * Opens three small pools: two of postgres.js, for admission and for reading, and one for pages. Connections are opened on demand, and
 * again after a failure. A query that cannot be sent, or that PostgreSQL does not answer in time, rejects with `temporarily_unavailable`.
 */
export function openDatabaseClients(databaseUrl: string, { admissionConnections = 4, readConnections = 4 } = {}): DatabaseClients {
  const readSession = { statement_timeout: 15_000, plan_cache_mode: 'force_generic_plan' } as const;
  const admission = postgres(databaseUrl, {
    ...common,
    max: admissionConnections,
    connection: { ...admissionSession, application_name: 'machine-api-admission' },
  });
  const reading = postgres(databaseUrl, {
    ...common,
    max: readConnections,
    connection: { ...session, ...readSession, application_name: 'machine-api-read' },
  });
  const rows = openRowReader(
    {
      connectionString: databaseUrl,
      application_name: 'machine-api-pages',
      options: Object.entries({ ...session, ...readSession })
        .map(([name, value]) => `-c ${name}=${value}`)
        .join(' '),
    },
    { connections: readConnections, withinMs: answerWithinMs, idleMs: idleSeconds * 1_000 },
  );
  return {
    admission: queryOf(admission, admitWithinMs),
    read: queryOf(reading, answerWithinMs),
    readRows: (text, parameters, onRow) => traceStatement(text, () => guard(rows.read(text, parameters, onRow), answerWithinMs)),
    close: async () => {
      await Promise.all([admission.end({ timeout: 2 }), reading.end({ timeout: 2 }), rows.close()]);
    },
  };
}

/** One connection on which this process records usage, separate from those that requests wait for. Its transactions are asynchronous. */
export function openUsageClient(databaseUrl: string): { query: Query; close(): Promise<void> } {
  const client = postgres(databaseUrl, {
    ...common,
    max: 1,
    connection: { ...session, application_name: 'machine-api-usage', statement_timeout: recordWithinMs, synchronous_commit: 'off' },
  });
  return { query: queryOf(client, recordWithinMs), close: () => client.end({ timeout: 2 }) };
}

function queryOf(client: postgres.Sql, withinMs: number): Query {
  return async <Row>(text: string, parameters: readonly (string | number | null)[]) => {
    const rows = await traceStatement(text, () => guard(client.unsafe(text, [...parameters], { prepare: true }), withinMs));
    return rows as unknown as Row[];
  };
}

async function guard<Result>(work: PromiseLike<Result>, withinMs: number): Promise<Result> {
  try {
    return await withinTime(work, withinMs);
  } catch (error) {
    throw unavailable(error);
  }
}
