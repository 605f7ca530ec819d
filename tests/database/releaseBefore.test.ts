import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { changesOf } from '../../portal-web/documentation/changes.ts';
import { urlsOf } from '../../server/database/embeddedPostgres.ts';
import { migrateDatabase } from '../../server/database/migrate.ts';
import { checksumOf, readMigrations, type Migration } from '../../server/database/migration/migrations.ts';
import { formerRights, functions, rows, tables, type Rights } from '../../server/database/roles/grants.ts';
import { ensureDevelopmentTls } from '../../server/platform/developmentTls.ts';
import { BrowserOfReleaseBefore } from '../support/clients/BrowserOfReleaseBefore.ts';
import { MachineClient } from '../support/clients/machineClient.ts';
import { newKey, profileRevision } from '../support/clients/portalClient.ts';
import { lostRights } from '../support/run/lostRights.ts';
import {
  liftBars,
  recordedReleases,
  rightsOfReleaseBefore,
  startProgram,
  unpackReleaseBefore,
  type RunningProgram,
} from '../support/run/releaseBefore.ts';
import { createTestDatabase, type TestDatabase } from '../support/run/testDatabase.ts';
import { masterKeys, signingKeys } from '../support/world/testKeys.ts';
import { openPool } from '../support/world/World.ts';

/** What a release may bring to the schema while the one before still runs. */
const next: readonly Migration[] = [
  {
    name: 'next/table',
    sql: `create table integration_note (integration_id text not null references integration, body text not null);
      alter table operator add column locale text;
      alter table client add column burst int not null default 0;
      alter table client_quota add column burst_count int not null default 0;
      alter table shared_resource add column note text;
      alter table audit_entry add column trace_id text;
      alter table profile_version add column security_email text, add column contacts text[]`,
  },
  {
    name: 'next/index',
    sql: 'create index concurrently if not exists certificate_next on certificate (client_number, issued_at)',
    outsideTransaction: true,
  },
];

let database: TestDatabase;
let pool: pg.Pool;
let folder: string;
const programs: RunningProgram[] = [];
beforeAll(async () => {
  // Without a schema: the release before makes it, since on that of a later one it makes no functions.
  database = await createTestDatabase({ migrated: false });
  pool = openPool(database.url);
  folder = await mkdtemp(join(tmpdir(), 'svc-before-'));
  await unpackReleaseBefore(folder);
});
afterAll(async () => {
  await Promise.all(programs.map((program) => program.stop()));
  await pool?.end();
  await database?.drop();
  if (folder) await rm(folder, { recursive: true, force: true });
});

test('it is whole: `oi` starts, and the commands beside the processes find their programs', () => {
  for (const [argument, said] of [
    ['version', 'operator-integration-service '],
    ['smoke', 'oi smoke --api URL'],
    ['admin', 'grant-role'],
  ] as const) {
    const { stdout, stderr } = spawnSync('sh', [join(folder, 'dist/oi'), argument, '--help'], { encoding: 'utf8' });
    expect([argument, stdout + stderr]).toEqual([argument, expect.stringContaining(said)]);
  }
});

/** Until the workers of the release before have done every job that is due. */
async function work(): Promise<void> {
  const due = 'select 1 as job from graphile_worker._private_jobs where run_at <= now() and attempts < max_attempts limit 1';
  while ((await pool.query(due)).rows.length > 0) await pool.query('select pg_sleep(0.05)');
}

test('what readers of the changelog’s feed have seen stays as it was, since they are shown no entry twice', async () => {
  const changesIn = async (tree: string) =>
    changesOf(await readFile(join(tree, 'docs/guides/changelog.md'), 'utf8')).map(({ anchor, title, html }) => ({
      title,
      says: `${anchor} ${html.replaceAll(/<[^>]+>/g, '')}`,
    }));
  const present = new Set((await changesIn('.')).map(({ says }) => says));
  const changed = (await changesIn(folder)).filter(({ says }) => !present.has(says));
  expect(
    changed.map(({ title }) => `docs/guides/changelog.md: leave “${title}” as it was released, and give what is new an entry of its own`),
  ).toEqual([]);
});

test('what was released is not changed any more: new migrations come after it', async () => {
  const present = (await readMigrations()).map((migration) => [migration.name, checksumOf(migration)]);
  for (const { version, migrations } of await recordedReleases()) {
    const released = Object.entries(migrations);
    expect([version, present.slice(0, released.length)]).toEqual([version, released]);
  }
});

/** The constraints that a migration adds to tables that may be large, and for which PostgreSQL would read all rows while nobody writes any. */
function checkedAtOnce(text: string): string[] {
  const own = new Set([...text.matchAll(/^create table (\w+)/gm)].map(([, table]) => table));
  return text
    .split(';')
    .map((statement) => /alter table (?:only )?(\w+)[^]*\badd constraint (\w+) (?:check|foreign key)[^]*/i.exec(statement))
    .flatMap((match) => (match && !own.has(match[1]) && !/\bnot valid\b/i.test(match[0]) ? [`${match[1]}: ${match[2]}`] : []));
}

test('a constraint of a table that is there is added without reading it, since the release before goes on writing to it', async () => {
  const swap = 'alter table webhook_event drop constraint a, add constraint a check (type in (1, 2))';
  expect([`${swap};`, `${swap} not valid;`, `create table webhook_event (type int);\n${swap};`].map(checkedAtOnce)).toEqual([
    ['webhook_event: a'],
    [],
    [],
  ]);
  const released = new Set((await recordedReleases()).flatMap(({ migrations }) => Object.keys(migrations)));
  const waits = (await readMigrations())
    .filter(({ name }) => !released.has(name))
    .flatMap(({ name, sql: text }) =>
      checkedAtOnce(text).map((added) => `${name}: ${added} has to be added not valid, and validated by a migration of its own`),
    );
  expect(waits).toEqual([]);
});

