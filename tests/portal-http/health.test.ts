import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { operationDuration, registry } from '../../server/platform/metrics.ts';
import { waitForLock } from '../support/database/waitForLock.ts';
import { openDatabaseProxy } from '../support/run/databaseProxy.ts';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';

const stopping = new AbortController();
let proxy: Awaited<ReturnType<typeof openDatabaseProxy>>;
let application: PortalWorld;
beforeAll(async () => {
  proxy = await openDatabaseProxy();
  application = await openWorld({ portal: { portalDatabaseUrl: (url) => proxy.through(url), stopping: stopping.signal } });
});
afterAll(async () => {
  await application.close();
  await proxy.close();
});

const statusOf = async (path: string) => (await application.browser().fetch(path)).status;

/** What has come of this operation of the schema so far, as Prometheus is told. */
async function outcomesOf(operation: string): Promise<(string | undefined)[]> {
  const text = await registry.getSingleMetricAsString('svc_graphql_operation_duration_seconds');
  return [...text.matchAll(/_count\{operation="(\w+)",outcome="(\w+)"\}/g)]
    .filter(([, name]) => name === operation)
    .map(([, , outcome]) => outcome);
}

test('a running portal is alive and ready', async () => {
  const [health, ready] = [await application.browser().fetch('/healthz'), await application.browser().fetch('/readyz')];
  expect([health.status, await health.json()]).toEqual([200, { status: 'ok' }]);
  expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready' }]);
  for (const { headers } of [health, ready]) expect(headers.get('cache-control')).toBe('no-store');
});

test('without its database it is alive but not ready, answers without details, and recovers by itself', async () => {
  const operator = await application.operator();
  proxy.cut();
  expect(await statusOf('/healthz')).toBe(200);
  expect(await statusOf('/readyz')).toBe(503);
  expect(await statusOf('/')).toBe(200);

  operationDuration.reset();
  const whileReadingTheSession = await operator.viewer();
  const whileAnswering = await application.browser().call('currentTerms');
  for (const answer of [whileReadingTheSession, whileAnswering]) {
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(answer.errors).toHaveLength(1);
    expect(answer.errors[0]).toMatchObject({
      message: 'Temporarily unavailable',
      extensions: { code: 'TEMPORARILY_UNAVAILABLE', retryAfterSeconds: 5 },
    });
  }
  // The alarm about operations that fail is not for those that meet no database.
  expect(await outcomesOf('currentTerms')).toEqual(['unavailable']);
  const bundle = await operator.fetch('/certificates/crt_x/bundle.pem');
  expect(bundle.status).toBe(503);
  expect(bundle.headers.get('retry-after')).toBe('5');
  expect(await bundle.json()).toMatchObject({ code: 'temporarily_unavailable' });

  proxy.mend();
  expect(await statusOf('/readyz')).toBe(200);
  expect((await operator.viewer()).data).toMatchObject({ kind: 'full' });
});

test('with a clock more than a second away from the database’s it is not ready', async () => {
  application.clock.advance(1_500);
  expect(await statusOf('/readyz')).toBe(503);
  application.clock.advance(-1_500);
  expect(await statusOf('/readyz')).toBe(200);
});

test('told to stop, it is not ready but answers, and what it is answering when it closes is answered before anything ends', async () => {
  const operator = await application.operator();
  stopping.abort();
  expect(await statusOf('/readyz')).toBe(503);
  const told = await application.browser().call('currentTerms');
  expect([told.status, told.headers.get('connection')]).toEqual([200, 'close']);

  const release = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const lock = application.fixtures.sql.begin(async (sql) => {
    await sql`lock table portal_session in access exclusive mode`;
    locked.resolve();
    await release.promise;
  });
  await locked.promise;
  // GraphQL gets to see it only when its session has been read.
  const last = operator.viewer();
  await waitForLock(application);
  const closed = application.closePortal();
  release.resolve();
  await lock;
  expect((await last).data).toMatchObject({ kind: 'full' });
  await closed;
});
