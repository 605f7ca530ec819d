import { createServer, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { serverLimits } from './http/serverLimits.ts';
import type { Readiness } from './http/Readiness.ts';
import { superviseConnections } from './http/superviseConnections.ts';
import { listen } from './listen.ts';
import { readinessState, registry } from './metrics.ts';

type Options = {
  readonly host: string;
  readonly port: number;
  /** What `/readyz` says, with the reason if it is not ready. */
  readonly readiness: Readiness;
  /**
   * Brings metrics up to date that nothing counts. It runs before each answer, which waits two seconds for it: a database that hangs must
   * not hide the others.
   */
  readonly observe?: () => Promise<void>;
};

const observedWithin = 2_000;

/**
 * Serves `/metrics`, `/healthz` (the process runs) and `/readyz` (it can do its work) on a port of its own. Resolves once it listens; `close` ends it.
 * It must not be open to the public.
 */
export async function startMetricsServer({
  host,
  port,
  readiness,
  observe = () => Promise.resolve(),
}: Options): Promise<{ port: number; close(): Promise<void> }> {
  const answers: Readonly<Record<string, (response: ServerResponse) => Promise<unknown>>> = {
    '/metrics': async (response) => {
      const [state] = await Promise.all([readiness.state(), Promise.race([observe(), delay(observedWithin, undefined, { ref: false })])]);
      readinessState.reset();
      readinessState.set({ state }, 1);
      const text = await registry.metrics();
      response.writeHead(200, { 'Content-Type': registry.contentType }).end(text);
    },
    '/healthz': async (response) => answer(response, 200, { status: 'ok' }),
    '/readyz': async (response) => {
      const state = await readiness.state();
      if (state === 'ready') answer(response, 200, { status: 'ready' });
      else answer(response, 503, { status: 'not ready', reason: state });
    },
  };
  const server = createServer(
    { headersTimeout: 10_000, requestTimeout: 10_000, connectionsCheckingInterval: 1_000 },
    ({ url = '' }, response) => {
      const [path = ''] = url.split('?');
      const found = Object.hasOwn(answers, path) ? answers[path] : undefined;
      if (!found) response.writeHead(404).end();
      else found(response).catch(() => response.writeHead(500).end());
    },
  );
  const supervision = superviseConnections(server, {
    name: 'metrics',
    connections: serverLimits.metricsConnections,
  });
  return {
    port: await listen(server, { host, port, variables: { host: 'METRICS_HOST', port: 'METRICS_PORT' } }),
    close: () => supervision.stop(),
  };
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }).end(JSON.stringify(body));
}
