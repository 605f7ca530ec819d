import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { createDatabase } from '../createDatabase.ts';
import { alternate, type Effort, median, ratioOf, type Result } from '../measure.ts';
import type { RequesterTask } from '../programs/certificateRequester.ts';
import type { StepCaTask } from '../programs/stepCaRequester.ts';
import type { World } from '../world.ts';
import { createRequestingClients } from './requestingClients.ts';
import { startStepCa } from './stepCa.ts';

const target = 0.5;
/** How many requests a second and process are prepared for: more than any machine makes. */
const preparedPerSecond = 1_000;

/**
 * Certificates from `requestCertificate` to usable, through the queue, by as many requesting processes and worker processes as the machine has
 * cores; against those that step-ca signs and stores for as many requesting processes, over 16 connections on two cores. Where it cannot be built,
 * the rate stands alone.
 */
export async function measureIssuing(world: World, effort: Effort): Promise<Result[]> {
  const processes = availableParallelism();
  const databaseUrl = await createDatabase(world.databaseUrl, 'bench_issuing');
  const db = new pg.Client({ connectionString: databaseUrl });
  await db.connect();
  const workers = Array.from({ length: processes }, () => world.start('certificateWorker'));
  const requesters = Array.from({ length: processes }, () => world.start('certificateRequester'));
  const reference = await startStepCa(path.join(world.folder, 'step-ca'));
  const asking = reference ? Array.from({ length: processes }, () => world.start('stepCaRequester')) : [];
  const askStepCa = (task: StepCaTask) => Promise.all(asking.map((each) => each.ask<number>(task)));
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
        stepCa: async (milliseconds) => {
          if (!reference) return 1;
          await askStepCa({ kind: 'prepare', stepCa: reference.stepCa, count: perRound });
          const began = performance.now();
          const signed = await askStepCa({ kind: 'request', milliseconds });
          return (sum(signed) / (performance.now() - began)) * 1000;
        },
      },
      effort,
    );
    const issued = `${median(rates.issued).toFixed(0)} certificates/s; ${processes} × 2 processes`;
    const ratio = ratioOf(rates.issued, rates.stepCa);
    if (!reference)
      return [{ section: 'certificates', name: 'certificates issued a second, without step-ca', ratio, target: null, figures: issued }];
    const figures = `${issued}; step-ca ${median(rates.stepCa).toFixed(0)}/s`;
    return [{ section: 'certificates', name: 'certificates issued / by step-ca', ratio, target: { atLeast: target }, figures }];
  } finally {
    for (const child of [...requesters, ...asking, ...workers]) await child.stop();
    await reference?.stop();
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
