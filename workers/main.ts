import { readConfigOrExit } from '../server/config/readConfigOrExit.ts';
import { openKeyRing } from '../server/database/openKeyRing.ts';
import { signingKeysOf } from '../server/platform/configuredKeys.ts';
import { openDatabase, prepareDatabase } from '../server/database/openDatabase.ts';
import { databaseStateOf } from '../server/database/readiness.ts';
import { systemClock } from '../server/platform/clock.ts';
import { Readiness } from '../server/platform/http/Readiness.ts';
import { createLogger } from '../server/platform/logger.ts';
import { createMailer } from '../server/platform/createMailer.ts';
import { developmentHostsOf } from '../server/platform/outbound/developmentHosts.ts';
import { startMetricsServer } from '../server/platform/startMetricsServer.ts';
import { startTracing } from '../server/platform/tracing/startTracing.ts';
import { runProcess } from '../server/platform/runProcess.ts';
import { observeGrowth } from './observeGrowth.ts';
import { observeQueue } from './observeQueue.ts';
import { startWorkers } from './startWorkers.ts';

/** The workers in a process of their own, the only process that has SIGNING_KEY. */
const config = readConfigOrExit('workers');
const logger = createLogger('workers', config.logLevel);
await runProcess({ logger, drainMs: config.drainSeconds * 1_000 }, async (onStop, stopping) => {
  await startTracing(config, 'workers', onStop);
  const { workers: url } = await prepareDatabase(config, logger, onStop, { part: 'workers' });
  const database = await openDatabase({ url, part: 'workers', config, logger, onStop });
  const keyRing = await openKeyRing({ config, databaseUrl: url, use: 'workers-keys', logger, onStop });
  const readiness = new Readiness(stopping);
  const metrics = await startMetricsServer({
    host: config.metricsHost,
    port: config.metricsPort,
    readiness,
    async observe() {
      await Promise.all([observeQueue(database.pool), observeGrowth(database.pool)]);
    },
  });
  onStop('metrics', () => metrics.close());
  const mailer = createMailer(config, database.pool, systemClock);
  onStop('mailer', () => mailer.close());
  const workers = await startWorkers({
    databaseUrl: database.url,
    orm: database.orm,
    keyRing,
    signingKeys: await signingKeysOf(config),
    generateAuthority: config.generateAuthority,
    mailer,
    portalUrl: config.portalUrl ?? `http://localhost:${config.portalPort}`,
    machineApiOrigin: () => config.machineApiUrl ?? `https://localhost:${config.machineApiPort}`,
    supportContact: config.supportContact,
    developmentHosts: await developmentHostsOf(config),
    logger,
    clock: systemClock,
  });
  onStop('workers', () => workers.stop());
  readiness.started([() => databaseStateOf(database, systemClock), async () => (workers.running() ? 'ready' : 'workers_down')]);
  logger.info({ metricsPort: metrics.port }, 'workers.running');
});
