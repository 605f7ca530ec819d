import type { DatabaseSync } from 'node:sqlite';
import type { FeedStore, Handlers } from '../sync/FeedStore.ts';
import { connectionIndex, feedTables } from '../sync/sqlStore.ts';
import { atOnce, sqliteStore, type SqliteFeed } from '../sync/sqliteFeed.ts';

/** How many IDs are remembered at most, which takes some 20 MB. */
const mostRemembered = 250_000;

/**
 * The feed of a copy that only `svc` writes to. IDs are random, so that each page of a first copy changes every page of their index. It is made
 * with the last page, therefore, or once something else has to be done than to add what was never there; that of connections once one ends.
 */
export function copyFeed(database: DatabaseSync, handlers: Handlers<DatabaseSync> = {}): SqliteFeed {
  const store = sqliteStore(database, feedTables('text', '', 'not null'));
  const keys = database.prepare("select 1 from pragma_index_list('svc_resource') where origin = 'pk'").all();
  // Copies of earlier versions have the index from the beginning.
  return atOnce(keys.length > 0 ? store : addingFirst(store, database), handlers);
}

function addingFirst(store: FeedStore<DatabaseSync>, database: DatabaseSync): FeedStore<DatabaseSync> {
  const held = database.prepare('select coalesce(max(rowid), 0) as count from svc_resource');
  const ended = database.prepare('select id from svc_ended where id in (select value from json_each(?))');
  /** All that is held, while this process has added it without an index. */
  let added: Set<string> | null = new Set();
  const index = () => {
    added = null;
    database.exec('create unique index if not exists svc_resource_by_id on svc_resource (id)');
  };
  return {
    ...store,
    known(tx, ids) {
      const list = JSON.stringify(ids);
      const expected = (added?.size ?? 0) + ids.length;
      const isAsExpected = held.get()?.['count'] === added?.size;
      // Written and read again, since each ID is a part of its page's text, which the set would keep.
      if (added) for (const id of JSON.parse(list) as string[]) added.add(id);
      // One may have come before, another process may have written, an earlier one may have been interrupted, and a page may have been rolled back.
      if (!added || !isAsExpected || added.size < expected || added.size > mostRemembered) index();
      if (!added) return store.known(tx, ids);
      return ended.all(list).map(({ id }) => ({ id: String(id), revision: null }));
    },
    markSeen(tx, ids, recovery) {
      index();
      return store.markSeen(tx, ids, recovery);
    },
    remove(tx, ids) {
      index();
      return store.remove(tx, ids);
    },
    ofConnection(tx, connectionId) {
      database.exec(connectionIndex);
      return store.ofConnection(tx, connectionId);
    },
    saveCheckpoint(tx, checkpoint) {
      if (!checkpoint.recovering) index();
      return store.saveCheckpoint(tx, checkpoint);
    },
  };
}
