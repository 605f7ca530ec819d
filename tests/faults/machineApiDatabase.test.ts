import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../server/database/embeddedPostgres.ts';
import { migrateDatabase } from '../../server/database/migrate.ts';
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
  expect(await world.api.ready()).toBe(false);

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
  expect(await world.api.ready()).toBe(true);
  expectProblem(await redeem(), 'link_code_not_redeemable');
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
