import { createPrivateKey } from 'node:crypto';
import { systemClock } from '../../server/platform/clock.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { createOutbound } from '../../server/platform/outbound/createOutbound.ts';
import { startWebhookPump } from '../../workers/webhooks/startWebhookPump.ts';
import { answerTasks } from './childProcess.ts';

export type WebhookWorkerTask = {
  readonly databaseUrl: string;
  readonly keyPem: string;
  readonly port: number;
  readonly caPem: string;
  readonly hosts: readonly string[];
  /** How fast its clock runs from this instant on, so that retries come sooner. */
  readonly clock?: { readonly from: number; readonly speed: number };
};

/** The part of a worker process that delivers webhooks, to receivers on this machine. */
answerTasks((message) => {
  const { databaseUrl, keyPem, port, caPem, hosts, clock } = message as WebhookWorkerTask;
  // As long as a thumbprint.
  const key = { kid: 'bench'.padEnd(43, '0'), privateKey: createPrivateKey(keyPem) };
  const address = { address: '127.0.0.1', port };
  const transport = createOutbound({ developmentHosts: { hosts: new Map(hosts.map((host) => [host, address])), caPem } });
  const pump = startWebhookPump({
    databaseUrl,
    clock: clock ? { now: () => new Date(clock.from + (Date.now() - clock.from) * clock.speed) } : systemClock,
    logger: createLogger('workers', 'info'),
    transport,
    signingKey: () => Promise.resolve(key),
    source: () => 'https://api.example',
  });
  process.on('SIGTERM', () => void pump.stop().then(() => process.exit(0)));
  return Promise.resolve(true);
});
