import { rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { openDatabaseClients } from '../../rest-api/database/databaseClients.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres, urlsOf } from '../../server/database/embeddedPostgres.ts';
import { ConnectionBudget } from '../../server/database/connection/ConnectionBudget.ts';
import { budgetOf, type ConnectionName } from '../../server/database/connection/connectionUses.ts';
import { openPipelines } from '../../server/database/connection/openPipelines.ts';
import { openPool } from '../../server/database/connection/openPool.ts';
import { migrateDatabase } from '../../server/database/migrate.ts';
import { createOrm } from '../../server/database/orm.ts';
import { databaseState, databaseStateOf } from '../../server/database/readiness.ts';
import { sql } from '../../server/domain/shared/sql.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { ensureDevelopmentTls } from '../../server/platform/developmentTls.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { registry } from '../../server/platform/metrics.ts';
import { startPool } from '../../workers/startPool.ts';
import { serveTls } from '../support/database/serveTls.ts';
import { openDatabaseProxy } from '../support/run/databaseProxy.ts';
import { createRunFolder } from '../support/run/runFolders.ts';

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
let folder: string;
let postgres: EmbeddedPostgres;
let observer: pg.Client;
/** The role's URL, with TLS. */
const url = (role: 'machineApi' | 'portal' | 'workers') => {
  const secure = new URL(urlsOf(postgres.url)[role]);
  secure.hostname = 'localhost';
  return `${secure.href}?sslmode=verify-full&sslrootcert=${join(folder, 'tls', 'ca.pem')}`;
};

beforeAll(async () => {
  folder = await createRunFolder();
  postgres = await startEmbeddedPostgres({ dataDir: folder, log: quiet });
  await migrateDatabase(postgres.url);
  observer = new pg.Client({ connectionString: postgres.url });
  await observer.connect();
  const tls = await ensureDevelopmentTls(join(folder, 'tls'), ['localhost']);
  await serveTls(observer, { ssl_cert_file: tls.certPem, ssl_key_file: tls.keyPem });
  while (!(await connects(openPool(url('portal'), 'portal-checks'))));
}, 60_000);
afterAll(async () => {
  await observer.end();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

async function connects(pool: pg.Pool): Promise<boolean> {
  const connected = await pool.query('select 1').then(
    () => true,
    () => false,
  );
  await pool.end();
  return connected;
}

/** The sessions that PostgreSQL holds, by name. */
async function sessions(): Promise<{ pid: number; name: ConnectionName }[]> {
  const { rows } = await observer.query<{ pid: number; name: ConnectionName }>(
    `select pid, application_name as name from pg_stat_activity where backend_type = 'client backend' and application_name <> ''`,
  );
  return rows;
}

async function setReadOnly(readOnly: boolean): Promise<void> {
  await observer.query(
    readOnly ? 'alter system set default_transaction_read_only = on' : 'alter system reset default_transaction_read_only',
  );
  await observer.query('select pg_reload_conf()');
}

/** How many connections the metrics say that there are for a use, whatever they do. */
async function shown(name: ConnectionName): Promise<number> {
  const lines = (await registry.metrics()).split('\n').filter((line) => line.startsWith(`svc_database_pool_connections{pool="${name}"`));
  return lines.reduce((sum, line) => sum + Number(line.split(' ')[1]), 0);
}

test('however long a database with TLS can only be read, a process holds no more sessions than its budget, and works when it can be written', async () => {
  const clients = openDatabaseClients(url('machineApi'));
  const orm = await createOrm(url('machineApi'), { name: 'machine-api-commands' });
  const write = 'update client_quota set minute_count = 0 where client_number = -1';
  const work = [
    () => clients.admission(write, []),
    () => clients.read('select 1', []),
    () => clients.readRows('select 1', [], () => undefined),
    () => orm.em.fork().transactional((tx) => sql(tx, write)),
  ];
  await Promise.all(work.map((ask) => ask()));
  await setReadOnly(true);
  const seen = new Set<number>();
  const most = new Map<ConnectionName | 'all', number>();
  let stopped = false;
  const load = Array.from({ length: 10 }, async () => {
    while (!stopped) await Promise.allSettled(work.map((ask) => ask()));
  });
  // Each connection of admission has been replaced five times.
  while (seen.size < 24) {
    const now = await sessions();
    for (const { pid, name } of now) if (name === 'machine-api-admission') seen.add(pid);
    for (const [name, of] of [...Map.groupBy(now, (one) => one.name), ['all', now] as const]) {
      most.set(name, Math.max(most.get(name) ?? 0, of.length));
    }
  }
  await setReadOnly(false);
  while ((await Promise.allSettled(work.map((ask) => ask()))).some(({ status }) => status === 'rejected'));
  stopped = true;
  await Promise.all(load);
  for (const name of ['machine-api-admission', 'machine-api-read', 'machine-api-pages'] as const)
    expect([name, most.get(name)]).toEqual([name, 4]);
  expect(most.get('machine-api-commands')).toBeLessThanOrEqual(8);
  expect(most.get('all')).toBeLessThanOrEqual(budgetOf('machine_api', {}));
  for (const name of most.keys()) {
    if (name !== 'all') expect([name, await shown(name)]).toEqual([name, (await sessions()).filter((one) => one.name === name).length]);
  }
  await Promise.all([clients.close(), orm.close(true)]);
}, 60_000);

test('however many statements wait, no more connections are being made than there may be, and none is left when nobody waits any more', async () => {
  const sockets = new Set<Socket>();
  let most = 0;
  // It accepts and says nothing, as a server that hangs.
  const server = createServer((socket) => {
    sockets.add(socket);
    most = Math.max(most, sockets.size);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    socket.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const silent = new URL(url('machineApi'));
  silent.port = String((server.address() as AddressInfo).port);
  silent.hostname = '127.0.0.1';
  const pipelines = openPipelines(silent.href, 'machine-api-admission', { max: 2, answeredWithin: 200 });
  for (let round = 0; round < 3; round += 1) {
    const answers = await Promise.allSettled(Array.from({ length: 50 }, () => pipelines.query('select 1', [])));
    expect(answers.map((answer) => (answer.status === 'rejected' ? (answer.reason as { code: string }).code : answer.status))).toEqual(
      Array(50).fill('temporarily_unavailable'),
    );
    expect(await shown('machine-api-admission')).toBe(2);
  }
  expect(most).toBe(2);
  await pipelines.close();
  while (sockets.size > 0) await new Promise(setImmediate);
  server.close();
});

test('a connection that is refused is closed by us, where the server leaves it open', async () => {
  /** All, and those that we have not ended. */
  const all: Socket[] = [];
  const sockets = new Set<Socket>();
  const tooMany = Buffer.from('SFATAL\0C53300\0Mtoo many clients already\0\0');
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    all.push(socket);
    sockets.add(socket);
    socket.on('end', () => sockets.delete(socket)).on('error', () => undefined);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(tooMany.length + 4);
    socket.on('data', () => socket.write(Buffer.concat([Buffer.from('E'), length, tooMany])));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const refusing = new URL(urlsOf(postgres.url).machineApi);
  refusing.port = String((server.address() as AddressInfo).port);
  const pipelines = openPipelines(refusing.href, 'machine-api-keys', { max: 2 });
  await expect(pipelines.query('select 1', [])).rejects.toMatchObject({ code: 'temporarily_unavailable', cause: '53300' });
  const began = performance.now();
  while (sockets.size > 0) {
    expect(performance.now() - began).toBeLessThan(5_000);
    await new Promise(setImmediate);
  }
  expect(await shown('machine-api-keys')).toBe(0);
  await pipelines.close();
  for (const socket of all) socket.destroy();
  server.close();
});

test('a connection whose server does not take its goodbye keeps its place until its socket has closed', async () => {
  const proxy = await openDatabaseProxy();
  const pool = openPool(proxy.through(urlsOf(postgres.url).portal), 'portal-checks', { max: 1 });
  const client = await pool.connect();
  proxy.vanish();
  client.release(true);
  let most = 0;
  let answered = false;
  const again = pool.query('select 1').finally(() => (answered = true));
  while (!answered) {
    most = Math.max(most, await shown('portal-checks'));
    await new Promise(setImmediate);
  }
  await again;
  expect(most).toBe(1);
  await pool.end();
  await proxy.close();
});

test('connections get the places of others in the order in which they asked, and give up after their time', async () => {
  const budget = new ConnectionBudget('portal-checks', 1);
  const [held, late, first, second] = [{}, {}, {}, {}];
  const got: object[] = [];
  const take = (connection: object, within: number) => budget.take(connection, within).then(() => got.push(connection));
  await take(held, 1_000);
  const waiting = [take(late, 20), take(first, 10_000), take(second, 10_000)];
  await expect(waiting[0]).rejects.toThrow('timeout expired');
  expect(got).toEqual([held]);
  budget.giveBack(held);
  await waiting[1];
  expect(got.map((one) => [held, late, first, second].indexOf(one))).toEqual([0, 2]);
  budget.giveBack(first);
  await waiting[2];
  expect(budget.count()).toEqual({ opening: 1, open: 0, closing: 0 });
  budget.giveBack(second);
});

test('a queue that loses its connections again and again, and starts again, holds no more sessions than its budget', async () => {
  const workers = url('workers');
  const gate = Promise.withResolvers<void>();
  const queue = await startPool({
    name: 'losing',
    concurrency: 2,
    // These jobs do not end, so neither does a queue that is told to.
    tasks: { greet: () => gate.promise },
    crontab: '',
    databaseUrl: workers,
    logger: createLogger('workers', 'silent'),
    pollInterval: 50,
  });
  const seen = new Set<number>();
  let most = 0;
  for (let round = 0; seen.size < 12; round += 1) {
    await observer.query(`select graphile_worker.add_job('greet')`);
    const now = (await sessions()).filter(({ name }) => name === 'workers-queue');
    most = Math.max(most, now.length);
    for (const { pid } of now) seen.add(pid);
    if (round % 50 === 49) await observer.query('select pg_terminate_backend(pid) from unnest($1::int[]) pid', [now.map(({ pid }) => pid)]);
  }
  expect(most).toBeLessThanOrEqual(3);
  gate.resolve();
  await queue.stop();
}, 60_000);

test('a process that gets no more connections refuses nobody for as long as it has one', async () => {
  const role = new URL(urlsOf(postgres.url).machineApi).username;
  await observer.query(`alter role ${role} connection limit 1`);
  const pipelines = openPipelines(url('machineApi'), 'machine-api-read', { max: 4 });
  await pipelines.query('select 1 as one', []);
  const answers = await Promise.all(Array.from({ length: 20 }, () => pipelines.query('select 1 as one', [])));
  expect(answers).toEqual(answers.map(() => [{ one: 1 }]));
  expect(answers).toHaveLength(20);
  await observer.query(`alter role ${role} connection limit -1`);
  await pipelines.close();
});

test('a statement never waits behind one that waits for a lock while there may be another connection', async () => {
  const pipelines = openPipelines(url('machineApi'), 'machine-api-read', { max: 2 });
  await observer.query('begin');
  await observer.query(`select pg_advisory_xact_lock(7)`);
  const waiting = pipelines.query('select 1 as one from (select pg_advisory_xact_lock(7)) held', []);
  // Where it fails, the next line says so.
  waiting.catch(() => undefined);
  await expect(pipelines.query('select 2 as two', [])).resolves.toEqual([{ two: 2 }]);
  await observer.query('commit');
  await expect(waiting).resolves.toEqual([{ one: 1 }]);
  await pipelines.close();
});

test('a statement that was prepared before a migration is prepared again without an error', async () => {
  const pipelines = openPipelines(url('machineApi'), 'machine-api-read', { max: 2 });
  await observer.query('create table changing (id int)');
  await observer.query('grant select on changing to public');
  const read = () => pipelines.query('select * from changing', []);
  await read();
  await observer.query('alter table changing add more int');
  await expect(Promise.all([read(), read(), read()])).resolves.toEqual([[], [], []]);
  await observer.query('drop table changing');
  await pipelines.close();
});

test('a statement whose session was reset, or has one of its name already, is prepared again without an error, however many connections it concerns', async () => {
  const pipelines = openPipelines(url('machineApi'), 'machine-api-read', { max: 2 });
  const onBoth = (text: string) => Promise.all([pipelines.query(text, []), pipelines.query(text, [])]);
  const read = () => pipelines.query('select 1 as one', []);
  await onBoth('select 1 as one');
  const [first] = await pipelines.query<{ name: string }>('select name from pg_prepared_statements limit 1', []);
  await onBoth('deallocate all');
  await expect(Promise.all([read(), read(), read()])).resolves.toEqual([[{ one: 1 }], [{ one: 1 }], [{ one: 1 }]]);
  // The name that the next new text gets.
  const prefix = first?.name.replace(/\d+$/, '');
  await onBoth('select 3 as three');
  await onBoth(`prepare ${prefix}5 as select 1`);
  await expect(Promise.all([onBoth('select 2 as two'), read()])).resolves.toEqual([[[{ two: 2 }], [{ two: 2 }]], [{ one: 1 }]]);
  await pipelines.close();
});

test('a caller who asks about a database that does not answer hears within two seconds that it is not', async () => {
  expect(await databaseState(() => new Promise(() => undefined), systemClock)).toBe('unreachable');
});

test('a process that gets no connection for its work says so, even while it has others, and is ready as soon as it gets one', async () => {
  const clients = openDatabaseClients(url('machineApi'));
  const orm = await createOrm(url('portal'));
  const checks = openPool(url('portal'), 'portal-checks');
  const states = () => Promise.all([databaseState(clients.admission, systemClock), databaseStateOf({ orm, pool: checks }, systemClock)]);
  expect(await states()).toEqual(['ready', 'ready']);
  await checks.query('select 1');
  const roles = [urlsOf(postgres.url).machineApi, urlsOf(postgres.url).portal].map((of) => new URL(of).username);
  for (const role of roles) await observer.query(`alter role ${role} connection limit 0`);
  await observer.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = any ($1) and application_name <> 'portal-checks'`,
    [roles],
  );
  const ended = performance.now();
  while ((await states()).includes('unreachable')) expect(performance.now() - ended).toBeLessThan(10_000);
  expect(await states()).toEqual(['no_connections', 'no_connections']);
  for (const role of roles) await observer.query(`alter role ${role} connection limit -1`);
  while ((await states()).includes('no_connections'));
  expect(await states()).toEqual(['ready', 'ready']);
  await Promise.all([clients.close(), orm.close(true), checks.end()]);
});
