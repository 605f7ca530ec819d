import { readdir, readFile } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { backAgain } from './failover.ts';
import { Installation } from './Installation.ts';
import { missing } from './judge.ts';
import type { Load } from './load/Load.ts';
import { aligned } from './load/LoadReport.ts';
import { restartEach } from './restartEach.ts';
import { thereAndBack, unpacked } from './upgrade.ts';

const minute = 60_000;
/** Of what the machine answers while it keeps up. */
const share = 0.6;
const answered = new Set(['200', '304']);
/** Tables whose rows come and go, so that they must not grow; all others keep what happened. */
const passing = [
  'client',
  'client_quota',
  'client_activity',
  'certificate_activity',
  'redeem_source',
  'attempt_window',
  'portal_session',
  'health_judgement',
  'graphile_worker._private_jobs',
];
/** How much larger the last third of the steady time may be than its first. */
const flat = 1.15;

/**
 * An hour (SOAK_MINUTES) at 60 % of what the machine answers. In the first third all processes are restarted, the release that NEXT_RELEASE names is installed and
 * taken back, and the primary is lost; the rest is steady. Nothing that was acknowledged is lost, nothing is refused outside the loss of the
 * primary, and memory, descriptors and tables whose rows come and go stay as they are.
 */
export async function runSoak(quick: boolean): Promise<string[]> {
  const length = Number(process.env['SOAK_MINUTES'] ?? (quick ? 3 : 60)) * minute;
  const nextRelease = process.env['NEXT_RELEASE'];
  const installation = await Installation.open({ standby: true });
  try {
    const next = nextRelease === undefined ? null : await unpacked(nextRelease, installation.folder);
    const load = await installation.load();
    load.start();
    load.rate = Math.floor(share * (await capacity(load, quick)));
    // What the search has piled up is no part of what is judged.
    load.report.beginAgain();
    const began = performance.now();
    const until = (part: number) => delay(Math.max(0, began + length * part - performance.now()));
    const faults: string[] = [];
    await until(0.05);
    const restarts = await restartEach(installation, { pause: 2_000 });
    console.log(aligned([['restart', 'exit code', 'stopped after s', 'ready after s'], ...restarts.rows]));
    faults.push(...restarts.faults);
    if (next === null) console.log('  no upgrade: NEXT_RELEASE names none');
    else faults.push(...(await thereAndBack(installation, next, 2_000)));
    await until(0.25);
    const killedAt = performance.now();
    await installation.postgres.primary.kill();
    await delay(1_000);
    await installation.postgres.promote();
    const promotedAt = performance.now();
    await delay(5_000);
    await until(1 / 3);
    const samples: Sample[] = [];
    while (performance.now() < began + length) {
      samples.push(await sampleOf(installation));
      await delay(length / 120);
    }
    await load.stop();
    console.log(`\n${load.report.table()}\n`);
    for (const { kind, result, detail, ended } of load.report.unexpected(answered)) {
      const isLoss = ended > killedAt && ended < promotedAt + 3_000 && result === '503';
      if (!isLoss) faults.push(`${kind}: ${result} ${detail}, after ${((ended - began) / 1_000).toFixed(0)} s`);
    }
    faults.push(...backAgain(load.report, killedAt, promotedAt));
    faults.push(...(await missing(installation, load)));
    faults.push(...grown(samples));
    return faults;
  } finally {
    await installation.close();
  }
}

/** Requests a second that are answered while a load rises by a quarter at a time, until fewer than nine of ten that are due come back. */
async function capacity(load: Load, quick: boolean): Promise<number> {
  let most = 0;
  for (let rate = load.rate; ; rate *= 1.25) {
    load.rate = rate;
    const [before, since] = [load.report.all.length, performance.now()];
    await delay(quick ? 3_000 : 10_000);
    const answers = ((load.report.all.length - before) * 1_000) / (performance.now() - since);
    most = Math.max(most, answers);
    if (answers < rate * 0.9) break;
  }
  load.rate = most / 4;
  while (load.pending > most / 10) await delay(200);
  console.log(`  ${most.toFixed(0)} requests a second are kept up with; the load is ${(most * share).toFixed(0)}`);
  return most;
}

/** Figures by what they are about. */
type Sample = Readonly<Record<string, number>>;

async function sampleOf(installation: Installation): Promise<Sample> {
  const found: Record<string, number> = {};
  for (const { name, pid } of installation.processes) {
    if (pid === undefined) continue;
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    found[`${name}, resident MiB`] = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024;
    found[`${name}, descriptors`] = (await readdir(`/proc/${pid}/fd`)).length;
  }
  const tables = await installation.rows<{ name: string; bytes: number }>(
    'select name, pg_total_relation_size(name::regclass)::float8 as bytes from unnest($1::text[]) name',
    [passing],
  );
  for (const { name, bytes } of tables) found[`${name}, MiB`] = bytes / 1_024 ** 2;
  return found;
}

/** Prints the medians of the first and the last third, and returns what has grown. */
function grown(samples: readonly Sample[]): string[] {
  const third = Math.ceil(samples.length / 3);
  const median = (some: readonly Sample[], name: string) =>
    some.map((each) => each[name] ?? 0).toSorted((a, b) => a - b)[some.length >> 1] ?? 0;
  const names = Object.keys(samples[0] ?? {});
  const rows = names.map((name) => ({ name, first: median(samples.slice(0, third), name), last: median(samples.slice(-third), name) }));
  console.log(
    `\n${aligned([['', 'first third', 'last third'], ...rows.map(({ name, first, last }) => [name, first.toFixed(1), last.toFixed(1)])])}`,
  );
  // A table of a few pages, and the descriptors of an idle process, vary by more than a part of them.
  return rows
    .filter(({ first, last }) => last > first * flat + 2)
    .map(({ name, first, last }) => `${name} grew from ${first.toFixed(1)} to ${last.toFixed(1)}`);
}