test('whatever the processes of the release before may do, they still may do when this one has migrated', async () => {
  const present: Rights = { tables, functions, rows };
  // As long as there is no release, this one is its own.
  expect(lostRights((await rightsOfReleaseBefore()) ?? present, [present, formerRights])).toEqual([]);

  const before: Rights = {
    tables: {
      note: { portal: 'select, update(body, title)', workers: 'select' },
      key: { portal: 'select, insert' },
      list: { portal: 'select' },
    },
    functions: { 'count_v1(text)': ['portal', 'workers'] },
    rows: { key: { portal: { see: 'old', add: 'own' } } },
  };
  const after: Rights = {
    tables: { note: { portal: 'select(id), update' }, key: { portal: 'select, insert' }, list: { portal: 'select' } },
    functions: { 'count_v1(text)': ['portal'], 'count_v2(text)': ['workers'] },
    rows: { key: { portal: { see: 'new', add: 'true' } }, list: { portal: { see: 'own', add: 'true' } } },
  };
  expect(lostRights(before, [after])).toEqual([
    'portal note select',
    'portal list sees: true',
    'portal key sees: old',
    'workers note select',
    'workers note sees: true',
    'workers note adds: true',
    'workers calls count_v1(text)',
  ]);
  const former: Rights = {
    tables: { note: { portal: 'select', workers: 'select' } },
    functions: { 'count_v1(text)': ['workers'] },
    rows: { key: { portal: { see: 'old', add: 'false' } }, list: { portal: { see: 'true', add: 'false' } } },
  };
  expect(lostRights(before, [after, former])).toEqual([]);
});

test('portal, workers and machine API of the release before go on while the next one migrates, and start again on its schema', async () => {
  const { owner: ownerUrl, ...urls } = urlsOf(database.url);
  const { caPem } = await ensureDevelopmentTls(join(folder, 'tls'));
  const migrated = spawnSync('sh', [join(folder, 'dist/oi'), 'migrate'], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', MIGRATION_DATABASE_URL: ownerUrl },
  });
  expect([migrated.status, migrated.stderr]).toEqual([0, expect.any(String)]);
  const env = {
    DATA_DIR: folder,
    MASTER_KEY: masterKeys.current.toString('hex'),
    SIGNING_KEY: signingKeys.current.toString('hex'),
    PORTAL_PORT: '0',
    MACHINE_API_PORT: '0',
    METRICS_PORT: '0',
  };
  const start = async (program: string, databaseUrl: string) => {
    const running = await startProgram(folder, program, { ...env, DATABASE_URL: databaseUrl });
    programs.push(running);
    return running.url ?? '';
  };
  const [portalUrl, machineApiUrl] = await Promise.all([
    start('server/main', urls.portal),
    start('rest-api/main', urls.machineApi),
    start('workers/main', urls.workers),
  ]);

  const owner = new BrowserOfReleaseBefore({
    portalUrl,
    work,
    rows: async (text, values) => (await pool.query(text, values && [...values])).rows,
  });
  expect((await owner.graphql('{ __typename ofThisRelease }')).data).toEqual({ __typename: 'Query' });
  await owner.registerOperator();
  // What operators install comes with it.
  const [kit] = (await (await owner.fetch('/kit/versions.json')).json()) as { version: string; size: number }[];
  const tarball = await owner.fetch(`/kit/svc-operator-kit-${kit?.version}.tgz`);
  expect((await tarball.arrayBuffer()).byteLength).toBe(kit?.size);
  const integration = await owner.createIntegration();
  const backEndAt = async (url: string) => {
    const key = newKey();
    const { bundlePath } = await owner.issuedCertificate(integration, key);
    const certPem = await (await owner.fetch(bundlePath ?? '')).text();
    const keyPem = key.export({ format: 'pem', type: 'pkcs8' }).toString();
    return new MachineClient({ url: new URL(url).origin, ca: caPem, certPem, keyPem });
  };
  const sync = async (backEnd: MachineClient) => {
    const { status, body } = await backEnd.call('/v1/sync');
    return { status, upserts: (body as { upserts: unknown[] }).upserts.length };
  };
  const connected = await backEndAt(machineApiUrl);
  const before = await sync(connected);
  expect(before).toEqual({ status: 200, upserts: expect.any(Number) });

  await migrateDatabase(ownerUrl);
  await liftBars(pool);
  expect(await migrateDatabase(ownerUrl, { migrations: [...(await readMigrations()), ...next] })).toEqual(next.map(({ name }) => name));
  expect(await sync(connected)).toEqual(before);
  // What only the next release knows of a profile stays through a revision by the one before.
  await pool.query(`update profile_version set security_email = 'security@example.com', contacts = '{a,b}'`);
  await owner.must('reviseProfile', { input: profileRevision(integration.id, 1, { publicName: 'Renamed by the release before' }) });
  const { rows: versions } = await pool.query('select version, security_email, contacts from profile_version order by version');
  expect(versions).toEqual([1, 2].map((version) => ({ version, security_email: 'security@example.com', contacts: ['a', 'b'] })));
  const again = await backEndAt(await start('rest-api/main', urls.machineApi));
  expect(await sync(again)).toEqual(before);
  for (const backEnd of [connected, again]) backEnd.close();
  expect(await Promise.all(programs.splice(0).map((program) => program.stop()))).toEqual([0, 0, 0, 0]);
});
