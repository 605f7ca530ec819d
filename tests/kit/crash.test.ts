import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { SyncPage } from '../../kit/src/index.ts';
import { seededRandom } from '../../server/domain/sandbox/generator/seededRandom.ts';
import { allScopes } from '../../server/domain/shared/scopes.ts';
import { differences, feedTruth } from '../support/feed/feedTruth.ts';
import { FeedWriters } from '../support/feed/feedWriters.ts';
import { pairInFiles } from '../support/kit/kitClient.ts';
import { operatorDatabase, postgresHeld, sqliteHeld } from '../support/kit/kitFeeds.ts';
import type { SyncSettings } from '../support/kit/syncProcess.ts';
import { openWorld, type MachineWorld } from '../support/world/openWorld.ts';

// By hand: KIT_KILLS=1000 KIT_CHANGES=10000 npm test -- tests/kit/crash.test.ts
const kills = Number(process.env['KIT_KILLS'] ?? 20);
const changes = Number(process.env['KIT_CHANGES'] ?? 200);

let world: MachineWorld;
beforeAll(async () => {
  world = await openWorld({ machine: true });
});
afterAll(() => world.close());

/** Runs a back end until it dies or is done. Returns how many steps it has taken, or null if it died. */
async function run(settings: SyncSettings): Promise<number | null> {
  const process_ = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', 'tests/support/kit/syncProcess.ts', JSON.stringify(settings)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let printed = '';
  process_.stdout.on('data', (part: Buffer) => (printed += part.toString()));
  const [code, signal] = (await once(process_, 'close')) as [number | null, string | null];
  if (signal !== 'SIGKILL') expect(code).toBe(0);
  return signal === 'SIGKILL' ? null : Number(printed);
}

type Query = <Row>(statement: string) => Promise<Row[]>;

/** What is wrong with a copy, as a crash has left it, whatever the service shares by now. */
async function faultsOf(query: Query, pages: readonly SyncPage[]): Promise<string[]> {
  const torn = await query<{ id: string }>(
    `select coalesce(r.id, d.id) as id from svc_resource r full join derived d on d.id = r.id where d.revision is distinct from r.revision`,
  );
  const revived = await query<{ id: string }>('select id from svc_resource where id in (select id from svc_ended)');
  const [checkpoint] = await query<{ cursor: string | null }>('select cursor from svc_checkpoint');
  const revisions = new Map(
    (await query<{ id: string; revision: string | number }>('select id, revision from svc_resource')).map((row) => [row.id, row.revision]),
  );
  const ended = new Set((await query<{ id: string }>('select id from svc_ended')).map(({ id }) => id));
  // The cursor is that of the last page that was committed, so all of this page is there.
  const last = pages.findLast(({ next_cursor: next }) => next === checkpoint?.cursor);
  const ahead = [
    ...(last?.upserts ?? []).filter(({ id, revision }) => !ended.has(id) && Number(revisions.get(id) ?? 0) < revision),
    ...(last?.tombstones ?? []).flatMap(({ resource }) => (resource && !ended.has(resource.id) ? [resource] : [])),
  ];
  return [
    ...torn.map(({ id }) => `${id} and what is derived from it do not agree`),
    ...revived.map(({ id }) => `${id} has ended and is there`),
    ...ahead.map(({ id }) => `the cursor is ahead of ${id}`),
  ];
}

