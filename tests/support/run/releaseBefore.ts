import { spawn } from 'node:child_process';
import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import type { Rights } from '../../../server/database/roles/grants.ts';
import { packPresent, unpack } from './releaseArchive.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A release on record, with the checksum of each of its migrations (`scripts/cutRelease.ts`). */
export type RecordedRelease = { readonly version: string; readonly migrations: Readonly<Record<string, string>> };

/** All releases, the last one last. */
export async function recordedReleases(): Promise<readonly RecordedRelease[]> {
  return JSON.parse(await readFile(join(root, 'migrations/releases.json'), 'utf8')) as RecordedRelease[];
}

/** What its processes need; as long as there is no release, undefined. */
export async function rightsOfReleaseBefore(): Promise<Rights | undefined> {
  if ((await recordedReleases()).length === 0) return undefined;
  return JSON.parse(await readFile(join(root, 'tests/fixtures/rights-before.json'), 'utf8')) as Rights;
}

/** Unpacks the archive of the last release into `folder`, beside this clone's packages. As long as there is no release, it is that of this one. */
export async function unpackReleaseBefore(folder: string): Promise<void> {
  if ((await recordedReleases()).length === 0) return unpackPresent(folder);
  await unpackBesidePackages(join(root, 'tests/fixtures/release-before.tar.gz'), folder);
}

/** The same with what this run has built. */
export async function unpackPresent(folder: string): Promise<void> {
  await unpackBesidePackages(await packPresent(join(folder, 'packed')), folder);
}

async function unpackBesidePackages(archive: string, folder: string): Promise<void> {
  await unpack(archive, folder);
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
}

/**
 * Lets the release before start where a migration bars it, because of rows that it would not tell or send as it should. No such row is made here, and
 * whatever else it does has to work all the same.
 */
export async function liftBars(pool: pg.Pool): Promise<void> {
  await pool.query('update migration set min_release = null');
}

export type RunningProgram = { readonly url: string | undefined; stop(): Promise<number | null> };

/** Starts one of its programs, such as `workers/main`, and resolves when its log says that it works. */
export async function startProgram(folder: string, program: string, env: Readonly<Record<string, string>>): Promise<RunningProgram> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(folder, 'dist', `${program}.js`)], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  let complaint = '';
  child.stderr.on('data', (text) => (complaint += String(text)));
  const url = await new Promise<string | undefined>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      const { msg, url: told } = JSON.parse(line) as { msg: string; url?: string };
      if (/\.(listening|running)$/.test(msg)) resolve(told);
    });
    void ended.then((exitCode) => reject(new Error(`${program} ended with ${exitCode}: ${complaint}`)));
  });
  return {
    url,
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
