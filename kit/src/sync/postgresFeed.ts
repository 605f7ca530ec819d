import { feedOn, type Feed } from './Feed.ts';
import type { Handlers } from './FeedStore.ts';
import { connectionIndex, feedTables, sqlStore, type SqlValue } from './sqlStore.ts';
import { runAwaiting, turns, type Steps } from './steps.ts';

/** A client of `pg`, or anything that answers as it does. */
export type PostgresClient = { query(text: string, values?: unknown[]): Promise<{ readonly rows: unknown[] }> };
/** A pool of `pg`. */
export type PostgresPool<Client extends PostgresClient> = {
  readonly totalCount: number;
  connect(): Promise<Client & { release(broken?: boolean): void }>;
};

/** For a migration of your own. Without one, the feed makes them before its first transaction. */
export const postgresTables = feedTables('jsonb', connectionIndex);

/**
 * Keeps a feed in PostgreSQL. Hand in a pool, or a client that nothing else uses while the feed does. `upserted` and `ended` get the client
 * whose transaction they belong to.
 */
export function postgresFeed<Client extends PostgresClient>(
  database: PostgresPool<Client> | Client,
  handlers: Handlers<Client> = {},
  { makeTables = true }: { readonly makeTables?: boolean } = {},
): Feed {
  const inTurn = turns();
  let made = !makeTables;
  const rows = async <Row>(client: Client, text: string, values: readonly SqlValue[]): Promise<Row[]> => {
    let count = 0;
    const numbered = text.replaceAll('?', () => `$${(count += 1)}`);
    return (await client.query(numbered, [...values])).rows as Row[];
  };

  async function run<T>(client: Client, steps: (client: Client) => Steps<T>): Promise<T> {
    try {
      await client.query('begin');
      // Two processes that make the same table at once disturb each other.
      if (!made) await client.query(`select pg_advisory_xact_lock(hashtext('svc-operator-kit')); ${postgresTables}`);
      const result = await runAwaiting(steps(client));
      await client.query('commit');
      made = true;
      return result;
    } catch (error) {
      // Where even that fails, the connection is gone, and with it the transaction.
      await client.query('rollback').catch(() => {});
      throw error;
    }
  }

  const store = sqlStore<Client>({
    rows,
    list: 'jsonb_array_elements_text(?::jsonb)',
    lock: 'for update',
    async transaction(steps) {
      if (!('totalCount' in database)) return inTurn(() => run(database, steps));
      const client = await database.connect();
      const result = await run(client, steps).catch((error: unknown) => {
        client.release(true);
        throw error;
      });
      client.release();
      return result;
    },
    put: (client, snapshots, seen) =>
      rows(
        client,
        `insert into svc_resource (id, type, connection_id, revision, seen, snapshot)
         select s->>'id', s->>'type', s->>'connection_id', (s->>'revision')::bigint, coalesce(?, 0), s from jsonb_array_elements(?::jsonb) s
             on conflict (id) do update set revision = excluded.revision, snapshot = excluded.snapshot, seen = coalesce(?, svc_resource.seen)`,
        [seen, JSON.stringify(snapshots), seen],
      ),
  });
  return feedOn(store, handlers);
}
