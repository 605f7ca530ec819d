import type { DatabaseSync } from 'node:sqlite';
import type { FeedStore, Handlers } from '../sync/FeedStore.ts';
import { connectionIndex, feedTables } from '../sync/sqlStore.ts';
import { atOnce, sqliteStore, type SqliteFeed } from '../sync/sqliteFeed.ts';
import { runAtOnce } from '../sync/steps.ts';

/** The feed of a copy that only `svc` writes to. */
export type CopyFeed = SqliteFeed & {
  /** Commits the pages that were applied. */
  readonly commit: () => void;
};

/**
 * IDs are random, so that each page of a first copy would change every page of their index. It is made with the last page, therefore, or once
 * something else has to be done than to add; that of connections once one ends. What has changed meanwhile is held twice until then.
 *
 * Until then, too, no page is committed by itself: a transaction takes pages for `together` milliseconds, unless `commit` ends it before. Nothing of
 * the new file is overwritten, so that a journal of what was there before costs next to nothing, where a log of what is new is all of it once more.
 */
export function copyFeed(database: DatabaseSync, handlers: Handlers<DatabaseSync> = {}, together = 0): CopyFeed {
  const store = sqliteStore(database, feedTables('text', '', 'not null'));
  // Copies of the first version have it as their primary key.
  const uniqueIndex = database.prepare(`select 1 from pragma_index_list('svc_resource') where "unique"`);
  const isIndexed = () => uniqueIndex.get() !== undefined;
  const index = () => {
    if (!isIndexed()) addIndex(database);
  };
  const anyEnded = database.prepare('select 1 from svc_ended limit 1');
  const ended = database.prepare('select id from svc_ended where id in (select value from json_each(?))');
  /** When the transaction that is open has begun. */
  let since: number | null = null;
  /** Whether another page follows. */
  let goesOn = false;
  const commit = () => {
    if (since === null) return;
    since = null;
    database.exec('commit');
  };
  const adding: FeedStore<DatabaseSync> = {
    ...store,
    transaction(steps) {
      if (since === null && isIndexed()) return store.transaction(steps);
      if (since === null) database.exec('begin immediate');
      since ??= performance.now();
      goesOn = false;
      try {
        const result = runAtOnce(steps(database));
        if (!goesOn || isIndexed() || performance.now() - since >= together) commit();
        if (isIndexed()) keepLog(database);
        return result;
      } catch (error) {
        since = null;
        rollBack(database);
        throw error;
      }
    },
    known(tx, ids) {
      if (isIndexed()) return store.known(tx, ids);
      return anyEnded.get() ? ended.all(JSON.stringify(ids)).map(({ id }) => ({ id: String(id), revision: null })) : [];
    },
    remove(tx, ids) {
      index();
      return store.remove(tx, ids);
    },
    ofConnection(tx, connectionId) {
      index();
      database.exec(connectionIndex);
      return store.ofConnection(tx, connectionId);
    },
    saveCheckpoint(tx, checkpoint) {
      goesOn = checkpoint.recovering && checkpoint.recovery === 1;
      if (!goesOn) index();
      return store.saveCheckpoint(tx, checkpoint);
    },
  };
  if (isIndexed()) keepLog(database);
  else database.exec('pragma journal_mode = truncate');
  const feed = atOnce(adding, handlers);
  return {
    ...feed,
    refresh(snapshot) {
      commit();
      index();
      return feed.refresh(snapshot);
    },
    commit,
  };
}

/** Of what is held twice, the later revision stays. */
function addIndex(database: DatabaseSync): void {
  const create = 'create unique index svc_resource_by_id on svc_resource (id)';
  try {
    database.exec(create);
  } catch {
    database.exec(`
      delete from svc_resource where rowid in (
        select held from (select rowid as held, row_number() over (partition by id order by revision desc) as place from svc_resource)
         where place > 1)`);
    database.exec(create);
  }
}

/** From now on, others may read at any time. What a crash of the machine takes back, cursor and all, the next sync brings again. */
function keepLog(database: DatabaseSync): void {
  try {
    database.exec('pragma journal_mode = wal; pragma synchronous = normal');
  } catch {
    // Somebody is reading. The next sync does it.
  }
}

function rollBack(database: DatabaseSync): void {
  try {
    database.exec('rollback');
  } catch {
    // SQLite has done so, as it does when the disk is full.
  }
}
