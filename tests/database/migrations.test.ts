import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { EntityName } from '@mikro-orm/postgresql';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { migrationsList } from '../../migrations/migrationsList.ts';
import { migrateDatabase } from '../../server/database/migrate.ts';
import { readMigrations, type Migration } from '../../server/database/migration/migrations.ts';
import { queueMigration } from '../../server/database/migration/queueRevision.ts';
import { requireSchema } from '../../server/database/migration/requireSchema.ts';
import { createOrm } from '../../server/database/orm.ts';
import { roleUrl } from '../../server/database/roles/loginRoles.ts';
import { createTestDatabase, type TestDatabase } from '../support/run/testDatabase.ts';

test('every mapped entity reads all of its columns from the migrated database', async () => {
  const database = await createTestDatabase();
  const orm = await createOrm(database.url);
  try {
    for (const entity of orm.config.get('entities')) {
      const rows = await orm.em.fork().find(entity as EntityName<object>, {}, { limit: 1 });
      expect(Array.isArray(rows)).toBe(true);
    }
  } finally {
    await orm.close(true);
    await database.drop();
  }
});

test('each migration is named by its day, and listed after the earlier ones', () => {
  const days = migrationsList.map(({ name }) => name.split('/')[0] ?? '').filter((folder) => folder !== 'baseline');
  expect(days.filter((day) => !/^\d{4}-\d{2}-\d{2}$/.test(day))).toEqual([]);
  expect(days).toEqual(days.toSorted());
});

