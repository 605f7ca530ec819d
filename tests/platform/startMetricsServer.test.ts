import { afterAll, expect, test } from '@jest/globals';
import { Readiness, type ReadinessState } from '../../server/platform/http/Readiness.ts';
import { startMetricsServer } from '../../server/platform/startMetricsServer.ts';

const stopping = new AbortController();
const readiness = new Readiness(stopping.signal);
const server = await startMetricsServer({ host: '127.0.0.1', port: 0, readiness });
afterAll(() => server.close());

async function ask(path: string): Promise<[number, unknown]> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`);
  return [answer.status, answer.headers.get('content-type') === 'application/json' ? await answer.json() : null];
}

async function shownStates(): Promise<(string | undefined)[]> {
  const text = await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text();
  return [...text.matchAll(/^svc_readiness_state\{state="(\w+)"\} 1$/gm)].map(([, state]) => state);
}

test('a process is ready from its start to the signal to stop, for as long as all that it needs is ready', async () => {
  expect(await ask('/readyz')).toEqual([503, { status: 'not ready', reason: 'starting' }]);
  const needs: Record<string, ReadinessState> = { database: 'ready', authorities: 'no_authorities' };
  readiness.started(Object.keys(needs).map((name) => async () => needs[name] ?? 'ready'));
  expect(await ask('/readyz')).toEqual([503, { status: 'not ready', reason: 'no_authorities' }]);
  needs['authorities'] = 'ready';
  expect(await ask('/readyz')).toEqual([200, { status: 'ready' }]);
  needs['database'] = 'read_only';
  expect(await ask('/readyz')).toEqual([503, { status: 'not ready', reason: 'read_only' }]);
  expect(await shownStates()).toEqual(['read_only']);
  needs['database'] = 'ready';
  expect(await shownStates()).toEqual(['ready']);
  stopping.abort();
  expect(await ask('/readyz')).toEqual([503, { status: 'not ready', reason: 'draining' }]);
  expect(await ask('/healthz')).toEqual([200, { status: 'ok' }]);
});

test('metrics are served beside it, and nothing else', async () => {
  const answer = await fetch(`http://127.0.0.1:${server.port}/metrics?name=x`);
  expect([answer.status, (await answer.text()).includes('svc_http_requests_total')]).toEqual([200, true]);
  expect((await fetch(`http://127.0.0.1:${server.port}/constructor`)).status).toBe(404);
});
