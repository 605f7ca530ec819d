import { generateKeyPairSync } from 'node:crypto';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import pg from 'pg';
import { ensureDevelopmentTls } from '../../server/platform/developmentTls.ts';
import { alternate, type Effort, median, ratioOf, type Result } from '../measure.ts';
import type { ReceiverTask } from '../programs/webhookReceiver.ts';
import type { SenderTask } from '../programs/webhookSender.ts';
import type { WebhookWorkerTask } from '../programs/webhookWorker.ts';
import type { World } from '../world.ts';
import { allEnded, createDeliveries, createEndpoints } from './endpoints.ts';
import { measureFirstAttempts } from './firstAttempts.ts';

const target = 0.4;
/** What the guarded way out, with its inspected handshakes, may take from a plain client's rate. */
const guardedTarget = 0.5;
/** Deliveries for each millisecond of a round: about as many as the pump delivers. */
const perMillisecond = 4;
/** What a body of each mode weighs here. */
const bodyBytes = { notification: 320, full_payload: 2_100 } as const;

/** Deliveries with all their state against signed POSTs from memory, and the time from a commit to the first attempt. */
export async function measureWebhooks(world: World, effort: Effort): Promise<Result[]> {
  const db = new pg.Client({ connectionString: world.databaseUrl });
  await db.connect();
  const clients = world.identities.map(({ clientNumber }) => clientNumber);
  const { caPem, certPem, keyPem } = await ensureDevelopmentTls(path.join(world.folder, 'receiver'), ['*.hooks.test']);
  const receiver = world.start('webhookReceiver');
  const port = await receiver.ask<number>({ kind: 'listen', certPem, keyPem, recording: false } satisfies ReceiverTask);
  const sender = world.start('webhookSender');
  const signingPem = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  const layouts = (['notification', 'full_payload'] as const).flatMap((mode) =>
    [1, 100].map((count) => ({
      mode,
      hosts: Array.from({ length: count }, (_, index) => `ok-${mode.slice(0, 4)}-${count}-${index}.hooks.test`),
    })),
  );
  const worker = world.start('webhookWorker');
  const hosts = layouts.flatMap((layout) => layout.hosts);
  await worker.ask({ databaseUrl: world.databaseUrl, keyPem: signingPem, port, caPem, hosts } satisfies WebhookWorkerTask);
  try {
    const results: Result[] = [];
    for (const [index, layout] of layouts.entries()) {
      // A client has only a few endpoints, so the layouts begin with different ones.
      const endpoints = await createEndpoints(db, [...clients.slice(index), ...clients.slice(0, index)], layout.hosts, layout.mode);
      const posts = (milliseconds: number, guarded: boolean): Promise<number> =>
        sender.ask<number>({ milliseconds, port, caPem, hosts: layout.hosts, bytes: bodyBytes[layout.mode], guarded } satisfies SenderTask);
      const rates = await alternate(
        {
          delivered: async (milliseconds) => {
            const count = milliseconds * perMillisecond;
            const before = await receiver.ask<number>({ kind: 'distinct' } satisfies ReceiverTask);
            await createDeliveries(db, endpoints, count);
            const began = performance.now();
            await allEnded(db);
            const rate = (count / (performance.now() - began)) * 1_000;
            const arrived = (await receiver.ask<number>({ kind: 'distinct' } satisfies ReceiverTask)) - before;
            if (arrived !== count) throw new Error(`${arrived} of ${count} events arrived.`);
            return rate;
          },
          guarded: (milliseconds) => posts(milliseconds, true),
          plain: (milliseconds) => posts(milliseconds, false),
        },
        effort,
      );
      const to = `${layout.mode} to ${layout.hosts.length} endpoint${layout.hosts.length === 1 ? '' : 's'}`;
      const guardedFigure = `${median(rates.guarded).toFixed(0)} guarded POSTs/s`;
      results.push(
        {
          section: 'webhooks',
          name: `${to} / signed POSTs from memory, the same way out`,
          ratio: ratioOf(rates.delivered, rates.guarded),
          target: { atLeast: target },
          figures: `${median(rates.delivered).toFixed(0)} deliveries/s, ${guardedFigure}`,
        },
        {
          section: 'webhooks',
          name: `${to}: signed POSTs by the guarded way out / by a plain client`,
          ratio: ratioOf(rates.guarded, rates.plain),
          target: { atLeast: guardedTarget },
          figures: `${guardedFigure}, ${median(rates.plain).toFixed(0)} plain`,
        },
      );
    }
    results.push(await measureFirstAttempts(db, effort));
    return results;
  } finally {
    await db.end();
  }
}
