import pg from 'pg';
import type { Feed } from 'svc-operator-kit';
import { postgresFeed } from 'svc-operator-kit/postgres';
import type { Query, Row, Writes } from './query.ts';

export async function open(tables: string, { upserted, ended }: Writes): Promise<{ feed: Feed; query: Query }> {
  const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], allowExitOnIdle: true });
  const on =
    (client: pg.Pool | pg.PoolClient): Query =>
    async (text, values = []) =>
      (await client.query<Row>(text, [...values])).rows;
  await pool.query(tables);
  const feed = postgresFeed<pg.PoolClient>(pool, {
    upserted: (client, snapshot) => upserted(on(client), snapshot),
    ended: (client, resource) => ended(on(client), resource),
  });
  return { feed, query: on(pool) };
}
