import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { backupIsDue, backupName, backupsIn, removeOldBackups } from '../../server/database/backup/backups.ts';
import { restoreBackup } from '../../server/database/backup/restoreBackup.ts';
import { startBackups } from '../../server/database/backup/startBackups.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../server/database/embeddedPostgres.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { createRunFolder } from '../support/run/runFolders.ts';

let folder: string;
let source: EmbeddedPostgres;
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const secure = () => Promise.resolve();
const started: EmbeddedPostgres[] = [];

beforeAll(async () => {
  folder = await createRunFolder();
  source = await start('source');
});
afterAll(async () => {
  await Promise.all(started.map((each) => each.stop()));
  await rm(folder, { recursive: true, force: true });
});

async function start(name: string): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir: join(folder, name), log });
  started.push(server);
  return server;
}

async function ask<Row>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Row[];
  } finally {
    await client.end();
  }
}

const at = (time: string) => ({ path: '', takenAt: new Date(time) });

test.each([
  ['2026-05-02T02:59:00Z', '2026-05-01T03:00:00Z', false],
  ['2026-05-02T03:00:00Z', '2026-05-01T03:00:00Z', true],
  // One that was missed while the service was off, or came late, is made up for, and the next is on time.
  ['2026-05-02T01:00:00Z', '2026-04-30T03:00:00Z', true],
  ['2026-05-02T03:00:00Z', '2026-05-02T01:00:00Z', true],
  ['2026-05-02T23:59:00Z', '2026-05-02T03:00:00Z', false],
])('at %s, with the newest backup of %s and 3 as the hour, another one is due: %s', (now, newest, due) => {
  expect(backupIsDue(new Date(now), 3, at(newest))).toBe(due);
});

test('backups older than they are kept go, but never the newest; so does what was never finished, and nothing else', async () => {
  const dir = await mkdtemp(join(folder, 'kept-'));
  const names = ['2026-05-01T03:00:00Z', '2026-05-10T03:00:00Z', '2026-05-20T03:00:00Z'].map((time) => backupName(new Date(time)));
  const underWay = `${backupName(new Date('2026-05-20T03:09:00Z'))}.part`;
  for (const name of [...names, `${names[0]}.part`, underWay, 'notes']) await mkdir(join(dir, name));
  await removeOldBackups(dir, { now: new Date('2026-05-20T03:10:00Z'), days: 14 });
  expect((await readdir(dir)).toSorted()).toEqual([names[1], names[2], underWay, 'notes']);
  await removeOldBackups(dir, { now: new Date('2027-05-20T03:10:00Z'), days: 14 });
  expect((await backupsIn(dir)).map(({ takenAt }) => takenAt.toISOString())).toEqual(['2026-05-20T03:00:00.000Z']);
});

