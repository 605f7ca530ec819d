import pg from 'pg';
import type { Query } from '../../server/domain/shared/query.ts';

/** A slow statement here would hold up everything, and none has a reason to be slow. */
const answeredWithin = 10_000;

/**
 * Every statement reads through an index and is bounded. A plan that was made while the tables were small, or a generic plan that guesses,
 * would otherwise read whole tables.
 */
export const workerSession = {
  TimeZone: 'UTC',
  jit: 'off',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  plan_cache_mode: 'force_generic_plan',
  statement_timeout: answeredWithin,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 10_000,
} as const;

/**
 * Whoever leads asks something at least every five seconds. If it hangs or is cut off, PostgreSQL ends its session after this time, and the
 * next process leads.
 */
const leaderSession = {
  ...workerSession,
  idle_session_timeout: 20_000,
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 2,
} as const;

const optionsOf = (settings: Readonly<Record<string, string | number>>) =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

/**
 * Tried again and again instead of waited for, because a statement that waits keeps its snapshot, and nothing that died since can be
 * vacuumed.
 */
const leadSql = `select pg_try_advisory_lock(hashtext('svc.webhookPump')) as leads`;

/** The connection that reads, listens and holds the lock of the one pump that leads. */
export type LeaderConnection = {
  readonly query: Query;
  /** Whether this process leads now. Asked again until it does. */
  lead(): Promise<boolean>;
  listen(hear: (channel: string, payload: string) => void): Promise<void>;
  /** Resolves with the reason when the connection is lost, and with it the lock. */
  readonly lost: Promise<Error>;
  /** Gives the lock back. */
  end(): Promise<void>;
};

/** Channels on which commands tell that something may be due, or that what was read may not be true any more. */
const channels = ['webhook_due', 'webhook_recheck'] as const;

/** Connects, without the lock. */
export async function openLeaderConnection(databaseUrl: string): Promise<LeaderConnection> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'webhook-pump',
    options: optionsOf(leaderSession),
    connectionTimeoutMillis: 3_000,
    query_timeout: answeredWithin + 1_000,
    keepAlive: true,
  });
  const lost = new Promise<Error>((resolve) => {
    client.on('error', resolve);
    client.on('end', () => resolve(new Error('The connection has ended.')));
  });
  await client.connect();
  const query = preparedQuery((config) => client.query(config));
  return {
    query,
    lost,
    lead: async () => (await query<{ leads: boolean }>(leadSql, []))[0]?.leads === true,
    async listen(hear) {
      client.on('notification', ({ channel, payload = '' }) => hear(channel, payload));
      await client.query(channels.map((channel) => `listen ${channel}`).join('; '));
    },
    end: () => client.end().catch(() => {}),
  };
}

/** The connections that write: one for results, and one for what may take longer. Lost ones are replaced. */
export function openWriteConnections(databaseUrl: string): { readonly query: Query; end(): Promise<void> } {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: 'webhook-results',
    options: optionsOf(workerSession),
    max: 2,
    // Results can wait for a connection longer than a caller would.
    connectionTimeoutMillis: 10_000,
    query_timeout: answeredWithin + 1_000,
    idleTimeoutMillis: 0,
    keepAlive: true,
  });
  pool.on('error', () => {});
  return { query: preparedQuery((config) => pool.query(config)), end: () => pool.end().catch(() => {}) };
}

type Run = (config: { name: string; text: string; values: unknown[] }) => Promise<{ rows: unknown[] }>;

/** Statements are constants, so each is prepared once in a connection. */
function preparedQuery(run: Run): Query {
  const names = new Map<string, string>();
  return async <Row>(text: string, parameters: readonly (string | number | null)[]) => {
    let name = names.get(text);
    if (name === undefined) names.set(text, (name = `webhooks_${names.size}`));
    return (await run({ name, text, values: [...parameters] })).rows as Row[];
  };
}
