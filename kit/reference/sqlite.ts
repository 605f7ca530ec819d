import { DatabaseSync } from 'node:sqlite';
import { sqliteFeed, type SqliteFeed } from 'svc-operator-kit/sqlite';
import type { Query, Row, Writes } from './query.ts';
import { pathOf } from './settings.ts';

export async function open(tables: string, { upserted, ended }: Writes): Promise<{ feed: SqliteFeed; query: Query }> {
  const database = new DatabaseSync(pathOf('operator.sqlite'));
  database.exec(`pragma journal_mode = wal; pragma synchronous = full; ${tables}`);
  const query: Query = (text, values = []) =>
    database.prepare(text).all(Object.fromEntries(values.map((value, index) => [`$${index + 1}`, value]))) as Row[];
  const feed = sqliteFeed(database, {
    upserted: (_database, snapshot) => upserted(query, snapshot),
    ended: (_database, resource) => ended(query, resource),
  });
  return { feed, query };
}
