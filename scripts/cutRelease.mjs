import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/*
 * Puts a release on record, so that the next one is tested against it: its version in package.json, its migrations in migrations/releases.json,
 * where they never change again, what was built of it, with the rights that its processes need, in tests/fixtures, and the operators' package of
 * this version in kit/released, from where it is served as it is from now on. Commit and tag the result (docs/adding.md, “A release”).
 */
const [version = ''] = process.argv.slice(2);
const record = 'migrations/releases.json';
const releases = JSON.parse(readFileSync(record, 'utf8'));
const numbers = (text) => text.split('.').map(Number);
const isLater = (text, than) => {
  const place = numbers(text).findIndex((number, each) => number !== numbers(than)[each]);
  return place >= 0 && numbers(text)[place] > numbers(than)[place];
};
if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error('Give the version of the release, such as 1.2.0.');
const last = releases.at(-1);
if (last && !isLater(version, last.version)) throw new Error(`The last release is ${last.version}; give a later version.`);

const run = (command, ...args) => {
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
};
run('npm', 'version', version, '--no-git-tag-version', '--allow-same-version');
// What is left of earlier builds belongs to no release.
rmSync('dist', { recursive: true, force: true });
run('npm', 'run', '--silent', 'build:server');
run('npm', 'run', '--silent', 'build:kit');
cpSync('dist/packages', 'kit/released', { recursive: true, filter: (path) => !path.endsWith('.json') });
mkdirSync('tests/fixtures', { recursive: true });
run(process.execPath, 'scripts/packRelease.mjs', 'tests/fixtures/release-before.gz');
const { tables, functions, rows } = await import('../dist/server/database/roles/grants.js');
const rights = 'tests/fixtures/rights-before.json';
writeFileSync(rights, JSON.stringify({ tables, functions, rows }));
run('npm', 'exec', '--', 'oxfmt', rights);
const { migrationsList } = await import('../dist/migrations/migrationsList.js');
const checksum = (name) =>
  createHash('sha256')
    .update(readFileSync(`migrations/${name}.sql`))
    .digest('hex');
releases.push({ version, migrations: Object.fromEntries(migrationsList.map(({ name }) => [name, checksum(name)])) });
writeFileSync(record, `${JSON.stringify(releases, undefined, 2)}\n`);
