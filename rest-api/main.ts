import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../server/config/config.ts';
import { readConfigOrExit } from '../server/config/readConfigOrExit.ts';
import { checkConfiguredServer } from '../server/database/checkConfiguredServer.ts';
import { openKeyRing } from '../server/database/openKeyRing.ts';
import { requireSchema } from '../server/database/migration/requireSchema.ts';
import { checkRole } from '../server/database/roles/checkRole.ts';
import { systemClock } from '../server/platform/clock.ts';
import { Readiness } from '../server/platform/http/Readiness.ts';
import { machineApiTls } from '../server/platform/tls/machineApiTls.ts';
import { observeServerCertificate } from '../server/platform/tls/observeServerCertificate.ts';
import { createLogger } from '../server/platform/logger.ts';
import { startLoopWatch } from '../server/platform/loopWatch.ts';
import { startMetricsServer } from '../server/platform/startMetricsServer.ts';
import { startTracing } from '../server/platform/tracing/startTracing.ts';
import { runProcess } from '../server/platform/runProcess.ts';
import { startMachineApi } from './machineApi.ts';

/** The machine API in a process of its own. Several can run side by side on one database, behind any TCP load balancer. */
const config = readConfigOrExit('machine-api');
const logger = createLogger('machine-api', config.logLevel);
await runProcess({ logger, drainMs: config.drainSeconds * 1_000 }, async (onStop, stopping) => {
  await startTracing(config, 'machine-api', onStop);
  await checkConfiguredServer(config, 'machine_api', logger);
  const databaseUrl = config.databaseUrl ?? (await besideEmbeddedDatabase(config));
  await checkRole(databaseUrl, 'machine_api', { config, logger });
  await requireSchema(databaseUrl);
  const keyRing = await openKeyRing({ config, databaseUrl, use: 'machine-api-keys', logger, onStop });
  const tls = await machineApiTls(config, { logger, onStop });
  const readiness = new Readiness(stopping);
  const metrics = await startMetricsServer({
    host: config.metricsHost,
    port: config.metricsPort,
    readiness,
    observe: async () => observeServerCertificate(tls, systemClock.now()),
  });
  onStop('metrics', () => metrics.close());
  const api = await startMachineApi({
    host: config.host,
    port: config.machineApiPort,
    held: config.machineApiSocket,
    databaseUrl,
    databaseConnections: config.databaseConnections,
    keyRing,
    clock: systemClock,
    logger,
    tls,
    portalUrl: config.portalUrl ?? `http://localhost:${config.portalPort}`,
    publicUrl: config.machineApiUrl,
    supportContact: config.supportContact,
    trustedBalancers: config.trustedBalancers,
    stopping,
  });
  onStop('machine API', () => api.close(), 'entrance');
  startLoopWatch(logger, onStop);
  readiness.started([() => api.state()]);
  logger.info({ url: `${api.url}/v1`, metricsPort: metrics.port }, 'machineApi.listening');
});

/** Without DATABASE_URL, the process joins an `npm start` that is running on the same data folder. */
async function besideEmbeddedDatabase({ dataDir }: Config): Promise<string> {
  try {
    return (await readFile(join(dataDir, 'database-url.machine-api'), 'utf8')).trim();
  } catch {
    throw new Error('DATABASE_URL is not set, and no embedded database is running with this data folder.');
  }
}
