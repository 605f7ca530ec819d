import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { Installation } from './Installation.ts';
import { missing } from './judge.ts';
import type { LoadReport } from './load/LoadReport.ts';

const answered = new Set(['200', '304', '429', '503']);
const bound = 3_000;

/**
 * The primary's processes are killed with SIGKILL under load, and a second later the synchronous standby is promoted, as a cluster manager does once it
 * has noticed. Everybody is told to come back until then, is served again within three seconds, and nothing that was acknowledged is lost.
 */
export async function runFailover(quick: boolean): Promise<string[]> {
  const installation = await Installation.open({ standby: true });
  try {
    const load = await installation.load();
    load.start();
    await delay(quick ? 4_000 : 15_000);
    const killedAt = performance.now();
    await installation.postgres.primary.kill();
    await delay(1_000);
    await installation.postgres.promote();
    const promotedAt = performance.now();
    await delay(quick ? 8_000 : 20_000);
    await load.stop();
    console.log(`${load.report.table()}\n`);
    const faults = load.report.unexpected(answered).map(({ kind, result, detail }) => `${kind}: ${result} ${detail}`);
    faults.push(...backAgain(load.report, killedAt, promotedAt));
    faults.push(...(await missing(installation, load)));
    for (const one of installation.processes) if (!(await one.ready())) faults.push(`${one.name} is not ready`);
    return faults;
  } finally {
    await installation.close();
  }
}

/** What the portal answers; everything else is the machine API's. */
const ofPortal = new Set(['viewer', 'upsert', 'createLinkCode', 'revokeShare']);

/**
 * When each kind of request got its first success after the promotion, and when the last one was refused. Each server has to serve again within the bound,
 * and to refuse nothing that begins later. Codes are redeemed once new ones have been made, so a single kind may come later.
 */
export function backAgain(report: LoadReport, lostAt: number, backAt: number): string[] {
  const seconds = (at: number) => ((at - backAt) / 1_000).toFixed(2);
  const firsts = { portal: Infinity, 'machine API': Infinity };
  const faults: string[] = [];
  for (const [kind, ended] of Map.groupBy(report.all, (one) => one.kind)) {
    const first = ended.find((one) => one.began > backAt && (one.result === '200' || one.result === '304'))?.ended ?? Infinity;
    const server = ofPortal.has(kind) ? 'portal' : 'machine API';
    firsts[server] = Math.min(firsts[server], first);
    const refusals = ended.filter((one) => one.result === '503' && one.ended > lostAt);
    const last = refusals.length === 0 ? '–' : seconds(Math.max(...refusals.map((one) => one.ended)));
    console.log(`  ${kind.padEnd(15)} ${refusals.length} × 503, the last ${last} s, the first success ${seconds(first)} s after`);
    if (refusals.some((one) => one.began - backAt > bound)) faults.push(`${kind} was refused more than ${bound / 1_000} s later`);
  }
  for (const [server, first] of Object.entries(firsts)) {
    if (first - backAt > bound) faults.push(`the ${server} served nobody within ${bound / 1_000} s`);
  }
  return faults;
}
