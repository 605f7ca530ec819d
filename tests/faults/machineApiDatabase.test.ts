import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { startEmbeddedPostgres, type EmbeddedPostgres, urlsOf } from '../../server/database/embeddedPostgres.ts';
import { endsConnection, serverExhausted } from '../../server/database/connection/endsConnection.ts';
import { migrateDatabase } from '../../server/database/migrate.ts';
import { newId } from '../../server/domain/shared/ids.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { startPool } from '../../workers/startPool.ts';
import { openLeaderConnection } from '../../workers/webhooks/connections.ts';
import type { MachineClient } from '../support/clients/machineClient.ts';
import type { MachineResponse } from '../support/clients/MachineResponse.ts';
import { holdTable } from '../support/database/holdTable.ts';
import { openDatabaseProxy } from '../support/run/databaseProxy.ts';
import { openWorld, type MachineWorld } from '../support/world/openWorld.ts';
import { expectProblem } from '../support/clients/problems.ts';
import { createRunFolder } from '../support/run/runFolders.ts';

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
let folder: string;
let postgres: EmbeddedPostgres;
let world: MachineWorld;

beforeAll(async () => {
  folder = await createRunFolder();
  postgres = await startEmbeddedPostgres({ dataDir: folder, log: quiet });
  await migrateDatabase(postgres.url);
  world = await openWorld({ machine: true, databaseUrl: postgres.url });
});
afterAll(async () => {
  await world.close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
  // What a process remembers of a full disk is there in the worker's next file: here it was long ago.
  jest.spyOn(performance, 'now').mockReturnValueOnce(Number.NEGATIVE_INFINITY);
  endsConnection({ code: '53100' });
  expect(serverExhausted()).toBe(false);
  jest.restoreAllMocks();
});

test('while PostgreSQL is away under load every answer is a 503 problem, and service resumes by itself when it is back', async () => {
  const { client, machine } = await world.backEnd();
  for (const quota of ['requests_per_minute', 'requests_per_hour']) await world.fixtures.override(client, quota, 1_000_000);
  const redeem = () => machine.call('/v1/link-codes/redeem', { method: 'POST', body: { code: '0000000000' } });
  expect((await machine.call('/v1/sync')).status).toBe(200);
  expectProblem(await redeem(), 'link_code_not_redeemable');

  const statuses = new Map<number, number>();
  const stop = new AbortController();
  const load = Array.from({ length: 3 }, async () => {
    while (!stop.signal.aborted) {
      const answer = await machine.call('/v1/sync');
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    }
  });
  await postgres.stop();
  const refused = await machine.call('/v1/capabilities', { describe: false });
  expectProblem(refused, 'temporarily_unavailable', { retry_after_seconds: 5 });
  expect(refused.headers['retry-after']).toBe('5');
  expectProblem(await redeem(), 'temporarily_unavailable');
  expect(await world.api.state()).toBe('unreachable');

  postgres = await startEmbeddedPostgres({ dataDir: folder, log: quiet });
  for (;;) {
    const answer = await machine.call('/v1/capabilities', { describe: false });
    if (answer.status === 200) break;
    expect(answer.status).toBe(503);
  }
  stop.abort();
  await Promise.all(load);
  expect([...statuses.keys()].filter((status) => ![200, 503].includes(status))).toEqual([]);
  expect(statuses.get(503)).toBeGreaterThan(0);
  expect(await world.api.state()).toBe('ready');
  expectProblem(await redeem(), 'link_code_not_redeemable');
}, 60_000);

test('an admission whose answer never arrives gives its place back', async () => {
  const { client, certificate } = await world.backEnd();
  let lose = false;
  const proxy = await openDatabaseProxy({
    answers: (bytes) => {
      if (lose && bytes.includes(client.id)) proxy.cut();
      return bytes;
    },
  });
  const api = await world.secondApi({ databaseUrl: proxy.through(postgres.url) });
  const machine = world.connect(certificate, api);
  const held = async () => {
    const [row] = await world.fixtures.sql<{ held: number }[]>`
      select cardinality(leases) as held from client_quota where client_number = ${client.number}`;
    return row?.held;
  };
  expect((await machine.call('/v1/capabilities')).status).toBe(200);
  lose = true;
  expectProblem(await machine.call('/v1/capabilities', { describe: false }), 'temporarily_unavailable');
  expect(await held()).toBe(1);
  lose = false;
  proxy.mend();
  const began = performance.now();
  while ((await held()) !== 0) expect(performance.now() - began).toBeLessThan(15_000);
  await api.close();
  await proxy.close();
}, 60_000);

