import { setTimeout as delay } from 'node:timers/promises';
import { Installation } from './Installation.ts';
import { aligned } from './load/Tally.ts';
import { missing } from './judge.ts';

const answered = new Set(['200', '304']);

/**
 * Two of each process are restarted one after the other under 50 requests a second on kept-alive connections. Nobody notices: no request fails, no
 * connection is reset, and whoever redeemed a code was told.
 */
export async function runRollingRestart(quick: boolean): Promise<string[]> {
  const installation = await Installation.open();
  try {
    const load = await installation.load();
    load.start();
    await delay(quick ? 2_000 : 5_000);
    const rows = [['', 'exit code', 'stopped after s', 'ready after s']];
    const faults: string[] = [];
    for (const one of installation.processes) {
      const { code, seconds } = await one.stop();
      const began = Date.now();
      await one.start();
      await installation.untilLed();
      rows.push([one.name, String(code), seconds.toFixed(1), ((Date.now() - began) / 1_000).toFixed(1)]);
      if (code !== 0) faults.push(`${one.name} ended with ${code}`);
      await delay(quick ? 500 : 2_000);
    }
    await delay(2_000);
    await load.stop();
    console.log(`${aligned(rows)}\n\n${load.tally.table()}`);
    for (const { kind, result, detail } of load.tally.unexpected(answered)) faults.push(`${kind}: ${result} ${detail}`);
    faults.push(...(await missing(installation, load)));
    const untold = await installation.rows<{ id: string }>('select id from connection where created_at >= $1 and not id = any($2)', [
      load.startedAt,
      [...load.acknowledged.connections],
    ]);
    console.log(`  ${load.acknowledged.connections.size} redemptions answered with 200, ${untold.length} committed without an answer`);
    for (const { id } of untold) faults.push(`${id} was redeemed, and its caller was not told`);
    return faults;
  } finally {
    await installation.close();
  }
}