test.each(['sqlite', 'postgres'] as const)(
  'a back end in %s that dies again and again while everything changes loses nothing, revives nothing and acknowledges nothing early',
  async (store) => {
    const { client, certificate } = await world.backEnd();
    await world.fixtures.override(client, 'requests_per_minute', 1_200);
    await world.fixtures.override(client, 'requests_per_hour', 36_000);
    const writers = new FeedWriters(world, [client]);
    await writers.start();
    const random = seededRandom(`kit ${store}`);
    const inFolder = (name: string) => join(world.folder, `${name}-${store}`);
    const [deletedFile, pagesFile, sqliteFile] = [inFolder('deleted'), inFolder('pages'), inFolder('copy')];
    for (const file of [deletedFile, pagesFile]) await writeFile(file, '');
    const postgresUrl = await operatorDatabase(world);
    const settings = {
      ...(await pairInFiles(world, certificate)),
      baseUrl: `${world.machineApiUrl}/v1`,
      ca: world.machineApiCa,
      deletedFile,
      pagesFile,
      pageSize: 7,
      ...(store === 'sqlite' ? { sqliteFile } : { postgresUrl }),
    };
    const pool = new pg.Pool({ connectionString: postgresUrl });
    const query: Query = async <Row>(statement: string) => {
      if (store === 'postgres') return (await pool.query(statement)).rows as Row[];
      const database = new DatabaseSync(sqliteFile);
      const rows = database.prepare(statement).all() as Row[];
      database.close();
      return rows;
    };
    const linesOf = async (file: string) => (await readFile(file, 'utf8')).split('\n').slice(0, -1);
    /** Of the revocations, those acknowledged although nothing was deleted for them. */
    const early = async () => {
      const deleted = new Set(await linesOf(deletedFile));
      const statement = 'select id from revocation where client_number = $1 and acknowledged_at is not null';
      const acknowledged = await world.rows<{ id: string }>(statement, [client.number]);
      return { acknowledged: acknowledged.length, early: acknowledged.filter(({ id }) => !deleted.has(id)) };
    };

    expect(await run({ ...settings, dieAt: null })).toBeGreaterThan(0);
    let [killed, runs, pages, kept] = [0, 0, 0, 0];
    while (killed < kills) {
      const writing = (async () => {
        for (let change = 0; change < changes / kills; change += 1) await writers.write(random);
      })();
      // Some die at once, some in the middle, and some only when they acknowledge, or not at all.
      const steps = await run({ ...settings, dieAt: random.between(1, random.pick([40, 150, 500])) });
      if (steps === null) killed += 1;
      runs += 1;
      await writing;
      const read = await linesOf(pagesFile);
      pages += read.length - kept;
      const parsed = read.map((line) => JSON.parse(line) as SyncPage);
      expect(await faultsOf(query, parsed)).toEqual([]);
      expect((await early()).early).toEqual([]);
      // What comes next begins with the page that was committed last.
      const last = read.slice(-20);
      kept = last.length;
      await writeFile(pagesFile, last.map((line) => `${line}\n`).join(''));
    }
    expect(writers.errors).toEqual([]);
    expect(await run({ ...settings, dieAt: null })).toBeGreaterThan(0);

    const truth = await feedTruth(world.fixtures.sql, client.number);
    const held = store === 'sqlite' ? await sqliteHeld(sqliteFile) : await postgresHeld(pool);
    expect(differences({ records: held.records, tombstones: new Map() }, { records: truth.records, tombstones: new Map() })).toEqual([]);
    // The caller’s own rows were written in the same transactions.
    expect(await faultsOf(query, [])).toEqual([]);
    // With the scope, what is left is acknowledged.
    await world.rows('update client set scopes = $2 where number = $1', [client.number, allScopes]);
    expect(await run({ ...settings, dieAt: null })).toBeGreaterThan(0);
    await pool.end();
    const stated = await early();
    expect(stated.early).toEqual([]);
    const open = await world.rows('select id from revocation where client_number = $1 and acknowledged_at is null', [client.number]);
    expect(open).toEqual([]);
    if (process.env['KIT_KILLS'] !== undefined) {
      const figures = {
        killed,
        runs,
        pages,
        rows: held.records.size,
        ended: held.ended.size,
        marked: (await linesOf(deletedFile)).length,
        changes: writers.counts,
      };
      process.stderr.write(`${store}: ${JSON.stringify(figures)}\n`);
    }
  },
  Math.max(240_000, kills * 6_000),
);
