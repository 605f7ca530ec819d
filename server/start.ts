import { startMachineApi } from '../rest-api/machineApi.ts';
import { observeGrowth } from '../workers/observeGrowth.ts';
import { observeQueue } from '../workers/observeQueue.ts';
import { startWorkers } from '../workers/startWorkers.ts';
import { readConfigOrExit } from './config/readConfigOrExit.ts';
import { startBackups } from './database/backup/startBackups.ts';
import { openKeyRing } from './database/openKeyRing.ts';
import { openDatabase, prepareDatabase } from './database/openDatabase.ts';
import { checkRole } from './database/roles/checkRole.ts';
import { databaseStateOf } from './database/readiness.ts';
import { observeKeys } from './observeKeys.ts';
import { startAcme } from './platform/acme/startAcme.ts';
import { systemClock } from './platform/clock.ts';
import { signingKeysOf } from './platform/configuredKeys.ts';
import { createMailer } from './platform/createMailer.ts';
import { developmentHostsOf } from './platform/outbound/developmentHosts.ts';
import { Readiness } from './platform/http/Readiness.ts';
import { connectionShare } from './platform/http/openFiles.ts';
import { machineApiTls } from './platform/tls/machineApiTls.ts';
import { observeServerCertificate } from './platform/tls/observeServerCertificate.ts';
import { createLogger } from './platform/logger.ts';
import { startLoopWatch } from './platform/loopWatch.ts';
import { startMetricsServer } from './platform/startMetricsServer.ts';
import { startTracing } from './platform/tracing/startTracing.ts';
import { runProcess } from './platform/runProcess.ts';
import { startPortalProcess } from './startPortalProcess.ts';

/** Everything in one process: `npm start`, and `oi start` on one machine in production. Nothing else starts all three parts. */
const config = readConfigOrExit('service');
const logger = createLogger('service', config.logLevel);
await runProcess({ logger, drainMs: config.drainSeconds * 1_000 }, async (onStop, stopping) => {
  await startTracing(config, 'service', onStop);
  // Without a certificate there is nothing to start.
  if (config.acme) await startAcme(config.acme, { clock: systemClock, logger, onStop, stopping });
  const urls = await prepareDatabase(config, logger, onStop, { alone: true });
  const database = await openDatabase({ url: urls.portal, part: 'portal', config, logger, onStop });
  const workersDatabase = await openDatabase({ url: urls.workers, part: 'workers', config, logger, onStop });
  await checkRole(urls.machineApi, 'machine_api', { config, logger });
  // The portal makes what keys are missing, so it comes first.
  const keyRing = await openKeyRing({ config, databaseUrl: urls.portal, use: 'portal-keys', logger, onStop });
  const workersKeyRing = await openKeyRing({ config, databaseUrl: urls.workers, use: 'workers-keys', logger, onStop });
  const machineKeyRing = await openKeyRing({ config, databaseUrl: urls.machineApi, use: 'machine-api-keys', logger, onStop });
  const { backups: plan, dataDir } = config;
  const backups = plan && startBackups(plan, { dataDir, clock: systemClock, logger, onStop });
  const tls = await machineApiTls(config, { logger, onStop });
  const readiness = new Readiness(stopping);
  const metrics = await startMetricsServer({
    host: config.metricsHost,
    port: config.metricsPort,
    readiness,
    async observe() {
      observeServerCertificate(tls, systemClock.now());
      const { orm, pool } = database;
      await Promise.all([observeKeys(orm.em.fork(), systemClock.now()), observeQueue(pool), observeGrowth(pool), backups?.observe()]);
    },
  });
  onStop('metrics', () => metrics.close());

  const connections = connectionShare(2, { delivers: true });
  // The machine API may ask for any free port. Until it has one, pages name the port that it asks for.
  let machineApiUrl = config.machineApiUrl ?? `https://localhost:${config.machineApiPort}`;
  let machineApiReady = (): Promise<boolean> => Promise.resolve(false);
  const portal = await startPortalProcess({
    config,
    database,
    keyRing,
    clock: systemClock,
    logger,
    onStop,
    stopping,
    connections,
    machineApiUrl: () => machineApiUrl,
    ready: () => machineApiReady(),
    ...(tls.caPem !== undefined && { machineApiCa: tls.caPem }),
  });
  const mailer = createMailer(config, workersDatabase.pool, systemClock);
  onStop('mailer', () => mailer.close());
  const workers = await startWorkers({
    databaseUrl: urls.workers,
    orm: workersDatabase.orm,
    keyRing: workersKeyRing,
    signingKeys: await signingKeysOf(config),
    generateAuthority: config.generateAuthority,
    mailer,
    portalUrl: portal.url,
    machineApiOrigin: () => machineApiUrl,
    supportContact: config.supportContact,
    developmentHosts: await developmentHostsOf(config),
    logger,
    clock: systemClock,
  });
  onStop('workers', () => workers.stop());
  const machineApi = await startMachineApi({
    host: config.host,
    port: config.machineApiPort,
    held: config.machineApiSocket,
    databaseUrl: urls.machineApi,
    databaseConnections: config.databaseConnections,
    keyRing: machineKeyRing,
    clock: systemClock,
    logger,
    tls,
    portalUrl: portal.url,
    publicUrl: config.machineApiUrl,
    supportContact: config.supportContact,
    connections,
    trustedBalancers: config.trustedBalancers,
    stopping,
  });
  onStop('machine API', () => machineApi.close(), 'entrance');
  machineApiUrl = config.machineApiUrl ?? machineApi.url;
  machineApiReady = async () => (await machineApi.state()) === 'ready';
  startLoopWatch(logger, onStop);
  readiness.started([
    () => databaseStateOf(database, systemClock),
    () => machineApi.state(),
    async () => (workers.running() ? 'ready' : 'workers_down'),
  ]);
  logger.info({ portal: portal.url, machineApi: `${machineApiUrl}/v1`, metricsPort: metrics.port }, 'service.started');
  process.stdout.write(`\n  Portal       ${portal.url}\n  Machine API  ${machineApiUrl}/v1\n`);
  if (config.developmentMailbox) process.stdout.write(`  Mailbox      ${portal.url}/dev/mailbox (SMTP_URL is not set)\n`);
  process.stdout.write('\n  Ctrl-C stops everything.\n\n');
});
