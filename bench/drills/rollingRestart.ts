import { setTimeout as delay } from 'node:timers/promises';
import { Installation } from './Installation.ts';
import { aligned } from './load/LoadReport.ts';
import { missing } from './judge.ts';
import { restartEach } from './restartEach.ts';

const answered = new Set(['200', '304']);

/**
 * Two of each process are restarted one after the other under 50 requests a second on kept-alive connections. Nobody notices: no request fails, no
 * connection is reset, and the client that redeemed a code was told.
 */
export async function runRollingRestart(quick: boolean): Promise<string[]> {
  const installation = await Installation.open();
  try {
    const load = await installation.load();
    load.start();
    await delay(quick ? 2_000 : 5_000);
    const restarts = await restartEach(installation, { pause: quick ? 500 : 2_000 });
    const faults = [...restarts.faults];
    await delay(2_000);
    await load.stop();
    console.log(`${aligned([['', 'exit code', 'stopped after s', 'ready after s'], ...restarts.rows])}\n\n${load.report.table()}`);
    for (const { kind, result, detail } of load.report.unexpected(answered)) faults.push(`${kind}: ${result} ${detail}`);
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