test('a backup is taken while others write, and restored elsewhere: everything that was committed before it is there, with roles and passwords', async () => {
  await ask(source.urls.owner, 'create table kept (id int primary key, words text)');
  await ask(source.urls.owner, `insert into kept select n, md5(n::text) from generate_series(1, 50000) n`);
  let writing = true;
  const writer = (async () => {
    for (let id = 100_000; writing; id += 1) await ask(source.urls.owner, `insert into kept values (${id}, 'meanwhile')`);
  })();
  const dir = join(folder, 'backups');
  const stops: (() => unknown)[] = [];
  const clock = { now: () => new Date('2026-05-01T12:00:00Z') };
  const logged: string[] = [];
  const logger = createLogger('test', 'info', { write: (line) => void logged.push(line) });
  const backups = startBackups(
    { dir, hour: 3, days: 14 },
    { dataDir: join(folder, 'source'), clock, logger, onStop: (_name, stop) => stops.push(stop) },
  );
  await backups.look();
  await backups.look();
  writing = false;
  await writer;
  for (const stop of stops) await stop();
  expect(logged).toEqual([expect.stringContaining('"msg":"backup.taken"')]);
  expect(await readdir(dir)).toEqual(['backup-20260501T120000Z']);

  const backup = join(dir, 'backup-20260501T120000Z');
  expect((await readdir(backup)).toSorted()).toEqual(['backup_manifest', 'base.tar.gz', 'password']);
  await restoreBackup({ backup, dataDir: join(folder, 'restored'), log, secure });
  const restored = await start('restored');
  expect(restored.url.replace(/:\d+\//, '/')).toBe(source.url.replace(/:\d+\//, '/'));
  const digest = `select count(*)::int as rows, md5(string_agg(words, ',' order by id)) as digest from kept where id <= 50000`;
  expect(await ask(restored.urls.owner, digest)).toEqual(await ask(source.urls.owner, digest));
  expect(await ask(restored.urls.owner, 'select current_user as name')).toEqual([{ name: 'oi_owner' }]);
  // Whatever was committed while it was taken is there up to one moment, without a gap.
  const [seen] = await ask<{ rows: number; last: number }>(
    restored.urls.owner,
    'select count(*)::int as rows, coalesce(max(id) - 99999, 0) as last from kept where id >= 100000',
  );
  expect(seen?.rows).toBe(seen?.last);
});

test('a backup that is not as PostgreSQL wrote it is refused, and so are one that cannot be secured and a folder that has a database', async () => {
  const [newest] = await backupsIn(join(folder, 'backups'));
  const backup = newest?.path ?? '';
  await expect(restoreBackup({ backup, dataDir: join(folder, 'source'), log, secure })).rejects.toThrow(
    'exists, and a database is never written over',
  );
  await expect(restoreBackup({ backup: folder, dataDir: join(folder, 'none'), log, secure })).rejects.toThrow(
    'is no backup of the service',
  );
  const manifest = join(backup, 'backup_manifest');
  const text = await readFile(manifest, 'utf8');
  await writeFile(manifest, text.replace(/("Path": "PG_VERSION"[^}]*"Checksum": ")[0-9a-f]{8}/, '$100000000'));
  await expect(restoreBackup({ backup, dataDir: join(folder, 'none'), log, secure })).rejects.toThrow('The backup is damaged: PG_VERSION');
  await writeFile(manifest, text);
  const failing = () => Promise.reject(new Error('It cannot be secured.'));
  await expect(restoreBackup({ backup, dataDir: join(folder, 'none'), log, secure: failing })).rejects.toThrow('It cannot be secured.');
  expect(await readdir(join(folder, 'none'))).toEqual([]);
});

test('a backup is not restored beside a service that runs, nor over one that was started meanwhile', async () => {
  const [newest] = await backupsIn(join(folder, 'backups'));
  const backup = newest?.path ?? '';
  const dataDir = join(folder, 'running');
  await start('running');
  await rename(join(dataDir, 'database'), join(dataDir, 'database.moved'));
  await expect(restoreBackup({ backup, dataDir, log, secure })).rejects.toThrow('A service runs with the data folder');
  await rename(join(dataDir, 'database.moved'), join(dataDir, 'database'));
  const elsewhere = join(folder, 'meanwhile');
  const startedMeanwhile = () => mkdir(join(elsewhere, 'database/cluster'), { recursive: true }).then(() => undefined);
  await expect(restoreBackup({ backup, dataDir: elsewhere, log, secure: startedMeanwhile })).rejects.toThrow('has been made meanwhile');
  expect(await readdir(elsewhere)).toEqual(['database']);
});

test('a backup that fails is told, leaves nothing behind, and is tried again an hour later', async () => {
  let now = new Date('2026-06-01T12:00:00Z');
  const logged: string[] = [];
  const logger = createLogger('test', 'info', { write: (line) => void logged.push(line) });
  const dir = join(folder, 'failing');
  const stops: (() => unknown)[] = [];
  const backups = startBackups(
    { dir, hour: 3, days: 14 },
    { dataDir: join(folder, 'nothing-there'), clock: { now: () => now }, logger, onStop: (_name, stop) => stops.push(stop) },
  );
  const failures = () => logged.filter((line) => line.includes('backup.failed')).length;
  await backups.look();
  await backups.look();
  expect(failures()).toBe(1);
  now = new Date('2026-06-01T13:00:01Z');
  await backups.look();
  expect(failures()).toBe(2);
  expect(await readdir(dir).catch(() => [])).toEqual([]);
  for (const stop of stops) await stop();
});
