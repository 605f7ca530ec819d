import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createOrm, type Orm } from '../../server/database/orm.ts';
import { enqueue } from '../../server/domain/shared/jobs.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { startWorkers } from '../../workers/startWorkers.ts';
import { startPool } from '../../workers/startPool.ts';
import { holdTable } from '../support/database/holdTable.ts';
import { waitForLock } from '../support/database/waitForLock.ts';
import { openDatabaseProxy } from '../support/run/databaseProxy.ts';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';
import { signingKeys } from '../support/world/testKeys.ts';
import type { IntegrationData, PortalClient } from '../support/clients/portalClient.ts';
import { patient } from '../support/patience.ts';

let application: PortalWorld;
let proxy: Awaited<ReturnType<typeof openDatabaseProxy>>;
let orm: Orm;
let workers: Awaited<ReturnType<typeof startWorkers>>;
let owner: PortalClient;
let sendMail = async (): Promise<void> => {};
beforeAll(async () => {
  application = await openWorld({ portal: true });
  owner = await application.operator();
  proxy = await openDatabaseProxy();
  const databaseUrl = proxy.through(application.urls.workers);
  orm = await createOrm(databaseUrl);
  const { keyRing, portalUrl, clock } = application;
  const logger = createLogger('workers', 'silent');
  workers = await startWorkers({
    databaseUrl,
    orm,
    keyRing,
    signingKeys,
    mailer: { send: () => sendMail().then(() => null) },
    portalUrl,
    machineApiOrigin: () => 'https://api.example',
    supportContact: application.workerContext().supportContact,
    logger,
    clock,
    pollInterval: 200,
  });
});
afterAll(async () => {
  await workers.stop();
  await orm.close(true);
  await proxy.close();
  await application.close();
});

/** Looks again and again, as a page does, until it finds what it is looking for. */
async function eventually<Result>(look: () => Promise<Result>, good: (result: Result) => boolean): Promise<Result> {
  for (const end = Date.now() + patient(30_000); Date.now() < end; await delay(50)) {
    const result = await look();
    if (good(result)) return result;
  }
  throw new Error('It did not happen in time.');
}

test('losing every connection again and again while jobs finish ends neither the process nor a job', async () => {
  const rejections: unknown[] = [];
  const note = (reason: unknown) => rejections.push(reason);
  process.on('unhandledRejection', note);
  const integration = await owner.createIntegration();
  const corpus = () =>
    owner.must<IntegrationData>('integration', { slug: integration.slug }).then(({ clients }) => clients[0]?.corpus?.state);
  for (let round = 0; round < 5; round += 1) {
    proxy.cut();
    proxy.mend();
    await corpus();
  }
  expect(await eventually(corpus, (state) => state === 'ready' || state === 'failed')).toBe('ready');
  process.off('unhandledRejection', note);
  expect(rejections).toEqual([]);
});

test('when jobs lose the database one after the other and another one does not, the workers go on', async () => {
  const answers: PromiseWithResolvers<void>[] = [];
  sendMail = () => {
    const answer = Promise.withResolvers<void>();
    answers.push(answer);
    return answer.promise;
  };
  for (const email of ['first@example.com', 'second@example.com', 'third@example.com'])
    await application.browser().must('requestRegistration', { input: { email } });
  await eventually(
    async () => answers.length,
    (count) => count === 3,
  );
  proxy.cut();
  sendMail = async () => {};
  const [first, second, third] = answers;
  for (const answer of [first, second]) {
    answer?.resolve();
    await delay(500);
  }
  // The queue is shutting down and waits only for this job, because it has miscounted the failures of the others.
  proxy.mend();
  third?.resolve();
  const unsent = () => application.rows<{ id: string }>('select id from mail where sent_at is null', []);
  await eventually(unsent, (rows) => rows.length === 0);
}, 60_000);

test('the workers build the corpus, issue a certificate, and come back after the database was away', async () => {
  const integration = await owner.createIntegration();
  const corpus = () =>
    owner.must<IntegrationData>('integration', { slug: integration.slug }).then(({ clients }) => clients[0]?.corpus?.state);
  expect(['queued', 'building', 'ready']).toContain(await corpus());
  expect(await eventually(corpus, (state) => state === 'ready' || state === 'failed')).toBe('ready');

  await owner.confirmFreshly();
  const certificates = () => owner.certificates(integration.slug);
  await owner.requestCertificate(integration);
  await eventually(certificates, ([newest]) => newest?.status === 'issued');

  proxy.cut();
  await owner.requestCertificate(integration);
  await delay(300);
  expect((await certificates())[0]?.status).toBe('pending');
  proxy.mend();
  const [newest, oldest] = await eventually(certificates, ([first]) => first?.status === 'issued');
  expect(newest?.fingerprintSha256).not.toBe(oldest?.fingerprintSha256);
});

test('a certificate is issued while every mail waits for a mail server that hangs', async () => {
  const answer = Promise.withResolvers<void>();
  let waiting = 0;
  sendMail = () => {
    waiting += 1;
    return answer.promise;
  };
  try {
    for (let count = 1; count <= 12; count += 1)
      await application.browser().must('requestRegistration', { input: { email: `waiting${count}@example.com` } });
    await eventually(
      async () => waiting,
      (count) => count >= 4,
    );
    const integration = await owner.createIntegration();
    await owner.confirmFreshly();
    await owner.requestCertificate(integration);
    await eventually(
      () => owner.certificates(integration.slug),
      ([newest]) => newest?.status === 'issued',
    );
    expect(await application.rows('select 1 from mail where sent_at is null')).toHaveLength(12);
  } finally {
    sendMail = async () => {};
    answer.resolve();
  }
  await eventually(
    () => application.rows('select 1 from mail where sent_at is null'),
    (rows) => rows.length === 0,
  );
});

