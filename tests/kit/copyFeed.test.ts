import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { copyFeed } from '../../kit/src/cli/copyFeed.ts';
import type { Snapshot, SyncPage } from '../../kit/src/index.ts';
import { sqliteFeed } from '../../kit/src/sqlite.ts';

let folder: string;
let open: DatabaseSync[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'copy-'));
  open = [];
});
afterEach(() => {
  for (const database of open) database.close();
  rmSync(folder, { recursive: true });
});

function opened(): DatabaseSync {
  const database = new DatabaseSync(join(folder, 'copy.sqlite'));
  open.push(database);
  return database;
}

/** A page with these resources in these revisions, and these ends. */
const pageOf = (next_cursor: string, revisions: Record<string, number>, ended: readonly string[] = []): SyncPage => ({
  upserts: Object.entries(revisions).map(([id, revision]) => ({ id, type: 'order', revision, connection_id: 'con_1' }) as Snapshot),
  tombstones: ended.map((id) => ({
    event_id: `evt_${id}`,
    revocation_id: `rev_${id}`,
    connection_id: 'con_1',
    resource: { type: 'order', id },
    subject: { type: 'resource', id },
    reason: 'user_revoked',
    revoked_at: '2026-11-01T00:00:00Z',
    deletion_deadline_at: '2026-11-08T00:00:00Z',
  })),
  next_cursor,
  has_more: next_cursor !== 'last',
});

/** What is held, row by row, and which indexes there are beside that of a primary key. */
function heldIn(database: DatabaseSync) {
  const rows = database.prepare('select id, revision from svc_resource order by id').all();
  const indexes = database.prepare("select name from pragma_index_list('svc_resource') where origin = 'c' order by name").all();
  return { rows: rows.map(({ id, revision }) => `${String(id)} ${String(revision)}`), indexes: indexes.map(({ name }) => name) };
}
const byId = ['svc_resource_by_id'];

test('a first copy is written without an index, which its last page brings', () => {
  const database = opened();
  const feed = copyFeed(database);
  const first = feed.apply(feed.begin('cli_1'), pageOf('a', { one: 1, two: 1 }), '"1"');
  expect(heldIn(database)).toEqual({ rows: ['one 1', 'two 1'], indexes: [] });
  const second = feed.apply(first.checkpoint, pageOf('last', { three: 1 }), '"2"');
  expect(heldIn(database)).toEqual({ rows: ['one 1', 'three 1', 'two 1'], indexes: byId });
  expect(feed.apply(second.checkpoint, pageOf('last', { one: 2, two: 1 }), '"3"').counts).toEqual({ upserts: 1, ended: 0 });
  expect(heldIn(database).rows).toEqual(['one 2', 'three 1', 'two 1']);
});

test.each<[what: string, next: (page: SyncPage) => SyncPage]>([
  ['on a later page', (page) => page],
  ['twice on one page', (page) => ({ ...page, upserts: [...page.upserts, ...page.upserts] })],
])('a resource that comes again %s of a first copy is held once at its end, in the later revision', (_what, next) => {
  const database = opened();
  const feed = copyFeed(database);
  const { checkpoint } = feed.apply(feed.begin('cli_1'), pageOf('a', { one: 1, two: 1 }), '"1"');
  feed.apply(checkpoint, next(pageOf('last', { one: 2, three: 1 })), '"2"');
  expect(heldIn(database)).toEqual({ rows: ['one 2', 'three 1', 'two 1'], indexes: byId });
});

test('a first copy that was interrupted goes on', () => {
  const feed = copyFeed(opened());
  const { checkpoint } = feed.apply(feed.begin('cli_1'), pageOf('a', { one: 1, two: 1 }), '"1"');
  const database = opened();
  const next = copyFeed(database);
  expect(next.begin('cli_1')).toEqual(checkpoint);
  next.apply(checkpoint, pageOf('last', { two: 2, three: 1 }), '"2"');
  expect(heldIn(database)).toEqual({ rows: ['one 1', 'three 1', 'two 2'], indexes: byId });
});

test('two processes that make a first copy of one file hold each resource once', () => {
  const [one, other] = [copyFeed(opened()), copyFeed(opened())];
  const begun = [one.begin('cli_1'), other.begin('cli_1')] as const;
  const { checkpoint } = one.apply(begun[0], pageOf('a', { one: 1, two: 1 }), '"1"');
  expect(other.apply(begun[1], pageOf('a', { one: 1, two: 1 }), '"1"')).toEqual({ checkpoint, counts: null });
  other.apply(checkpoint, pageOf('last', { two: 2, three: 1 }), '"2"');
  expect(heldIn(opened())).toEqual({ rows: ['one 1', 'three 1', 'two 2'], indexes: byId });
});

test('a page that was rolled back is applied when it comes again', () => {
  const database = opened();
  const failing = new Set(['three']);
  const feed = copyFeed(database, {
    upserted(_tx, { id }) {
      if (failing.delete(id)) throw new Error('The disk is full.');
    },
  });
  const { checkpoint } = feed.apply(feed.begin('cli_1'), pageOf('a', { one: 1 }), '"1"');
  const page = pageOf('b', { two: 1, three: 1 });
  expect(() => feed.apply(checkpoint, page, '"2"')).toThrow('The disk is full.');
  expect(heldIn(database).rows).toEqual(['one 1']);
  feed.apply(checkpoint, page, '"2"');
  expect(heldIn(database).rows).toEqual(['one 1', 'three 1', 'two 1']);
});

