import { createServer } from 'node:http';
import { limits } from '../domain/shared/limits.ts';
import { superviseConnections } from './http/superviseConnections.ts';
import { listen } from './listen.ts';
import { registry } from './metrics.ts';

/**
 * Serves `/metrics` on a port of its own. Resolves once it listens; `close` ends it. `observe` brings metrics up to date that nothing
 * counts; it runs before each answer.
 */
export async function startMetricsServer(
  host: string,
  port: number,
  observe: () => Promise<void> = () => Promise.resolve(),
): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer(
    { headersTimeout: 10_000, requestTimeout: 10_000, connectionsCheckingInterval: 1_000 },
    (request, response) => {
      if (request.url !== '/metrics') {
        response.writeHead(404).end();
        return;
      }
      const metrics = observe().then(() => registry.metrics());
      metrics.then(
        (text) => response.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
        () => response.writeHead(500).end(),
      );
    },
  );
  const supervision = superviseConnections(server, {
    name: 'metrics',
    connections: limits.metricsConnections,
  });
  return { port: await listen(server, { host, port, variable: 'METRICS_PORT' }), close: () => supervision.stop() };
}
