import { Writable } from 'node:stream';
import { Logger as WorkerLogger, runOnce, type TaskList } from 'graphile-worker';
import { readConfig } from '../../../server/config/config.ts';
import type { Standby } from '../../../server/database/Standby.ts';
import { createOrm, type Orm } from '../../../server/database/orm.ts';
import { chainFrom, ensureAuthorities, keepIssuer, openIssuer } from '../../../server/domain/certificate/authorities.ts';
import type { JobPayloads } from '../../../server/domain/shared/jobs.ts';
import { keepDeliveryKey } from '../../../server/domain/webhook/signing/deliveryKey.ts';
import { authorityKeys } from '../../../server/platform/authorityKeys.ts';
import { createMailer } from '../../../server/platform/createMailer.ts';
import { createLogger } from '../../../server/platform/logger.ts';
import { createOutbound } from '../../../server/platform/outbound/createOutbound.ts';
import type { DevelopmentHosts } from '../../../server/platform/outbound/openConnection.ts';
import { startPortalProcess } from '../../../server/startPortalProcess.ts';
import { announceGate } from '../../../workers/tasks/announceGate.ts';
import { announceTerms } from '../../../workers/tasks/announceTerms.ts';
import { checkPages } from '../../../workers/tasks/checkPages.ts';
import { checkReceiver } from '../../../workers/tasks/checkReceiver.ts';
import { emptySandbox } from '../../../workers/tasks/emptySandbox.ts';
import { issueCertificate } from '../../../workers/tasks/issueCertificate.ts';
import { makeP12 } from '../../../workers/tasks/makeP12.ts';
import { publishCrls } from '../../../workers/tasks/publishCrls.ts';
import { replayDeliveries } from '../../../workers/tasks/replayDeliveries.ts';
import { sendMail } from '../../../workers/tasks/sendMail.ts';
import { verifyWebhookEndpoint } from '../../../workers/tasks/verifyWebhookEndpoint.ts';
import { signWebhookSample } from '../../../workers/tasks/signWebhookSample.ts';
import type { WorkerContext } from '../../../workers/workerContext.ts';
import { PortalClient } from '../clients/portalClient.ts';
import { signingKeys } from './testKeys.ts';
import { openPool, type World } from './World.ts';
import { patient } from '../patience.ts';

const defaultConnections = 10;

export type Portal = Awaited<ReturnType<typeof startPortal>>;

export type PortalOptions = {
  readonly env?: Record<string, string>;
  /** Returns where the portal looks for its database, given the real address; for tests that cut the connection. */
  readonly portalDatabaseUrl?: (url: string) => string;
  readonly requestTimeoutMs?: number;
  /** The most connections that its pages and commands use at the same time. */
  readonly connections?: number;
  /** Where it reads what may be some seconds old. */
  readonly standby?: Pick<Standby, 'read'>;
  /** Aborted when the portal is told to stop. */
  readonly stopping?: AbortSignal;
  /** The receivers that its jobs reach: `receiver.developmentHosts`. */
  readonly webhookHosts?: DevelopmentHosts;
};

type MachineApi = { readonly machineApiUrl: () => string | undefined; readonly machineApiCa?: string };

/** Has fresh confirmations end only where a test moves the clock: on a busy machine, a file takes longer than the minutes that they hold. */
function keepConfirmations(world: World): void {
  const sql = `update portal_session set confirmed_until = confirmed_until + interval '1 minute' where confirmed_until > $1`;
  const everyMinute = setInterval(() => {
    if (!world.clock.isStopped) world.pool.query(sql, [world.clock.now()]).catch(() => {});
  }, 60_000);
  world.onClose(() => clearInterval(everyMinute));
}

