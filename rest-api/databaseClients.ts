import postgres from 'postgres';
import type { Query, RawQuery } from '../server/domain/shared/query.ts';
import { unavailable, withinTime } from '../server/database/unavailable.ts';

/** The machine API's connections to PostgreSQL. */
export type DatabaseClients = {
  /** For admission alone: its transactions are asynchronous (`synchronous_commit = off`). */
  readonly admission: Query;
  readonly read: Query;
  readonly readRaw: RawQuery;
  close(): Promise<void>;
};

const answerWithinMs = 16_000;
const admitWithinMs = 5_000;
const recordWithinMs = 5_000;

const common = {
  connect_timeout: 2,
  // Tried again soon: the wait for a place in the pool is bounded by our own time limit.
  backoff: () => 0.2,
  idle_timeout: 300,
  fetch_types: false,
  prepare: true,
  onnotice: () => {},
} as const;

// Every statement here reads by index and is bounded by its limits. A plan made while the tables were small, or a generic one that
// guesses, would read whole tables.
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

/**
 * Two small pools of postgres.js: one for admission, one for reading. Connections are made on demand and again after a failure; a
 * query that PostgreSQL does not answer in time, or cannot be sent, rejects with `temporarily_unavailable`.
 */
export function openDatabaseClients(databaseUrl: string, { admissionConnections = 4, readConnections = 4 } = {}): DatabaseClients {
  const admission = postgres(databaseUrl, {
    ...common,
    max: admissionConnections,
    connection: { ...session, application_name: 'machine-api-admission', statement_timeout: admitWithinMs },
  });
  const reading = postgres(databaseUrl, {
    ...common,
    max: readConnections,
    connection: { ...session, application_name: 'machine-api-read', statement_timeout: 15_000, plan_cache_mode: 'force_generic_plan' },
  });
  return {
    admission: queryOf(admission, admitWithinMs),
    read: queryOf(reading, answerWithinMs),
    readRaw: async (text, parameters) => guard(reading.unsafe(text, [...parameters], { prepare: true }).raw(), answerWithinMs),
    close: async () => {
      await Promise.all([admission.end({ timeout: 2 }), reading.end({ timeout: 2 })]);
    },
  };
}

/** One connection for the usage of this process, apart from those that requests wait for; its transactions are asynchronous. */
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
    const rows = await guard(client.unsafe(text, [...parameters], { prepare: true }), withinMs);
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
