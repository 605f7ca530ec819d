import type { KeyRing } from '../server/database/keyRing.ts';
import type { Orm } from '../server/database/orm.ts';
import { ensureAuthorities, keepIssuer, refuseUnknownWrapping } from '../server/domain/certificate/authorities.ts';
import { requestCrls } from '../server/domain/certificate/crl/requestCrls.ts';
import type { Mailer } from '../server/domain/notification/mailer.ts';
import type { Clock } from '../server/domain/shared/clock.ts';
import type { SupportContact } from '../server/domain/shared/supportContact.ts';
import { keepDeliveryKey, refuseUnknownSigningKeys } from '../server/domain/webhook/signing/deliveryKey.ts';
import { keepSigningKeys } from '../server/domain/webhook/signing/signingKeys.ts';
import { authorityKeys } from '../server/platform/authorityKeys.ts';
import type { WrappingKeys } from '../server/platform/keyStore.ts';
import type { Logger } from '../server/platform/logger.ts';
import { createOutbound } from '../server/platform/outbound/createOutbound.ts';
import type { DevelopmentHosts } from '../server/platform/outbound/openConnection.ts';
import { bindTasks } from './bindTasks.ts';
import { crontab } from './crontab.ts';
import { type RunningPool, startPool } from './startPool.ts';
import { pools, tasksOf } from './taskList.ts';
import { startWebhookPump } from './webhooks/startWebhookPump.ts';
import { tellNameRefused } from './webhooks/tellNameRefused.ts';

type WorkerDependencies = {
  readonly databaseUrl: string;
  readonly orm: Orm;
  readonly keyRing: KeyRing;
  readonly signingKeys: WrappingKeys;
  /** Whether to make a root and an issuing authority if there are none. */
  readonly generateAuthority?: boolean;
  readonly mailer: Mailer;
  readonly portalUrl: string;
  /** The machine API’s address without a path, which webhooks name as their source. */
  readonly machineApiOrigin: () => string;
  readonly supportContact: SupportContact;
  /** Receivers on this machine. Every other one is reached in the guarded way. */
  readonly developmentHosts?: DevelopmentHosts | undefined;
  readonly logger: Logger;
  readonly clock: Clock;
  /** How often to look for jobs that no notification announced, in milliseconds. */
  readonly pollInterval?: number;
};

/**
 * Makes the certificate authorities if there are none and it may, and the keys that sign deliveries; then works off jobs until `stop`, with one
 * queue for each pool, and delivers webhooks. If the database is lost, it waits for it.
 */
export async function startWorkers(dependencies: WorkerDependencies): Promise<RunningPool> {
  const {
    orm,
    signingKeys,
    generateAuthority = true,
    portalUrl,
    clock,
    databaseUrl,
    logger,
    pollInterval = 2_000,
    developmentHosts,
    machineApiOrigin,
  } = dependencies;
  const keys = authorityKeys(signingKeys);
  if (generateAuthority) await ensureAuthorities(orm.em.fork(), { keys, portalUrl, now: clock.now() });
  await refuseUnknownWrapping(orm.em.fork(), { keys, now: clock.now() });
  await refuseUnknownSigningKeys(orm.em.fork(), { wrapping: keys });
  await keepSigningKeys(orm.em.fork(), { wrapping: keys, now: clock.now() });
  const issuer = keepIssuer({ em: () => orm.em.fork(), keys, portalUrl, clock });
  // Without an authority, everything else goes on, and certificates stay pending.
  await issuer().catch((error: unknown) => logger.error({ err: error }, 'workers.noIssuingAuthority'));
  // New authorities have no list yet, and after a time without workers, lists may be old.
  await requestCrls(orm.em.fork());
  const outboundOptions = { onNameRefused: tellNameRefused(logger), ...(developmentHosts && { developmentHosts }) };
  const outbound = createOutbound(outboundOptions);
  const deliveryKey = keepDeliveryKey({ em: () => orm.em.fork(), wrapping: keys, clock });
  const tasks = bindTasks({ ...dependencies, issuer, authorityKeys: keys, transport: outbound, deliveryKey });
  // Its connections are its own, because it ends all of them when it no longer leads.
  const deliveries = createOutbound(outboundOptions);
  const queues: RunningPool[] = [];
  const started: { stop(): Promise<void> }[] = [
    startWebhookPump({
      databaseUrl,
      clock,
      logger,
      transport: deliveries,
      signingKey: deliveryKey,
      source: machineApiOrigin,
    }),
  ];
  const stop = async () => {
    // A receiver may take longer than a job has for its end.
    outbound.destroy();
    await Promise.all(started.map((pool) => pool.stop()));
    outbound.destroy();
  };
  try {
    for (const pool of pools) {
      const { name, concurrency, schedules } = pool;
      const times = schedules ? crontab : '';
      const queue = await startPool({ name, concurrency, tasks: tasksOf(pool, tasks), crontab: times, databaseUrl, logger, pollInterval });
      queues.push(queue);
      started.push(queue);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop, running: () => queues.every((queue) => queue.running()) };
}
