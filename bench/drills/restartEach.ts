import { setTimeout as delay } from 'node:timers/promises';
import type { Installation } from './Installation.ts';

/** What a restart of every process showed: a row for each of them, and what should not have been. */
export type Restarts = { readonly rows: readonly string[][]; readonly faults: readonly string[] };

/** Stops and starts each process in turn, from another release's folder if one is given, and waits after each for `pause` milliseconds. */
export async function restartEach(installation: Installation, { pause, release }: { pause: number; release?: string }): Promise<Restarts> {
  const rows: string[][] = [];
  const faults: string[] = [];
  for (const one of installation.processes) {
    const { code, seconds } = await one.stop();
    const began = Date.now();
    if (release !== undefined) one.release = release;
    await one.start();
    await installation.untilLed();
    rows.push([one.name, String(code), seconds.toFixed(1), ((Date.now() - began) / 1_000).toFixed(1)]);
    if (code !== 0) faults.push(`${one.name} ended with ${code}`);
    await delay(pause);
  }
  return { rows, faults };
}