test('a command that the database does not answer is 503, and the next one works', async () => {
  const { certificate } = await world.backEnd();
  const proxy = await openDatabaseProxy();
  // Admission and reading keep their connections; only new connections, which commands open, find nobody.
  const api = await world.secondApi({ databaseUrl: proxy.through(postgres.url) });
  const machine = world.connect(certificate, api);
  const redeem = () => machine.call('/v1/link-codes/redeem', { method: 'POST', body: { code: '0000000000' } });
  expect((await machine.call('/v1/capabilities', { describe: false })).status).toBe(200);
  proxy.refuseNew();
  expectProblem(await redeem(), 'temporarily_unavailable', { retry_after_seconds: 5 });
  proxy.mend();
  expectProblem(await redeem(), 'link_code_not_redeemable');
  await api.close();
  await proxy.close();
}, 60_000);

test('what waits for a server that has gone without a word is 503 long before PostgreSQL would end its statement', async () => {
  const { certificate } = await world.backEnd();
  const proxy = await openDatabaseProxy();
  const api = await world.secondApi({ databaseUrl: proxy.through(postgres.url) });
  const machine = world.connect(certificate, api);
  const calls = [
    () => machine.call('/v1/sync', { describe: false }),
    () => machine.call(`/v1/orders/${newId('ord')}`, { describe: false }),
    () => machine.call('/v1/link-codes/redeem', { method: 'POST', body: { code: '0000000000' }, describe: false }),
  ];
  for (const call of calls) expect((await call()).status).not.toBe(503);
  const releases = await Promise.all(['shared_resource', 'link_code'].map((table) => holdTable(world.fixtures.sql, table)));
  const waiting = calls.map((call) => call());
  const underWay = async () => (await world.rows("select 1 from pg_stat_activity where wait_event_type = 'Lock'")).length;
  while ((await underWay()) < calls.length);
  proxy.silence();
  for (const answer of await Promise.all(waiting)) expectProblem(answer, 'temporarily_unavailable', { retry_after_seconds: 5 });
  // PostgreSQL has not given up on any of them.
  expect(await underWay()).toBe(calls.length);
  await Promise.all(releases.map((release) => release()));
  await proxy.close();
  await api.close();
}, 60_000);

/** Has the server refuse, or take, what every transaction writes unless it says otherwise. */
async function setReadOnly(readOnly: boolean): Promise<void> {
  await world.rows(readOnly ? 'alter system set default_transaction_read_only = on' : 'alter system reset default_transaction_read_only');
  await world.rows('select pg_reload_conf()');
  // Sessions learn of it a moment later.
  while ((await world.api.state()) !== (readOnly ? 'read_only' : 'ready'));
}

