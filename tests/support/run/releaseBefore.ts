import { spawn, spawnSync } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { Rights } from '../../../server/database/roles/grants.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A release on record, with the checksum of each of its migrations (`scripts/cutRelease.mjs`). */
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

/**
 * Unpacks what was built of the last release into `folder`, beside this clone's packages. As long as there is no release, it is what is built of
 * this one.
 */
export async function unpackReleaseBefore(folder: string): Promise<void> {
  let packed = join(root, 'tests/fixtures/release-before.gz');
  if ((await recordedReleases()).length === 0) {
    packed = join(folder, 'present.gz');
    for (const [script, argument] of [
      ['buildServer', '--unless-unchanged'],
      ['packRelease', packed],
    ] as const) {
      const { status, stderr } = spawnSync(process.execPath, [`scripts/${script}.mjs`, argument], { cwd: root, encoding: 'utf8' });
      if (status !== 0) throw new Error(`${script} failed: ${stderr}`);
    }
  }
  const contents = JSON.parse(gunzipSync(await readFile(packed)).toString()) as Record<string, string>;
  for (const [path, content] of Object.entries(contents)) {
    const file = join(folder, 'dist', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, Buffer.from(content, 'base64'));
  }
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
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
