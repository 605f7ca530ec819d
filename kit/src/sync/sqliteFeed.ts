import { feedOn, type Feed } from './Feed.ts';
import { textOf, type FeedStore, type Handlers } from './FeedStore.ts';
import { connectionIndex, feedTables, sqlStore, type SqlValue } from './sqlStore.ts';
import { runAtOnce } from './steps.ts';

type Statement = { all(...values: (string | number | null)[]): unknown[] };
/** `DatabaseSync` of node:sqlite (Node 22.13 and later) is one. */
export type SqliteDatabase = { exec(sql: string): unknown; prepare(sql: string): Statement };

/** A feed that answers at once. */
export type SqliteFeed = { readonly [Name in keyof Feed]: (...given: Parameters<Feed[Name]>) => Awaited<ReturnType<Feed[Name]>> };

/** Keeps a feed in SQLite. `upserted` and `ended` write to the same database, at once: in its transaction nothing can be awaited. */
export function sqliteFeed<Database extends SqliteDatabase>(database: Database, handlers: Handlers<Database> = {}): SqliteFeed {
  return atOnce(sqliteStore(database, feedTables('text', connectionIndex)), handlers);
}

/** Nothing in this store returns a promise, so what the feed returns is there at once. @internal */
export const atOnce = <Tx>(store: FeedStore<Tx>, handlers: Handlers<Tx>): SqliteFeed => feedOn(store, handlers) as SqliteFeed;

/** @internal */
export function sqliteStore<Database extends SqliteDatabase>(database: Database, tables: string): FeedStore<Database> {
  // Other processes that write to the same file are waited for.
  database.exec(`pragma busy_timeout = 10000;${tables}`);
  const prepared = new Map<string, Statement>();
  const rows = <Row>(_tx: Database, text: string, values: readonly SqlValue[]): Row[] => {
    const statement = prepared.get(text) ?? database.prepare(text);
    prepared.set(text, statement);
    return statement.all(...values.map((value) => (typeof value === 'boolean' ? Number(value) : value))) as Row[];
  };
  // Later recovery syncs have higher numbers.
  const upsert = database.prepare(`
    insert into svc_resource (id, type, connection_id, revision, seen, snapshot) values (?, ?, ?, ?, ?, ?)
        on conflict do update set revision = excluded.revision, snapshot = excluded.snapshot, seen = max(seen, excluded.seen)`);
  return sqlStore<Database>({
    rows,
    list: 'json_each(?)',
    lock: '',
    transaction(steps) {
      database.exec('begin immediate');
      try {
        const result = runAtOnce(steps(database));
        database.exec('commit');
        return result;
      } catch (error) {
        database.exec('rollback');
        throw error;
      }
    },
    put(_tx, snapshots, seen) {
      // Most of a copy's time is spent here, so that each value that is bound counts.
      for (const each of snapshots) upsert.all(each.id, each.type, each.connection_id, each.revision, seen ?? 0, textOf(each));
    },
  });
}
