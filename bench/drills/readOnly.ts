import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { backAgain } from './failover.ts';
import { Installation } from './Installation.ts';
import { missing } from './judge.ts';

const before = new Set(['200', '304']);

/**
 * PostgreSQL answers and refuses every write for ten seconds, as a primary does that has lost its place or fills its disk. Meanwhile everything is 503 with
 * Retry-After and no process is ready; then all goes on without a restart.
 */
export async function runReadOnly(): Promise<string[]> {
  const installation = await Installation.open();
  try {
    const load = await installation.load();
    load.start();
    await delay(4_000);
    const since = performance.now();
    await setReadOnly(installation, 'on');
    await delay(5_000);
    const faults: string[] = [];
    for (const one of installation.processes) {
      const status = await one.readyStatus();
      if (status !== 503) faults.push(`/readyz of ${one.name} says ${status} while nothing can be written`);
    }
    await delay(since + 10_000 - performance.now());
    const until = performance.now();
    await setReadOnly(installation, 'off');
    await delay(8_000);
    await load.stop();
    console.log(`${load.tally.table()}\n`);
    // A setting reaches a session when it is idle, so the first moments belong to neither side.
    for (const { kind, result, retryAfter, detail, began, ended } of load.tally.all) {
      const during = began > since + 1_000 && ended < until;
      const fits = during ? result === '503' && retryAfter : before.has(result) || (result === '503' && retryAfter && ended > since);
      if (!fits) faults.push(`${kind}: ${result} ${detail} ${during ? 'while nothing could be written' : ''}`);
    }
    faults.push(...backAgain(load.tally, since, until));
    faults.push(...(await missing(installation, load)));
    for (const one of installation.processes) if (!(await one.ready())) faults.push(`${one.name} is not ready afterwards`);
    return faults;
  } finally {
    await installation.close();
  }
}

async function setReadOnly({ postgres: { primary } }: Installation, value: 'on' | 'off'): Promise<void> {
  await primary.ask(`alter system set default_transaction_read_only = ${value}`);
  await primary.ask('select pg_reload_conf()');
}
