import { execFile } from 'node:child_process';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));

type Lock = { readonly packages: Readonly<Record<string, { readonly dev?: boolean }>> };

/**
 * What docs/operating/install.md has you deploy, in an empty folder: what is built, the packages of production alone, and the files for servers.
 * There are no sources, and nothing above it that a program could find instead.
 */
export async function deployTree(folder: string): Promise<void> {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as Lock;
  const needed = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true);
  // A package brings those below it; those that only development needs do no harm there.
  const uppermost = needed.map(([path]) => path).filter((path) => !path.includes('/node_modules/'));
  const paths = [...uppermost, 'node_modules/.bin', 'dist', 'operations', 'package.json'];
  for (const parent of new Set(paths.map((path) => dirname(path)))) await mkdir(join(folder, parent), { recursive: true });
  // Hard links where the file system is the same, because nothing here writes to them.
  const [one, other] = await Promise.all([stat(root), stat(folder)]);
  const copying = `cd "$1" && to=$2 && how=$3 && shift 3 && for path; do if [ -e "$path" ]; then cp "$how" "$path" "$to/$path" || exit; fi; done`;
  await run('sh', ['-c', copying, 'sh', root, folder, one.dev === other.dev ? '-al' : '-a', ...paths]);
}
