import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { createDatabase } from '../createDatabase.ts';
import { alternate, type Effort, median, ratioOf, type Result } from '../measure.ts';
import type { RequesterTask } from '../programs/certificateRequester.ts';
import type { World } from '../world.ts';
import { createRequestingClients } from './requestingClients.ts';

const target = 0.1;
/** How many requests a second and process are prepared for: more than any machine makes. */
const preparedPerSecond = 1_000;

/**
 * Certificates from `requestCertificate` to usable, through the queue, against bare ECDSA P-256 signatures: as many requesting processes,
 * worker processes and signing processes as the machine has cores.
 */
export async function measureIssuing(world: World, effort: Effort): Promise<Result[]> {
  const processes = availableParallelism();
  const databaseUrl = await createDatabase(world.databaseUrl, 'bench_issuing');
  const db = new pg.Client({ connectionString: databaseUrl });
  await db.connect();
  const workers = Array.from({ length: processes }, () => world.start('certificateWorker'));
  const requesters = Array.from({ length: processes }, () => world.start('certificateRequester'));
  const signers = Array.from({ length: processes }, () => world.start('bareSigner'));
  try {
    const signingKeyHex = randomBytes(32).toString('hex');
    for (const worker of workers) await worker.ask({ databaseUrl, signingKeyHex });
    const perRound = Math.ceil((effort.milliseconds / 1000) * preparedPerSecond);
    const clients = await createRequestingClients(databaseUrl, perRound * processes * (effort.rounds + 1));
    await Promise.all(requesters.map((requester) => requester.ask({ kind: 'connect', databaseUrl } satisfies RequesterTask)));
    const ask = (task: (index: number) => RequesterTask) =>
      Promise.all(requesters.map((requester, index) => requester.ask<number>(task(index))));
    const rates = await alternate(
      {
        issued: async (milliseconds) => {
          await ask(() => ({ kind: 'prepare', clients: clients.splice(0, perRound) }));
          const began = performance.now();
          const requested = await ask(() => ({ kind: 'request', milliseconds }));
          await allUsable(db);
          return (sum(requested) / (performance.now() - began)) * 1000;
        },
        signed: async (milliseconds) => sum(await Promise.all(signers.map((signer) => signer.ask<number>(milliseconds)))),
      },
      effort,
    );
    const figures = `${median(rates.issued).toFixed(0)} certificates/s, ${median(rates.signed).toFixed(0)} signatures/s; ${processes} × 3 processes`;
    const name = 'certificates issued / bare ECDSA P-256 signatures';
    return [{ section: 'certificates', name, ratio: ratioOf(rates.issued, rates.signed), target: { atLeast: target }, figures }];
  } finally {
    for (const child of [...requesters, ...signers, ...workers]) await child.stop();
    await db.end();
  }
}

/** Waits until no request is waiting any more. Throws if any certificate could not be issued. */
async function allUsable(db: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await db.query<{ pending: boolean; failed: boolean }>(
      `select exists (select 1 from certificate where status = 'pending') as pending, exists (select 1 from certificate where status = 'failed') as failed`,
    );
    if (rows[0]?.failed) throw new Error('A certificate could not be issued.');
    if (!rows[0]?.pending) return;
    await delay(5);
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