test('a job is done at its time, once for its key, and tried as often as it may be', async () => {
  const em = application.orm.em.fork();
  const soon = new Date(Date.now() + 60 * 60 * 1000);
  await em.transactional(async (tx) => {
    await enqueue(tx, 'sendMail', { mailId: 'mail_first' }, { key: 'once', runAt: soon, attempts: 3 });
    await enqueue(tx, 'sendMail', { mailId: 'mail_second' }, { key: 'once', runAt: soon, attempts: 3 });
  });
  const jobs = await application.rows(
    `select payload::json ->> 'mailId' as mail, run_at, max_attempts from graphile_worker._private_jobs where key = 'once'`,
  );
  expect(jobs).toEqual([{ mail: 'mail_second', run_at: soon, max_attempts: 3 }]);
  await application.rows("select graphile_worker.remove_job('once')");
});

test('a job that a killed worker held is done by another one within seconds', async () => {
  const payload = '{"mailId":"mail_none"}';
  await application.rows("select graphile_worker.add_job('sendMail', $1::json, run_at => now() + interval '1 second')", [payload]);
  await application.rows(
    "update graphile_worker._private_jobs set locked_at = now(), locked_by = 'pool-of-a-killed-process' where payload::text = $1",
    [payload],
  );
  const left = () =>
    application.rows<{ id: string }>("select id from graphile_worker.jobs where locked_by = 'pool-of-a-killed-process'", []);
  expect(await left()).toHaveLength(1);
  await eventually(left, (rows) => rows.length === 0);
  await eventually(
    () => application.rows("select id from graphile_worker.jobs where task_identifier = 'sendMail'", []),
    (rows) => rows.length === 0,
  );
});

test('workers that lose the database with their first question look for jobs all the same', async () => {
  const release = await holdTable(application.fixtures.sql, 'graphile_worker._private_tasks');
  const done = Promise.withResolvers<void>();
  const pool = await startPool({
    name: 'late',
    concurrency: 2,
    tasks: { greet: () => done.resolve() },
    crontab: '',
    databaseUrl: proxy.through(application.urls.workers),
    logger: createLogger('workers', 'silent'),
    pollInterval: 50,
  });
  try {
    await waitForLock(application);
    proxy.cut();
    await release();
    proxy.mend();
    await application.rows("select graphile_worker.add_job('greet')");
    await done.promise;
  } finally {
    await pool.stop();
  }
});

test('a role that may only connect to the database cannot end the workers by saying that the queue has changed', async () => {
  const warnings: string[] = [];
  const greeted = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const [before] = await application.rows<{ now: Date }>('select clock_timestamp() as now');
  const pool = await startPool({
    name: 'notified',
    concurrency: 2,
    tasks: { greet: (payload) => greeted[(payload as { turn: number }).turn]?.resolve() },
    crontab: '',
    databaseUrl: application.urls.workers,
    logger: Object.assign(createLogger('workers', 'silent'), { warn: (_fields: object, message: string) => warnings.push(message) }),
    // So that jobs are only heard of.
    pollInterval: 60_000,
  });
  const greet = (turn: number) => application.rows("select graphile_worker.add_job('greet', json_build_object('turn', $1::int))", [turn]);
  await eventually(
    () =>
      application.rows(
        `select 1 from pg_stat_activity
         where datname = current_database() and backend_start > $1 and state = 'idle' and query like 'LISTEN "jobs:insert"%'`,
        [before?.now],
      ),
    (listening) => listening.length > 0,
  );
  await greet(0);
  await greeted[0]?.promise;
  await application.rows(`select pg_notify('worker:migrate', '{"breaking":true,"migrationNumber":99}')`, []);
  await greet(1);
  await greeted[1]?.promise;
  await pool.stop();
  expect(warnings).toEqual([]);
});

test('workers that are stopped while they start again after losing the database leave no connection behind', async () => {
  const path = await openDatabaseProxy();
  const restarting = Promise.withResolvers<void>();
  const warn = (_fields: object, message: string) => message === 'workers.restarting' && restarting.resolve();
  const pool = await startPool({
    name: 'restarting',
    concurrency: 1,
    tasks: { greet: () => {} },
    crontab: '',
    databaseUrl: path.through(application.urls.workers),
    logger: Object.assign(createLogger('workers', 'silent'), { warn }),
    pollInterval: 50,
  });
  path.cut();
  await restarting.promise;
  const release = await holdTable(application.fixtures.sql, 'graphile_worker.migrations');
  path.mend();
  await waitForLock(application);
  const stopped = pool.stop();
  await release();
  await stopped;
  await path.untilUnused();
  await path.close();
});

test('workers that lose the database while they stop, before they have heard that they listen, only stop', async () => {
  const path = await openDatabaseProxy({ answers: (bytes) => (bytes.includes('LISTEN\0') ? Buffer.alloc(0) : bytes) });
  const pool = await startPool({
    name: 'stopping',
    concurrency: 1,
    tasks: { greet: () => {} },
    crontab: '',
    databaseUrl: path.through(application.urls.workers),
    logger: createLogger('workers', 'silent'),
    pollInterval: 50,
  });
  const listening = `select 1 from pg_stat_activity
    where datname = current_database() and client_port = any($1) and state = 'idle' and query like 'LISTEN "jobs:insert"%'`;
  await eventually(
    () => application.rows(listening, [path.ports()]),
    ({ length }) => length > 0,
  );
  const stopped = pool.stop();
  await new Promise(setImmediate);
  path.cut();
  await stopped;
  await path.untilUnused();
  await path.close();
});
