import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { expect } from '@jest/globals';
import { copyFeed } from '../../../kit/src/cli/copyFeed.ts';
import type { Feed, Handlers } from '../../../kit/src/index.ts';
import { Memory, memoryFeed } from '../../../kit/src/memory.ts';
import { postgresFeed } from '../../../kit/src/postgres.ts';
import { sqliteFeed } from '../../../kit/src/sqlite.ts';
import type { FeedRecord, FeedState, FeedTombstone } from '../feed/feedReader.ts';
import type { World } from '../world/World.ts';

/** `copy` is what `svc sync` writes. */
export const kitStores = ['memory', 'sqlite', 'copy', 'postgres'] as const;
export type KitStore = (typeof kitStores)[number];

/** A feed in a store of its own, and what that store holds. */
export type TestFeed = {
  readonly feed: Feed;
  /** Snapshots by their id, and the ids that have ended. */
  readonly held: () => Promise<{ readonly records: Map<string, FeedRecord>; readonly ended: Set<string> }>;
};

let made = 0;

/** Opens a new store. What its handlers write must fit each of them, so they only note. */
export async function openKitFeed(world: World, store: KitStore, handlers: Handlers<unknown> = {}): Promise<TestFeed> {
  made += 1;
  if (store === 'memory') {
    const memory = new Memory();
    return {
      feed: memoryFeed(handlers, memory),
      async held() {
        const records = [...memory.resources.values()].map(({ snapshot }) => snapshot as unknown as FeedRecord);
        return { records: byId(records), ended: new Set(memory.ended.keys()) };
      },
    };
  }
  if (store === 'sqlite' || store === 'copy') {
    const file = join(world.folder, `kit-${made}.sqlite`);
    const database = new DatabaseSync(file);
    world.onClose(() => database.close());
    return { feed: (store === 'copy' ? copyFeed : sqliteFeed)(database, handlers), held: () => sqliteHeld(file) };
  }
  const url = await operatorDatabase(world);
  const pool = new pg.Pool({ connectionString: url, max: 3 });
  world.onClose(() => pool.end());
  return { feed: postgresFeed(pool, handlers), held: () => postgresHeld(pool) };
}

/** Where an operator would keep a copy in PostgreSQL: a schema that the service does not know. */
export async function operatorDatabase(world: World): Promise<string> {
  const schema = `operator_${(made += 1)}`;
  await world.rows(`create schema ${schema}`);
  const url = new URL(world.databaseUrl);
  url.searchParams.set('options', `-c search_path=${schema}`);
  return url.href;
}

/** Reads a copy through a connection of its own, as after a crash. */
export async function sqliteHeld(file: string): ReturnType<TestFeed['held']> {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const records = database.prepare('select snapshot from svc_resource').all();
    const ended = database.prepare('select id from svc_ended').all();
    expect(database.prepare('select id from svc_resource group by id having count(*) > 1').all()).toEqual([]);
    return {
      records: byId(records.map(({ snapshot }) => JSON.parse(String(snapshot)) as FeedRecord)),
      ended: new Set(ended.map(({ id }) => String(id))),
    };
  } finally {
    database.close();
  }
}

export async function postgresHeld(pool: pg.Pool): ReturnType<TestFeed['held']> {
  const { rows: records } = await pool.query<{ snapshot: FeedRecord }>('select snapshot from svc_resource');
  const { rows: ended } = await pool.query<{ id: string }>('select id from svc_ended');
  return { records: byId(records.map(({ snapshot }) => snapshot)), ended: new Set(ended.map(({ id }) => id)) };
}

const byId = (records: readonly FeedRecord[]): Map<string, FeedRecord> => new Map(records.map((record) => [record.id, record]));

/** The ids of the resources that tombstones remove; a connection has none. */
export function endedResources({ tombstones }: FeedState): Set<string> {
  return new Set([...tombstones.values()].flatMap(({ resource }: FeedTombstone) => (resource ? [resource.id] : [])));
}
