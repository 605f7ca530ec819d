import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
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
 * Under 50 requests a second, follows docs/operating.md (“Upgrade”) from this release to the one that NEXT_RELEASE names, and back: the next release's
 * program migrates, each process is started again from it, then each from this release, whose own migration changes nothing. Nobody who calls notices.
 */
export async function runUpgrade(quick: boolean): Promise<string[]> {
  const named = process.env['NEXT_RELEASE'];
  if (named === undefined) return ['NEXT_RELEASE must name the archive of the next release, or its folder with dist/ and node_modules/.'];
  const installation = await Installation.open();
  try {
    const nextRelease = await unpacked(named, installation.folder);
    const load = await installation.load();
    load.start();
    await delay(2_000);
    const faults = await thereAndBack(installation, nextRelease, quick ? 500 : 2_000);
    await delay(2_000);
    await load.stop();
    console.log(`\n${load.report.table()}`);
    for (const { kind, result, detail } of load.report.unexpected(answered)) faults.push(`${kind}: ${result} ${detail}`);
    faults.push(...(await missing(installation, load)));
    return faults;
  } finally {
    await installation.close();
  }
}

/** Upgrades to the release and rolls back again. Prints what the steps said, and returns what should not have been. */
export async function thereAndBack(installation: Installation, nextRelease: string, pause: number): Promise<string[]> {
  const faults: string[] = [];
  for (const [name, release] of [
    ['upgrade', nextRelease],
    ['roll back', thisRelease],
  ] as const) {
    console.log([`${name}: migrate`, ...(await migrateWith(release, installation.ownerUrl))].join('\n'));
    const restarts = await restartEach(installation, { pause, release });
    console.log(aligned([[name, 'exit code', 'stopped after s', 'ready after s'], ...restarts.rows]));
    faults.push(...restarts.faults);
  }
  return faults;
}

/** The built programs of a release: of the folder that is named, or of what is in the archive, with its packages. */
export async function unpacked(name: string, into: string): Promise<string> {
  const named = path.resolve(name);
  if (!named.endsWith('.tar.gz')) return path.join(named, 'dist');
  const folder = path.join(into, 'next-release');
  await mkdir(folder);
  await promisify(execFile)('tar', ['-xzf', named, '-C', folder, '--strip-components=1']);
  await promisify(execFile)('npm', ['ci', '--omit=dev'], { cwd: folder });
  return path.join(folder, 'dist');
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
