import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { makeKit } from './makeKit.mjs';
import { buildUnlessUnchanged } from './unlessUnchanged.mjs';

/*
 * Makes the operators' package as npm installs it, the folder dist/svc-operator-kit, and in dist/packages what the portal serves: a tarball of
 * each version, and versions.json. A version that has been released (scripts/cutRelease.mjs keeps it in kit/released) is served as it was.
 */
const folder = 'dist/svc-operator-kit';
const packages = 'dist/packages';
const released = 'kit/released';
const { version: current } = JSON.parse(readFileSync('kit/package.json', 'utf8'));
const fileOf = (version) => `svc-operator-kit-${version}.tgz`;
const run = (command, ...args) => spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] }).status ?? 1;

async function build() {
  rmSync(packages, { recursive: true, force: true });
  mkdirSync(packages, { recursive: true });
  const made = await makeKit(folder);
  if (made !== 0) return made;
  if (existsSync(released)) cpSync(released, packages, { recursive: true });
  const packed = existsSync(`${packages}/${fileOf(current)}`)
    ? 0
    : run('npm', 'pack', `./${folder}`, '--pack-destination', packages, '--silent');
  if (packed === 0) writeFileSync(`${packages}/versions.json`, `${JSON.stringify(versions(), undefined, 2)}\n`);
  return packed;
}

/** What is served, the newest first. */
function versions() {
  const changelog = readFileSync('kit/CHANGELOG.md', 'utf8');
  return readdirSync(packages)
    .map((file) => /^svc-operator-kit-(.+)\.tgz$/.exec(file)?.[1])
    .filter((version) => version !== undefined)
    .sort((one, other) => other.localeCompare(one, 'en', { numeric: true }))
    .map((version) => {
      const file = `${packages}/${fileOf(version)}`;
      const bytes = readFileSync(file);
      const manifest = spawnSync('tar', ['-xzOf', file, 'package/package.json'], { encoding: 'utf8' });
      const released_on = changelog
        .split('\n')
        .find((line) => line.startsWith(`## ${version}, `))
        ?.slice(-'2026-11-28'.length);
      if (released_on === undefined) throw new Error(`kit/CHANGELOG.md has no line “## ${version}, DATE”.`);
      const sha512 = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
      return { version, sha512, size: bytes.length, node: JSON.parse(manifest.stdout).engines.node, released_on };
    });
}

await buildUnlessUnchanged({
  what: 'the operator kit',
  sources: ['kit', 'tsconfig.json', 'scripts/buildKit.mjs', 'scripts/makeKit.mjs', 'package-lock.json'],
  built: `${packages}/versions.json`,
  record: 'dist/kit.built',
  build,
});
