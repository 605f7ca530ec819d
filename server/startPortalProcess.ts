import { join } from 'node:path';
import type { Config } from './config/config.ts';
import type { KeyRing } from './database/keyRing.ts';
import { databaseStateOf } from './database/readiness.ts';
import type { Clock } from './domain/shared/clock.ts';
import type { Database } from './database/openDatabase.ts';
import { createDevelopmentMailbox } from './platform/developmentMailbox.ts';
import { keepServerPair } from './platform/tls/keepServerPair.ts';
import type { Logger } from './platform/logger.ts';
import type { OnStop } from './platform/runProcess.ts';
import { readCreditBadge } from './portal-http/files/creditBadge.ts';
import { startPortal, type Portal } from './portal-http/startPortal.ts';

type PortalParts = {
  readonly config: Config;
  readonly database: Database;
  readonly keyRing: KeyRing;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onStop: OnStop;
  /** Aborted when the process is told to stop. From then on the portal is not ready. */
  readonly stopping?: AbortSignal;
  /** The address without /v1. It is asked for with each request. */
  machineApiUrl(): string;
  readonly machineApiCa?: string;
  /** How many connections it may hold: all that the process may open, unless another server shares them. */
  readonly connections?: number;
  readonly requestTimeoutMs?: number;
  /** Further conditions for readiness, in addition to the database. */
  readonly ready?: () => Promise<boolean>;
};

/** Starts the portal with its mailbox and health checks, for both the portal process and `npm start`. */
export async function startPortalProcess(parts: PortalParts): Promise<Portal> {
  const { config, database, keyRing, clock, logger, onStop, machineApiCa } = parts;
  let portalUrl = config.portalUrl ?? '';
  const creditBadge = await readCreditBadge();
  const { portalTls } = config;
  const portal = await startPortal({
    config,
    tls: portalTls && (await keepServerPair({ files: portalTls, logger, onStop })),
    orm: database.orm,
    standby: database.standby,
    keyRing,
    clock,
    logger,
    facts: () => ({
      portalUrl,
      machineApiUrl: `${parts.machineApiUrl()}/v1`,
      developmentMailbox: config.developmentMailbox,
      developmentCa: machineApiCa !== undefined,
      developmentReceiver: developmentReceiverOf(config),
      supportContact: config.supportContact,
      creditBadgeIntegrity: creditBadge.integrity,
    }),
    creditBadge,
    ...(config.developmentMailbox && { mailbox: createDevelopmentMailbox(database.pool, clock) }),
    ...(machineApiCa !== undefined && { machineApiCa }),
    ...(parts.connections !== undefined && { connections: parts.connections }),
    ...(parts.requestTimeoutMs !== undefined && { requestTimeoutMs: parts.requestTimeoutMs }),
    stopping: parts.stopping,
    async ready() {
      const [state, othersReady] = await Promise.all([databaseStateOf(database, clock), parts.ready?.()]);
      return parts.stopping?.aborted !== true && state === 'ready' && othersReady !== false;
    },
  });
  portalUrl = portal.url;
  onStop('GraphQL', () => portal.end());
  onStop('portal', () => portal.close(), 'entrance');
  return portal;
}

/** Where developers listen for webhooks, with the certificate that the workers trust. */
function developmentReceiverOf({ developmentWebhookHosts, dataDir }: Config) {
  const [found] = developmentWebhookHosts;
  return found ? { host: found[0], port: found[1].port, tlsFolder: join(dataDir, 'tls') } : null;
}