describe('on the schema of this release', () => {
  let database: TestDatabase;
  let owner: string;
  let client: pg.Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    owner = roleUrl(database.url, 'owner');
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  test.each(['9999-01-01/later', 'graphile-worker/1000', 'release/1000.0.0'])(
    'the migrate command of a release before leaves schema and rights to the later one (%s)',
    async (later) => {
      const readable = "select has_table_privilege('oi_portal', 'audit_export', 'select') as readable";
      await client.query(`insert into migration (name, checksum) values ('${later}', ''); grant select on audit_export to oi_portal;
        create table if not exists later_table (id text)`);
      const said: string[] = [];
      const say = (words: string) => said.push(words);
      expect(await migrateDatabase(owner, { partitionsFrom: null, say })).toEqual([]);
      expect(said).toEqual([expect.stringContaining(`has migrated this database (${later}). Its schema and its rights stay as they are.`)]);
      expect((await client.query<object>(readable)).rows).toEqual([{ readable: true }]);
      const migrations = [...(await readMigrations()), { name: 'missing', sql: 'select 1' }];
      await expect(migrateDatabase(owner, { migrations })).rejects.toThrow('it lacks missing of this one');
      await client.query(`delete from migration where name = '${later}'; drop table later_table`);
      await migrateDatabase(owner, { partitionsFrom: null });
      expect((await client.query<object>(readable)).rows).toEqual([{ readable: false }]);
    },
  );

  test('functions with the code’s constants in them are made again by each migration, and a process does not start without them', async () => {
    const made = "select pg_get_functiondef('quota_order()'::regprocedure) as text";
    const before = (await client.query<object>(made)).rows;
    await requireSchema(owner);
    await client.query(`create or replace function quota_order() returns text[] language sql immutable as 'select null::text[]';
      delete from migration where name like 'functions/%'`);
    await expect(requireSchema(owner)).rejects.toThrow(/1 of its migrations has not run, beginning with functions\//);
    await migrateDatabase(owner, { partitionsFrom: null });
    await requireSchema(owner);
    expect((await client.query<object>(made)).rows).toEqual(before);
  });

  test('a rule for rows that has to change waits no longer than a migration for readers of its table', async () => {
    await client.query("comment on policy oi_portal_sees on request_log is 'as it was'");
    const holder = new pg.Client({ connectionString: database.url, application_name: 'portal' });
    await holder.connect();
    await holder.query('begin; select 1 from request_log');
    const said: string[] = [];
    const say = (words: string) => {
      said.push(words);
      if (words.includes('tries again')) void holder.query('commit');
    };
    const lockWaits = { lockTimeoutMs: 1_500, pauseMs: 10, patienceMs: 60_000 };
    await migrateDatabase(owner, { partitionsFrom: null, lockWaits, say }).finally(() => void holder.end());
    expect(said[0]).toContain('The table of rights waits for portal');
    expect(said[1]).toBe('The table of rights has not got its locks, and lets everybody else go first before it tries again.');
  });

  test('rights that meet a change of the catalogue, as by a worker that makes a partition, are applied after it', async () => {
    const other = new pg.Client({ connectionString: database.url });
    await other.connect();
    // The privileges of a table are in its row of the catalogue.
    await other.query('begin; grant delete on audit_export to oi_workers');
    const migrating = migrateDatabase(owner, {
      partitionsFrom: null,
      lockWaits: { lockTimeoutMs: 60_000, pauseMs: 10, patienceMs: 60_000 },
    });
    const waiting =
      "select 1 from pg_stat_activity where datname = current_database() and application_name = 'migrate' and wait_event_type = 'Lock'";
    while ((await client.query(waiting)).rows.length === 0) await client.query('select pg_sleep(0.05)');
    await other.query('commit').finally(() => void other.end());
    await migrating;
    const deletable = "select has_table_privilege('oi_workers', 'audit_export', 'delete') as deletable";
    expect((await client.query<object>(deletable)).rows).toEqual([{ deletable: false }]);
  });
});

describe('on an empty database', () => {
  let database: TestDatabase;
  let client: pg.Client;
  beforeEach(async () => {
    database = await createTestDatabase({ migrated: false });
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });
  afterEach(async () => {
    await client.end();
    await database.drop();
  });
  const rows = async (sql: string): Promise<unknown[]> => (await client.query<Record<string, unknown>>(sql)).rows;
  const inTransaction = (name: string, sql: string): Migration => ({ name, sql });

  test('two processes that migrate at the same moment run each migration once, and one of them finds nothing to do', async () => {
    const ran = await Promise.all([migrateDatabase(database.url), migrateDatabase(database.url)]);
    const names = (await readMigrations()).map(({ name }) => name);
    expect(ran.toSorted((a, b) => a.length - b.length)).toEqual([[], names]);
    expect(await rows("select count(*)::int as count from migration where checksum <> ''")).toEqual([{ count: names.length }]);
    // A release that brings other tables of the queue says so, and processes look for it.
    expect(await rows("select 'graphile-worker/' || max(id) as name from graphile_worker.migrations")).toEqual([{ name: queueMigration }]);
    // Nobody has taken from everybody what only an administrator can take. Once it is taken, there is nothing to say.
    const said: string[] = [];
    await migrateDatabase(database.url, { say: (words) => said.push(words) });
    expect(said).toEqual([
      expect.stringMatching(/^Processes may fill the disk with large objects\. Have .* run in this database: revoke execute .*;$/),
    ]);
    await client.query(said[0]?.split('database: ')[1] ?? '');
    await migrateDatabase(database.url, { say: (words) => said.push(words) });
    expect(said).toHaveLength(1);
    // A new installation dates its first terms and its closed gate from its own beginning.
    const recent = "now() - interval '10 minutes' as new";
    expect(
      await rows(`select published_at > ${recent} from terms_version union all select changed_at > ${recent} from service_gate`),
    ).toEqual([{ new: true }, { new: true }]);
  });

  test('a table of which nobody has decided who may use it is found before its migration is committed', async () => {
    const tables = new Set(['migration', 'known']);
    const migrations = [
      inTransaction('first', 'create table known (id int); create table passing (id int)'),
      inTransaction('second', 'drop table passing'),
      inTransaction('third', 'create table forgotten (id int)'),
    ];
    await expect(migrateDatabase(database.url, { migrations, tables })).rejects.toThrow('does not say who may use forgotten');
    expect(await rows("select to_regclass('known')::text as known, to_regclass('forgotten') as forgotten")).toEqual([
      { known: 'known', forgotten: null },
    ]);
    expect(await rows("select name from migration where name in ('first', 'second', 'third') order by name")).toEqual([
      { name: 'first' },
      { name: 'second' },
    ]);
  });

  test('a migration takes as long as it needs, whatever limits the database sets', async () => {
    // Which of them there are depends on PostgreSQL's version.
    const { rows: known } = await client.query<{ name: string }>(
      "select name from pg_settings where name ~ '^(statement|transaction|idle_.*session)_timeout$'",
    );
    const limits = known.map(({ name }) => name);
    expect(limits).toEqual(expect.arrayContaining(['statement_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout']));
    for (const limit of limits) await client.query(`alter database ${client.database} set ${limit} = '200ms'`);
    const seen = `select name, setting from pg_settings where name in ('${limits.join("', '")}')`;
    const slow = inTransaction('slow', `create table seen as ${seen}; select pg_sleep(0.3)`);
    expect(await migrateDatabase(database.url, { migrations: [slow] })).toEqual(['slow']);
    expect(await rows('select distinct setting from seen')).toEqual([{ setting: '0' }]);
  });

  test('a migration that cannot have its lock lets everybody else go first, says who holds it, and tries again', async () => {
    await client.query('create table busy (id int)');
    const holder = new pg.Client({ connectionString: database.url, application_name: 'portal' });
    await holder.connect();
    await holder.query('begin; lock table busy in share mode');
    const said: string[] = [];
    let released: Promise<unknown> | undefined;
    try {
      const migrations = [inTransaction('widen', 'alter table busy add column name text')];
      const migrating = migrateDatabase(database.url, {
        migrations,
        lockWaits: { lockTimeoutMs: 1_500, pauseMs: 10, patienceMs: 60_000 },
        say: (words) => {
          said.push(words);
          // On a busy machine the first wait may end before anybody has looked who holds the lock.
          if (['waits for', 'tries again'].every((part) => said.some((line) => line.includes(part)))) released ??= holder.query('commit');
        },
      });
      expect(await migrating).toEqual(['widen']);
    } finally {
      await released;
      await holder.end();
    }
    expect(said).toContainEqual(
      expect.stringMatching(/^widen waits for portal \(process \d+, role \w+, idle in transaction, its transaction is \d+ s old\)\.$/),
    );
    expect(said).toContain('widen has not got its locks, and lets everybody else go first before it tries again.');
  });

  test('after one that was killed in the middle, the next migrates on', async () => {
    const program = fileURLToPath(new URL('../support/run/migratingProcess.ts', import.meta.url));
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, database.url], { stdio: 'inherit' });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const inTheMiddle = "select 1 as one from pg_stat_activity where application_name = 'migrate' and wait_event = 'PgSleep'";
    while ((await rows(inTheMiddle)).length === 0) await rows('select pg_sleep(0.05)');
    const said: string[] = [];
    const migrations = [
      inTransaction('first', 'create table first_table (id int)'),
      inTransaction('second', 'create table second_table (id int)'),
    ];
    // It waits before the other one is killed, whose lock PostgreSQL may give back at once or seconds later.
    const migrating = migrateDatabase(database.url, { migrations, say: (words) => said.push(words) });
    while (said.length === 0) await rows('select pg_sleep(0.05)');
    child.kill('SIGKILL');
    await ended;
    expect(await migrating).toEqual(['second']);
    expect(said[0]).toMatch(/^Another process is migrating this database: migrate \(process \d+\)\. Waiting for its end\.$/);
  });

  test('what failed is undone and what was done before stays; a migration that changed afterwards is refused', async () => {
    const first = inTransaction('first', 'create table one (id int)');
    const broken = inTransaction('second', 'create table two (id int); select 1 / 0');
    await expect(migrateDatabase(database.url, { migrations: [first, broken] })).rejects.toThrow('second failed (22012).');
    const second = inTransaction('second', 'create table two (id int)');
    expect(await migrateDatabase(database.url, { migrations: [first, second] })).toEqual(['second']);
    await expect(migrateDatabase(database.url, { migrations: [first, broken] })).rejects.toThrow('second has been changed since');
    await client.query('drop table migration; create table migration (id int, name text, executed_at timestamptz)');
    await expect(migrateDatabase(database.url)).rejects.toThrow('This database was made before the first release');
  });

  test('an index is made beside those who write, and one that was broken off is made again', async () => {
    const table = inTransaction('table', 'create table item (name text); insert into item values (1), (1)');
    const sql = 'create unique index concurrently if not exists item_name on item (name)';
    const migrations: Migration[] = [table, { name: 'index', sql, outsideTransaction: true }];
    await expect(migrateDatabase(database.url, { migrations })).rejects.toThrow('could not create unique index');
    const valid = "select indisvalid as valid from pg_index where indexrelid = 'item_name'::regclass";
    expect(await rows(valid)).toEqual([{ valid: false }]);
    await client.query('delete from item where ctid = (select min(ctid) from item)');
    const writer = new pg.Client({ connectionString: database.url, application_name: 'machine-api' });
    await writer.connect();
    await writer.query('begin; insert into item values (2)');
    let wroteMeanwhile: Promise<unknown> | undefined;
    const say = (words: string) => {
      if (words.startsWith('index waits for machine-api')) {
        wroteMeanwhile = client.query("set lock_timeout = '50ms'; insert into item values (3)").finally(() => void writer.end());
      }
    };
    expect(await migrateDatabase(database.url, { migrations, say })).toEqual(['index']);
    await wroteMeanwhile;
    expect(await rows('select name from item order by 1')).toEqual([{ name: '1' }, { name: '3' }]);
    expect(await rows(valid)).toEqual([{ valid: true }]);
  });

  test('a process says what to run if the schema is older, runs on if a later release has added to it, and not if that took something away', async () => {
    const listed = [{ name: 'one' }, { name: 'two' }];
    const migrations = listed.map(({ name }) => inTransaction(name, 'select 1'));
    const started = () => requireSchema(database.url, { version: '1.9.0', migrations: listed });
    const run = 'Run `oi migrate`';
    await expect(started()).rejects.toThrow(`The database has no schema yet. ${run}`);
    await migrateDatabase(database.url, { migrations: migrations.slice(0, 1) });
    await expect(started()).rejects.toThrow(
      `The database’s schema is older than release 1.9.0: 1 of its migrations has not run, beginning with two. ${run}`,
    );
    const added = { name: 'three', sql: 'select 1', minRelease: '1.9.0' };
    const laterRelease = [...migrations, added, inTransaction('four', 'select 1')];
    await migrateDatabase(database.url, { migrations: laterRelease });
    await client.query("update migration set name = 'graphile-worker/1000' where name like 'graphile%'");
    await started();
    await client.query("update migration set name = 'graphile-worker/9' where name like 'graphile%'");
    await expect(started()).rejects.toThrow(`1 of its migrations has not run, beginning with ${queueMigration}`);
    await migrateDatabase(database.url, { migrations: [...laterRelease, { name: 'five', sql: 'select 1', minRelease: '1.10.0' }] });
    await expect(started()).rejects.toThrow('The database’s schema needs release 1.10.0 or a later one since five, and this is 1.9.0.');
    // Until that release is cut, it has the number of the one before.
    await requireSchema(database.url, { version: '1.9.0', migrations: [...listed, { name: 'five', minRelease: '1.10.0' }] });
  });
});