test('what ends in the middle of a first copy goes, and comes no more', () => {
  const database = opened();
  const feed = copyFeed(database);
  const first = feed.apply(feed.begin('cli_1'), pageOf('a', { one: 1, two: 1 }), '"1"');
  const second = feed.apply(first.checkpoint, pageOf('b', {}, ['one']), '"2"');
  expect(second.counts).toEqual({ upserts: 0, ended: 1 });
  feed.apply(second.checkpoint, pageOf('c', { one: 2, two: 2, three: 1 }), '"3"');
  expect(heldIn(database)).toEqual({ rows: ['three 1', 'two 2'], indexes: byId });
});

test('a first copy that has to begin again counts what it had, and what it does not bring again goes', () => {
  const database = opened();
  const feed = copyFeed(database);
  const { checkpoint } = feed.apply(feed.begin('cli_1'), pageOf('a', { one: 1, two: 1 }), '"1"');
  expect(feed.apply(feed.recover(checkpoint), pageOf('last', { two: 1 }), '"2"').counts).toEqual({ upserts: 0, ended: 1 });
  expect(heldIn(database)).toEqual({ rows: ['two 1'], indexes: byId });
});

test('a snapshot that was read by itself replaces an older one in the middle of a first copy', () => {
  const database = opened();
  const feed = copyFeed(database);
  const { checkpoint } = feed.apply(feed.begin('cli_1'), pageOf('a', { one: 1 }), '"1"');
  expect(pageOf('a', { one: 2, two: 1 }).upserts.map(feed.refresh)).toEqual([true, false]);
  feed.apply(checkpoint, pageOf('last', { one: 1, two: 1 }), '"2"');
  expect(heldIn(database).rows).toEqual(['one 2', 'two 1']);
});

test('what another process has ended comes no more, though nothing of it was held', () => {
  const database = opened();
  const feed = copyFeed(database);
  const { checkpoint } = feed.apply(feed.begin('cli_1'), pageOf('a', { one: 1 }), '"1"');
  database.exec("insert into svc_ended (id, revocation_id) values ('two', 'rev_1')");
  feed.apply(checkpoint, pageOf('b', { two: 1, three: 1 }), '"2"');
  expect(heldIn(database).rows).toEqual(['one 1', 'three 1']);
});

describe('pages of a first copy that are committed together', () => {
  const hour = 3_600_000;
  const journalOf = (database: DatabaseSync) => database.prepare('pragma journal_mode').get()?.['journal_mode'];
  const begun = (together: number) => {
    const feed = copyFeed(opened(), {}, together);
    return { feed, at: feed.begin('cli_1'), reader: opened() };
  };

  test('are there for others once the last one is, and then a log is kept', () => {
    const { feed, at, reader } = begun(hour);
    const { checkpoint } = feed.apply(at, pageOf('a', { one: 1 }), '"1"');
    expect([feed.begin('cli_1').cursor, heldIn(reader).rows, journalOf(reader)]).toEqual(['a', ['one 1'], 'delete']);
    const next = feed.apply(checkpoint, pageOf('b', { two: 1 }), '"2"');
    expect(heldIn(reader).rows).toEqual(['one 1']);
    feed.apply(next.checkpoint, pageOf('last', { three: 1 }), '"3"');
    expect([heldIn(reader), journalOf(opened())]).toEqual([{ rows: ['one 1', 'three 1', 'two 1'], indexes: byId }, 'wal']);
  });

  test('are committed at once when the next page is late', () => {
    const { feed, at, reader } = begun(hour);
    feed.apply(at, pageOf('a', { one: 1 }), '"1"');
    expect(reader.prepare('select cursor from svc_checkpoint').get()).toEqual({ cursor: null });
    feed.commit();
    expect(heldIn(reader).rows).toEqual(['one 1']);
    feed.commit();
  });

  test('are committed one by one where their time is up with each', () => {
    const { feed, at, reader } = begun(0);
    feed.apply(at, pageOf('a', { one: 1 }), '"1"');
    expect(heldIn(reader).rows).toEqual(['one 1']);
  });

  test('are committed with whatever else is done', () => {
    const { feed, at, reader } = begun(hour);
    feed.apply(at, pageOf('a', { one: 1 }), '"1"');
    expect(feed.dueDeletions()).toEqual([]);
    expect(heldIn(reader).rows).toEqual(['one 1']);
  });

  test('come again together when one of them fails', () => {
    const failing = new Set(['two']);
    const database = opened();
    const feed = copyFeed(
      database,
      {
        upserted(_tx, { id }) {
          if (failing.delete(id)) throw new Error('The disk is full.');
        },
      },
      hour,
    );
    const at = feed.begin('cli_1');
    feed.commit();
    const { checkpoint } = feed.apply(at, pageOf('a', { one: 1 }), '"1"');
    expect(() => feed.apply(checkpoint, pageOf('b', { two: 1 }), '"2"')).toThrow('The disk is full.');
    expect(feed.apply(checkpoint, pageOf('b', { two: 1 }), '"2"')).toEqual({ checkpoint: at, counts: null });
    const again = feed.apply(at, pageOf('a', { one: 1 }), '"1"');
    feed.apply(again.checkpoint, pageOf('last', { two: 1 }), '"2"');
    expect(heldIn(opened())).toEqual({ rows: ['one 1', 'two 1'], indexes: byId });
  });
});

test('a copy of an earlier version keeps its key and gets no second index', () => {
  const database = opened();
  const earlier = sqliteFeed(database);
  database.exec('drop index svc_resource_of_connection');
  const { checkpoint } = earlier.apply(earlier.begin('cli_1'), pageOf('a', { one: 1 }), '"1"');
  copyFeed(database).apply(checkpoint, pageOf('last', { one: 2, two: 1 }), '"2"');
  expect(heldIn(database)).toEqual({ rows: ['one 2', 'two 1'], indexes: [] });
});