/** What a world with a portal has. `log` is everything that portal and jobs have logged, as JSON lines. */
export async function startPortal(
  world: World,
  {
    env = {},
    portalDatabaseUrl = (url) => url,
    requestTimeoutMs,
    connections = defaultConnections,
    standby,
    stopping,
    webhookHosts,
    machineApiUrl,
    machineApiCa,
  }: PortalOptions & MachineApi,
) {
  const { urls, keyRing, clock, folder } = world;
  const config = readConfig('service', { NODE_ENV: 'test', PORTAL_PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'trace', ...env });
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const url = portalDatabaseUrl(urls.portal);
  const [orm, workersOrm] = await Promise.all([
    // A test that has few of them is about the wait for one.
    createOrm(url, { poolMax: connections, connectedWithin: connections < defaultConnections ? 3_000 : patient(3_000) }),
    createOrm(urls.workers, { connectedWithin: patient(3_000) }),
  ]);
  world.onClose(() => Promise.all([orm.close(true), workersOrm.close(true)]));
  await openConnections(orm, connections);
  const portalPool = openPool(url);
  const workersPool = openPool(urls.workers);
  world.onClose(() => Promise.all([portalPool.end(), workersPool.end()]));
  const stops = new Map<string, () => unknown>();
  const portal = await startPortalProcess({
    config,
    database: { url, orm, pool: portalPool, ...(standby && { standby }) },
    keyRing,
    clock,
    logger: createLogger('test', config.logLevel, sink),
    onStop(name, stop) {
      stops.set(name, stop);
      world.onClose(stop);
    },
    machineApiUrl: () => machineApiUrl() ?? 'https://localhost:8443',
    ...(machineApiCa !== undefined && { machineApiCa }),
    ...(requestTimeoutMs !== undefined && { requestTimeoutMs }),
    ...(stopping && { stopping }),
  });
  keepConfirmations(world);
  const mailer = createMailer(config, workersPool, clock);
  world.onClose(() => mailer.close());
  // Every other name leads nowhere, so that no test asks a real name server.
  const transport = createOutbound({ ...(webhookHosts && { developmentHosts: webhookHosts }), resolve: () => Promise.resolve([]) });
  world.onClose(() => transport.destroy());
  const keys = authorityKeys(signingKeys);
  await ensureAuthorities(workersOrm.em.fork(), { keys, portalUrl: portal.url, now: clock.now() });
  const issuer = await openIssuer(workersOrm.em.fork(), { keys, portalUrl: portal.url, now: clock.now() });
  const currentIssuer = keepIssuer({ em: () => workersOrm.em.fork(), keys, portalUrl: portal.url, clock });
  const workerContext = (): WorkerContext => ({
    em: workersOrm.em.fork(),
    clock,
    keyRing,
    issuer: currentIssuer,
    authorityKeys: keys,
    mailer,
    transport,
    deliveryKey: keepDeliveryKey({ em: () => workersOrm.em.fork(), wrapping: keys, clock }),
    machineApiOrigin: () => 'https://api.example',
    portalUrl: portal.url,
    supportContact: config.supportContact,
    lastAttempt: false,
  });
  const tasks: TaskList = {
    announceGate: (payload) => announceGate(payload as JobPayloads['announceGate'], workerContext()),
    announceTerms: (payload) => announceTerms(payload as JobPayloads['announceTerms'], workerContext()),
    emptySandbox: (payload) => emptySandbox(payload as JobPayloads['emptySandbox'], workerContext()),
    sendMail: (payload) => sendMail(payload as JobPayloads['sendMail'], workerContext()),
    publishCrls: (payload) => publishCrls(payload as JobPayloads['publishCrls'], workerContext()),
    makeP12: (payload) => makeP12(payload as JobPayloads['makeP12'], workerContext()),
    verifyWebhookEndpoint: (payload) => verifyWebhookEndpoint(payload as JobPayloads['verifyWebhookEndpoint'], workerContext()),
    issueCertificate: (payload) => issueCertificate(payload as JobPayloads['issueCertificate'], workerContext()),
    checkPages: (payload) => checkPages(payload as JobPayloads['checkPages'], workerContext()),
    checkReceiver: (payload) => checkReceiver(payload as JobPayloads['checkReceiver'], workerContext()),
    replayDeliveries: (payload) => replayDeliveries(payload as JobPayloads['replayDeliveries'], workerContext()),
    signWebhookSample: (payload) => signWebhookSample(payload as JobPayloads['signWebhookSample'], workerContext()),
  };
  const browser = () => new PortalClient({ portalUrl: portal.url, work, rows: (text, values) => world.rows(text, values) });

  /** Does the jobs for mails, announcements, certificates and challenges that are due now. Failed ones wait for their next attempt. */
  async function work(): Promise<void> {
    await runOnce({
      pgPool: workersPool,
      taskList: tasks,
      noHandleSignals: true,
      logger: new WorkerLogger(() => () => undefined),
      // The runner waits only for batches. Without batches, it could end before the outcome of the last job is written down.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    });
  }

  return {
    portalUrl: portal.url,
    /** What its pages and commands connect with. */
    portalOrm: orm,
    issuer,
    /** The authority of the certificates that its jobs issue. */
    authority: { issuerId: issuer.id, signer: issuer.signer, chainPem: (await chainFrom(orm.em.fork(), issuer.id))[0] ?? '' },
    mailer,
    transport,
    webhookHosts,
    workerContext,
    work,
    log: () => lines.join(''),
    /** Closes it as a process does that stops: it answers what has arrived. */
    closePortal: () => stops.get('portal')?.(),
    /** A new browser that has not visited anything yet. */
    browser,
    /** A new browser whose operator has just registered. */
    async operator(email?: string): Promise<PortalClient> {
      const client = browser();
      await client.registerOperator(email);
      return client;
    },
  };
}

/**
 * Opens all connections, so that simultaneous requests do not queue up behind one that is being made. A machine that runs many tests at
 * once can need longer for ten connections than the portal waits.
 */
async function openConnections(orm: Orm, connections: number, attempts = 5): Promise<void> {
  try {
    await Promise.all(Array.from({ length: connections }, () => orm.em.fork().getConnection().execute('select pg_sleep(0.02)')));
  } catch (error) {
    if (attempts === 1) throw error;
    await openConnections(orm, connections, attempts - 1);
  }
}
