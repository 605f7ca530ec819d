import { execFile } from 'node:child_process';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Packs what this run has built as a release is given out, with SHA256SUMS beside it. Resolves with the archive's path. */
export async function packPresent(folder: string): Promise<string> {
  const { stdout } = await run(process.execPath, [join(root, 'scripts/release/makeArchive.ts'), folder], { cwd: root });
  return stdout.trim();
}

/** What a release's archive is called, without its ending, is also the one folder in it. */
export const releaseOf = (archive: string): string => basename(archive, '.tar.gz');

/** Unpacks an archive into `folder`, without the folder that everything in it lies in. */
export async function unpack(archive: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await run('tar', ['-xzf', archive, '-C', folder, '--strip-components=1']);
}

type Lock = { readonly packages: Readonly<Record<string, { readonly dev?: boolean }>> };

/**
 * Puts an `npm` into the folder `bin` that does without a network: `npm ci --omit=dev` gives the folder that it is called in the packages of
 * production from this clone. There are no sources, and nothing above it that a program could find instead.
 */
export async function standInForNpm(bin: string): Promise<void> {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as Lock;
  const needed = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true);
  // A package brings those below it; those that only development needs do no harm there.
  const uppermost = needed.map(([path]) => path).filter((path) => !path.includes('/node_modules/'));
  const paths = [...uppermost, 'node_modules/.bin'];
  const parents = [...new Set(paths.map((path) => dirname(path)))];
  await mkdir(bin, { recursive: true });
  const [one, other] = await Promise.all([stat(join(root, 'node_modules')), stat(bin)]);
  // Hard links where the file system is the same, because nothing writes to them.
  const how = one.dev === other.dev ? '-al' : '-a';
  const script = `#!/bin/sh
if [ "$*" != 'ci --omit=dev' ]; then exit 0; fi
mkdir -p ${parents.join(' ')}
for path in ${paths.join(' ')}; do if [ -e "${root}$path" ]; then cp ${how} "${root}$path" "$path" || exit; fi; done
`;
  await writeFile(join(bin, 'npm'), script, { mode: 0o755 });
}