test('while the database can only be read every answer is a 503 problem, workers wait without losing a job, and all go on when it can be written', async () => {
  const { client, machine } = await world.backEnd();
  for (const quota of ['requests_per_minute', 'requests_per_hour']) await world.fixtures.override(client, quota, 1_000_000);
  const calls: [string, () => Promise<MachineResponse>][] = [
    ['sync', () => machine.call('/v1/sync', { describe: false })],
    ['capabilities', () => machine.call('/v1/capabilities', { describe: false })],
    ['redeem', () => machine.call('/v1/link-codes/redeem', { method: 'POST', body: { code: '0000000000' } })],
    ['acknowledge', () => machine.call(`/v1/revocations/${newId('rev')}/ack`, { method: 'POST', body: {}, describe: false })],
  ];
  const statuses = async () => Promise.all(calls.map(async ([name, call]) => [name, (await call()).status]));
  const before = await statuses();
  const sessions = async () =>
    (await world.rows<{ pid: number }>(`select pid from pg_stat_activity where application_name = 'machine-api-admission'`)).map(
      ({ pid }) => pid,
    );
  const admitting = await sessions();

  const gate = Promise.withResolvers<void>();
  const running = Promise.withResolvers<void>();
  const pool = await startPool({
    name: 'waiting',
    concurrency: 2,
    tasks: { greet: () => (running.resolve(), gate.promise) },
    crontab: '',
    databaseUrl: postgres.url,
    logger: createLogger('workers', 'silent'),
    pollInterval: 50,
  });
  await world.rows(`select graphile_worker.add_job('greet')`);
  await running.promise;

  await setReadOnly(true);
  for (const [, call] of calls) {
    const refused = await call();
    expectProblem(refused, 'temporarily_unavailable', { retry_after_seconds: 5 });
    expect(refused.headers['retry-after']).toBe('5');
  }
  // A connection that is older than a second ends once it is refused, so that the next one may lead to another server.
  const [[, askCapabilities]] = calls as [[string, () => Promise<MachineResponse>]];
  for (let left = admitting; admitting.every((pid) => left.includes(pid)); left = await sessions()) await askCapabilities();
  const follower = await openLeaderConnection(postgres.url);
  expect(await follower.lead(null)).toBe('read_only');
  // The job ends, which cannot be written down now.
  gate.resolve();

  await setReadOnly(false);
  expect(await statuses()).toEqual(before);
  expect(await follower.lead(null)).toBe('leads');
  await follower.end();
  while ((await world.rows(`select from graphile_worker.jobs where task_identifier = 'greet'`)).length > 0) await delay(50);
  await pool.stop();
}, 60_000);

test('a machine API whose admissions get no connection is not ready, though what it reads has some', async () => {
  const { certificate } = await world.backEnd();
  const { machineApi } = urlsOf(postgres.url);
  const role = new URL(machineApi).username;
  const api = await world.secondApi({ databaseUrl: machineApi });
  expect((await world.connect(certificate, api).call('/v1/sync')).status).toBe(200);
  expect(await api.state()).toBe('ready');
  await world.rows(`alter role ${role} connection limit 0`);
  await world.rows(`
    select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = '${role}' and application_name = 'machine-api-admission'`);
  const ended = performance.now();
  while ((await api.state()) === 'unreachable') expect(performance.now() - ended).toBeLessThan(10_000);
  expect(await api.state()).toBe('no_connections');
  await world.rows(`alter role ${role} connection limit -1`);
  while ((await api.state()) !== 'ready');
  await api.close();
}, 60_000);

test('a full disk, or a server that takes no more connections, is a database that is away for the moment', async () => {
  const { machine, certificate } = await world.backEnd();
  const call = (to: MachineClient) => to.call('/v1/capabilities', { describe: false });
  expect((await call(machine)).status).toBe(200);
  expect(await world.api.state()).toBe('ready');
  await world.rows(
    `create function full_disk() returns trigger language plpgsql as 'begin raise exception using errcode = ''53100''; end'`,
  );
  await world.rows('create trigger full_disk before update on client_quota for each row execute function full_disk()');
  expectProblem(await call(machine), 'temporarily_unavailable', { retry_after_seconds: 5 });
  // The database answers the question whether it can be written, and forgets what it could not do.
  expect(await world.api.state()).toBe('cannot_write');
  expect([serverExhausted(performance.now() + 9_000), serverExhausted(performance.now() + 11_000)]).toEqual([true, false]);
  await world.rows('drop function full_disk cascade');
  expect((await call(machine)).status).toBe(200);

  await world.rows(`create role few login password 'few' connection limit 0`);
  const url = new URL(postgres.url);
  [url.username, url.password] = ['few', 'few'];
  const api = await world.secondApi({ databaseUrl: url.href });
  expectProblem(await call(world.connect(certificate, api)), 'temporarily_unavailable', { retry_after_seconds: 5 });
  await api.close();
}, 60_000);
