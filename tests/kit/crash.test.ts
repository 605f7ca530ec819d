import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { seededRandom } from '../../server/domain/sandbox/generator/seededRandom.ts';
import { differences, feedTruth } from '../support/feed/feedTruth.ts';
import { FeedWriters } from '../support/feed/feedWriters.ts';
import { pairInFiles } from '../support/kit/kitClient.ts';
import { operatorDatabase, postgresHeld, sqliteHeld } from '../support/kit/kitFeeds.ts';
import type { SyncSettings } from '../support/kit/syncProcess.ts';
import { openWorld, type MachineWorld } from '../support/world/openWorld.ts';

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

test.each(['sqlite', 'postgres'] as const)(
  'a back end in %s that dies again and again while everything changes loses nothing, revives nothing and acknowledges nothing early',
  async (store) => {
    const { client, certificate } = await world.backEnd();
    await world.fixtures.override(client, 'requests_per_minute', 1_200);
    await world.fixtures.override(client, 'requests_per_hour', 36_000);
    const writers = new FeedWriters(world, [client]);
    await writers.start();
    const random = seededRandom(`kit ${store}`);
    const deletedFile = join(world.folder, `deleted-${store}`);
    await writeFile(deletedFile, '');
    const postgresUrl = store === 'postgres' ? await operatorDatabase(world) : '';
    const sqliteFile = join(world.folder, 'crash.sqlite');
    const settings = {
      ...(await pairInFiles(world, certificate)),
      baseUrl: `${world.machineApiUrl}/v1`,
      ca: world.machineApiCa,
      deletedFile,
      pageSize: 7,
      ...(store === 'sqlite' ? { sqliteFile } : { postgresUrl }),
    };

    let mostSteps = 60;
    let killed = 0;
    for (let round = 0; round < kills; round += 1) {
      const writing = (async () => {
        for (let change = 0; change < changes / kills; change += 1) await writers.write(random);
      })();
      const steps = await run({ ...settings, dieAt: random.between(1, mostSteps) });
      if (steps === null) killed += 1;
      else mostSteps = steps;
      await writing;
    }
    expect(writers.errors).toEqual([]);
    expect(killed).toBeGreaterThan(kills / 2);
    expect(await run({ ...settings, dieAt: null })).toBeGreaterThan(0);

    const truth = await feedTruth(world.fixtures.sql, client.number);
    const pool = new pg.Pool({ connectionString: postgresUrl || world.databaseUrl });
    const held = store === 'sqlite' ? await sqliteHeld(sqliteFile) : await postgresHeld(pool);
    expect(differences({ records: held.records, tombstones: new Map() }, { records: truth.records, tombstones: new Map() })).toEqual([]);
    // The caller’s own rows were written in the same transactions.
    const derived =
      store === 'sqlite'
        ? new DatabaseSync(sqliteFile, { readOnly: true }).prepare('select id, revision from derived').all()
        : (await pool.query<{ id: string; revision: string }>('select id, revision from derived')).rows;
    await pool.end();
    const revisions = (rows: readonly { id?: unknown; revision?: unknown }[]) =>
      rows.map(({ id, revision }) => `${String(id)} ${String(revision)}`).sort();
    expect(revisions(derived)).toEqual(revisions([...truth.records.values()]));

    const deleted = new Set((await readFile(deletedFile, 'utf8')).trim().split('\n'));
    const acknowledged = await world.rows<{ id: string }>(
      'select id from revocation where client_number = $1 and acknowledged_at is not null',
      [client.number],
    );
    expect(acknowledged.filter(({ id }) => !deleted.has(id))).toEqual([]);
    const open = await world.rows('select id from revocation where client_number = $1 and acknowledged_at is null', [client.number]);
    expect(open).toEqual([]);
  },
  240_000,
);
