import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * Builds the pages into dist/portal-web. With --unless-unchanged it does so only if anything that they are made of is not as it was at the
 * last build, or if somebody else has built them since.
 */
const sources = ['portal-web', 'docs/guides', 'package-lock.json'];
const built = 'dist/portal-web/index.html';
const record = 'dist/portal-web.built';

const filesOf = (source) =>
  statSync(source).isFile()
    ? [source]
    : readdirSync(source, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name))
        .sort();

function digest() {
  const hash = createHash('sha256');
  for (const file of sources.flatMap(filesOf)) {
    const content = readFileSync(file);
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function isBuilt(digestNow) {
  try {
    return readFileSync(record, 'utf8') === `${digestNow} ${statSync(built).mtimeMs}`;
  } catch {
    return false;
  }
}

const digestNow = digest();
if (!process.argv.includes('--unless-unchanged') || !isBuilt(digestNow)) {
  rmSync(record, { force: true });
  const { status } = spawnSync('vite', ['build', 'portal-web', '--logLevel', 'warn'], { stdio: 'inherit' });
  if (status === 0) writeFileSync(record, `${digestNow} ${statSync(built).mtimeMs}`);
  process.exitCode = status ?? 1;
}
