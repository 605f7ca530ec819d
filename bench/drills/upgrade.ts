import { execFile } from 'node:child_process';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Installation } from './Installation.ts';
import { aligned } from './load/LoadReport.ts';
import { missing } from './judge.ts';
import { restartEach } from './restartEach.ts';
import { thisRelease } from './ServiceProcess.ts';

const answered = new Set(['200', '304']);

/**
 * Under 50 requests a second, follows docs/operating.md (“Upgrade”) from this release to the one whose folder NEXT_RELEASE names, and back: the next release's
 * program migrates, each process is started again from it, then each from this release, whose own migration changes nothing. Nobody who calls notices.
 */
export async function runUpgrade(quick: boolean): Promise<string[]> {
  const folder = process.env['NEXT_RELEASE'];
  if (folder === undefined) return ['NEXT_RELEASE must name the folder of the next release, with its dist/ and node_modules/.'];
  const nextRelease = path.resolve(folder, 'dist');
  const installation = await Installation.open();
  try {
    const load = await installation.load();
    load.start();
    await delay(2_000);
    const faults: string[] = [];
    const said: string[] = [];
    for (const [name, release] of [
      ['upgrade', nextRelease],
      ['roll back', thisRelease],
    ] as const) {
      said.push(`${name}: migrate`, ...(await migrateWith(release, installation.ownerUrl)));
      const restarts = await restartEach(installation, { pause: quick ? 500 : 2_000, release });
      said.push(aligned([[name, 'exit code', 'stopped after s', 'ready after s'], ...restarts.rows]));
      faults.push(...restarts.faults);
    }
    await delay(2_000);
    await load.stop();
    console.log(`${said.join('\n')}\n\n${load.report.table()}`);
    for (const { kind, result, detail } of load.report.unexpected(answered)) faults.push(`${kind}: ${result} ${detail}`);
    faults.push(...(await missing(installation, load)));
    return faults;
  } finally {
    await installation.close();
  }
}

/** Runs a release's `migrate`. Resolves with the lines that it printed; rejects if it did not exit with 0. */
async function migrateWith(release: string, ownerUrl: string): Promise<string[]> {
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', path.join(release, 'server/migrate.js')],
    { env: { PATH: process.env['PATH'], MIGRATION_DATABASE_URL: ownerUrl } },
  );
  return `${stdout}${stderr}`.split('\n').filter((line) => line !== '');
}
