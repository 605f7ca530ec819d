import { readConfigOrExit } from './config/readConfigOrExit.ts';
import { openKeyRing } from './database/openKeyRing.ts';
import { openDatabase, prepareDatabase } from './database/openDatabase.ts';
import { databaseStateOf } from './database/readiness.ts';
import { observeKeys } from './observeKeys.ts';
import { systemClock } from './platform/clock.ts';
import { Readiness } from './platform/http/Readiness.ts';
import { createLogger } from './platform/logger.ts';
import { startLoopWatch } from './platform/loopWatch.ts';
import { startMetricsServer } from './platform/startMetricsServer.ts';
import { startTracing } from './platform/tracing/startTracing.ts';
import { runProcess } from './platform/runProcess.ts';
import { startPortalProcess } from './startPortalProcess.ts';

/** The portal in a process of its own. Several can run side by side on one DATABASE_URL. */
const config = readConfigOrExit('portal');
const logger = createLogger('portal', config.logLevel);
await runProcess({ logger, drainMs: config.drainSeconds * 1_000 }, async (onStop, stopping) => {
  await startTracing(config, 'portal', onStop);
  const { portal: url } = await prepareDatabase(config, logger, onStop);
  const database = await openDatabase({ url, part: 'portal', config, logger, onStop });
  const keyRing = await openKeyRing({ config, databaseUrl: url, use: 'portal-keys', logger, onStop });
  const readiness = new Readiness(stopping);
  const metrics = await startMetricsServer({
    host: config.metricsHost,
    port: config.metricsPort,
    readiness,
    observe: () => observeKeys(database.orm.em.fork(), systemClock.now()),
  });
  onStop('metrics', () => metrics.close());
  const machineApiUrl = config.machineApiUrl ?? `https://localhost:${config.machineApiPort}`;
  const portal = await startPortalProcess({
    config,
    database,
    keyRing,
    clock: systemClock,
    logger,
    onStop,
    stopping,
    machineApiUrl: () => machineApiUrl,
  });
  startLoopWatch(logger, onStop);
  readiness.started([() => databaseStateOf(database, systemClock)]);
  logger.info({ url: portal.url, metricsPort: metrics.port }, 'portal.listening');
});
