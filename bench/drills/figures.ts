import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';
import { Installation } from './Installation.ts';
import type { Kind } from './load/Load.ts';
import { aligned } from './load/LoadReport.ts';

const kinds = [
  ['sync', 'conditional poll (304)'],
  ['page', 'page of 200 orders'],
  ['order', 'one order'],
  ['newConnection', 'capabilities, each on a new connection'],
  ['viewer', 'portal: who am I'],
  ['upsert', 'tooling: one order'],
  ['createLinkCode', 'tooling: a link code'],
  ['redeem', 'redemption'],
  ['revokeShare', 'tooling: a revocation'],
  ['acknowledge', 'acknowledgement'],
] as const satisfies readonly (readonly [Kind, string])[];
const callers = 16;
/** Of `/proc/<pid>/stat`, which does not change with the machine. */
const ticksPerSecond = 100;

/**
 * What each kind of request costs when 16 callers send nothing else: answers a second on this machine, how long they take, and how much processor
 * time of the service and of PostgreSQL goes into each, which is what a core of one's own is divided by.
 */
export async function runFigures(quick: boolean): Promise<string[]> {
  const installation = await Installation.open();
  try {
    const load = await installation.load();
    const rows: string[][] = [];
    const faults: string[] = [];
    for (const [kind, words] of kinds) {
      // Codes, connections and revocations of one turn are what the next ones use up; the first second warms up.
      await load.insistOn(kind, { callers, milliseconds: 1_000 });
      load.report.beginAgain();
      const [before, began] = [await processorTime(installation), performance.now()];
      await load.insistOn(kind, { callers, milliseconds: quick ? 2_000 : 15_000 });
      const [after, seconds] = [await processorTime(installation), (performance.now() - began) / 1_000];
      const answered = load.report.all;
      const count = answered.length;
      const times = answered.map((one) => one.ended - one.began).toSorted((a, b) => a - b);
      const at = (part: number) => (times[Math.ceil(count * part) - 1] ?? 0).toFixed(1);
      const [service, database] = [after.service - before.service, after.database - before.database].map((total) => total / count);
      const cost = (service ?? 0) + (database ?? 0);
      rows.push([
        words,
        String(count),
        (count / seconds).toFixed(0),
        at(0.5),
        at(0.95),
        at(0.99),
        ...[service, database].map((each) => (each ?? 0).toFixed(2)),
        (1_000 / cost).toFixed(0),
      ]);
      for (const { result, detail } of load.report.unexpected(new Set(['200', '304']))) faults.push(`${kind}: ${result} ${detail}`);
    }
    await load.stop();
    console.log(`  ${availableParallelism()} cores, which the callers use too\n`);
    console.log(
      aligned([['', 'answered', 'a second', 'p50 ms', 'p95', 'p99', 'ms of service', 'of PostgreSQL', 'a second and core'], ...rows]),
    );
    return faults;
  } finally {
    await installation.close();
  }
}

/** Milliseconds of processor time since the start, of the service's processes and of PostgreSQL's. */
async function processorTime({ processes, postgres }: Installation): Promise<Record<'service' | 'database', number>> {
  const sum = async (pids: readonly number[]) => (await Promise.all(pids.map(timeOf))).reduce((total, each) => total + each, 0);
  return { service: await sum(processes.flatMap(({ pid }) => pid ?? [])), database: await sum(await postgres.primary.processes()) };
}

/** Of a process and of its children that have ended. */
async function timeOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const times = status
    .slice(status.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15);
  return (times.reduce((total, each) => total + Number(each), 0) * 1_000) / ticksPerSecond;
}
