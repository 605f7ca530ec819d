import { openClient, openPool } from '../../server/database/connection/openPool.ts';
import { useSettings } from '../../server/database/connection/settings.ts';
import { statementNames } from '../../server/database/connection/statementNames.ts';
import type { Query } from '../../server/domain/shared/query.ts';

/** Somewhat longer than PostgreSQL's own limit. */
const answeredWithin = useSettings['webhook-pump'].statement_timeout + 1_000;

/** Milliseconds. More than that is no delay on the way but a wrong clock. */
const clockMayDiffer = 5_000;

/**
 * Tried again and again instead of waited for, because a statement that waits keeps its snapshot, and nothing that died since can be
 * vacuumed.
 */
const leadSql = `
select case when pg_is_in_recovery() or current_setting('transaction_read_only')::boolean then 'read_only'
            when abs(date_part('epoch', clock_timestamp()) * 1000 - $1::float8) > ${clockMayDiffer} then 'clock_differs'
            when pg_try_advisory_lock(hashtext('svc.webhookPump')) then 'leads'
            else 'waits' end as answer`;

type LeadAnswer = 'leads' | 'waits' | 'clock_differs' | 'read_only';

/** The connection that reads, listens and holds the lock of the one pump that leads. */
export type LeaderConnection = {
  readonly query: Query;
  /**
   * Whether this process leads now. Asked again until it does. Due times and windows go by the leader’s clock alone, so a process that says what time
   * it is does not lead with another time than the database’s. On a standby, which has locks of its own, and while no result can be written down,
   * nobody leads.
   */
  lead(now: number | null): Promise<LeadAnswer>;
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
  const client = await openClient(databaseUrl, 'webhook-pump', { query_timeout: answeredWithin });
  const lost = new Promise<Error>((resolve) => {
    client.on('error', resolve);
    client.on('end', () => resolve(new Error('The connection has ended.')));
  });
  const query = preparedQuery((config) => client.query(config));
  return {
    query,
    lost,
    lead: async (now) => (await query<{ answer: LeadAnswer }>(leadSql, [now]))[0]?.answer ?? 'waits',
    async listen(hear) {
      client.on('notification', ({ channel, payload = '' }) => hear(channel, payload));
      for (const channel of channels) await client.query(`listen ${channel}`);
    },
    end: () => client.end(),
  };
}

/** The connections that write: one for results, and one for what may take longer. Lost ones are replaced. */
export function openWriteConnections(databaseUrl: string): { readonly query: Query; end(): Promise<void> } {
  const pool = openPool(databaseUrl, 'webhook-results', {
    // Results can wait for a connection longer than a caller would.
    connectionTimeoutMillis: 10_000,
    query_timeout: answeredWithin,
    idleTimeoutMillis: 0,
  });
  return { query: preparedQuery((config) => pool.query(config)), end: () => pool.end().catch(() => {}) };
}

type Run = (config: { name: string; text: string; values: unknown[] }) => Promise<{ rows: unknown[] }>;

/** Each statement is prepared once in a connection. */
function preparedQuery(run: Run): Query {
  const nameOf = statementNames('webhooks');
  return async <Row>(text: string, parameters: readonly (string | number | null)[]) =>
    (await run({ name: nameOf(text), text, values: [...parameters] })).rows as Row[];
}
