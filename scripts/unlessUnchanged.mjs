import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const filesOf = (source) =>
  statSync(source).isFile()
    ? [source]
    : readdirSync(source, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name))
        .sort();

function digestOf(sources) {
  const hash = createHash('sha256');
  for (const file of sources.flatMap(filesOf)) {
    const content = readFileSync(file);
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/**
 * Builds something and notes in `record` what it was made of. With --unless-unchanged it does so only if any of `sources` is not as it was at
 * the last build, or if somebody else has made the file `built` since, and then says `what` it builds. `build` returns an exit code, which becomes
 * this process's.
 */
export async function buildUnlessUnchanged({ what, sources, built, record, build }) {
  const digest = digestOf(sources);
  const isBuilt = () => {
    try {
      return readFileSync(record, 'utf8') === `${digest} ${statSync(built).mtimeMs}`;
    } catch {
      return false;
    }
  };
  if (process.argv.includes('--unless-unchanged')) {
    if (isBuilt()) return;
    process.stdout.write(`Building ${what}…\n`);
  }
  rmSync(record, { force: true });
  const status = await build();
  if (status === 0) writeFileSync(record, `${digest} ${statSync(built).mtimeMs}`);
  process.exitCode = status ?? 1;
}
