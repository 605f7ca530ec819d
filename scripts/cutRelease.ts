import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { migrationsList } from '../migrations/migrationsList.ts';
import { readConfig } from '../server/config/config.ts';
import { ConfigError } from '../server/config/ConfigError.ts';
import { oldestPostgres } from '../server/database/connection/postgresVersion.ts';
import { functions, rows, tables } from '../server/database/roles/grants.ts';
import { changesText, commitsSince, fileAt, misdated, trailersSince } from './release/changes.ts';
import { makeArchive } from './release/makeArchive.ts';
import { barredBy, newNeeds, notesText, takenAway, type Needs, type Notes } from './release/notes.ts';

/*
 * `npm run cut-release -- 1.2.0`: a commit “Release 1.2.0” with its tag, whose message is the notes, and release/1.2.0 with what is given to those
 * who install it. The commit puts the release on record, so that the next one is tested against it: its version, its section of the changelog, its
 * migrations in migrations/releases.json, where they never change again, its archive with the rights that its processes need in tests/fixtures,
 * and the operators' package of this version in kit/released, from where it is served as it is from now on (docs/adding.md, “A release”).
 *
 * All of it is made in a work tree of its own. Until everything is there, the one that it was called in and its branch are as they were.
 */
type Release = { readonly version: string; readonly migrations: Readonly<Record<string, string>>; readonly needs: Needs };

const record = 'migrations/releases.json';
const guide = 'docs/guides/changelog.md';
const [version = ''] = process.argv.slice(2);
const tag = `v${version}`;
const run = (command: string, ...args: string[]) => void execFileSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();
const releases = JSON.parse(readFileSync(record, 'utf8')) as Release[];
const last = releases.at(-1);

/** Whether a version comes after another one. */
const isLater = (one: string, than: string) => one.localeCompare(than, 'en', { numeric: true }) > 0;

function refuse(): void {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error('Give the version of the release, such as 1.2.0.');
  if (last && !isLater(version, last.version)) throw new Error(`The last release is ${last.version}; give a later version.`);
  if (git('tag', '--list', tag) !== '') throw new Error(`There is a tag ${tag} already.`);
  const unclean = git('status', '--porcelain');
  if (unclean !== '') throw new Error(`A release is what is committed. These files are not:\n${unclean}`);
  const late = last ? misdated(readFileSync(guide, 'utf8'), fileAt(`v${last.version}`, guide), new Date()) : [];
  if (late.length > 0) throw new Error(`${guide}: operators get this now. Put it under the month of this release:\n${late.join('\n')}`);
}

const asRun = {
  'oi start': 'service',
  'oi start portal': 'portal',
  'oi start machine-api': 'machine-api',
  'oi start workers': 'workers',
  'oi migrate': 'migrate',
} as const;

function needs(): Needs {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };
  const settings = Object.entries(asRun).map(([command, role]) => [command, requiredBy(role)] as const);
  return { postgres: oldestPostgres, node: engines.node, settings: Object.fromEntries(settings) };
}

/** The settings that a process misses in production when it has none. */
function requiredBy(role: (typeof asRun)[keyof typeof asRun]): string[] {
  try {
    readConfig(role, { NODE_ENV: 'production' });
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.flatMap((problem) => /^(\w+): is required/.exec(problem)?.[1] ?? []);
  }
}

function notes(): Notes {
  const needed = newNeeds(needs(), last?.needs);
  if (!last) return { needs: needed, takes: [], cannotGoBack: [] };
  const since = `v${last.version}`;
  const offered = (read: (file: string) => string) => ({ schema: read('schema.sql'), settings: read('.env.example') });
  const taken = takenAway(
    offered((file) => readFileSync(file, 'utf8')),
    offered((file) => fileAt(since, file)),
  );
  const cannotGoBack = barredBy(migrationsList.filter(({ name }) => !Object.hasOwn(last.migrations, name)));
  if (taken.schema.length > 0 && cannotGoBack.length === 0) {
    throw new Error(`No migration names the oldest release that does without ${taken.schema.join(', ')} (minRelease).`);
  }
  return {
    needs: [...needed, ...trailersSince(since, 'Needs')],
    takes: [...taken.schema, ...taken.settings, ...trailersSince(since, 'Takes')],
    cannotGoBack: [...cannotGoBack, ...trailersSince(since, 'Cannot-go-back')],
  };
}

/** Puts the section of this release before that of the last one. */
function writeChangelog(text: string): void {
  const changes = last
    ? changesText(commitsSince(`v${last.version}`))
    : 'The first release: the portal, the machine API, the workers, `oi` that runs them, and the operators’ kit.\n';
  const [beginning = '', ...sections] = readFileSync('CHANGELOG.md', 'utf8').split(/^(?=## )/m);
  const day = new Date().toISOString().slice(0, '2026-11-29'.length);
  writeFileSync('CHANGELOG.md', [`${beginning.trimEnd()}\n`, `## ${version}, ${day}\n`, text, changes, ...sections].join('\n'));
}

/** Everything that the commit contains, and `folder` with what is given out. */
function make(text: string, folder: string): void {
  run('npm', 'version', version, '--no-git-tag-version', '--allow-same-version', '--silent');
  writeChangelog(text);
  const checksum = (name: string) =>
    createHash('sha256')
      .update(readFileSync(`migrations/${name}.sql`))
      .digest('hex');
  const migrations = Object.fromEntries(migrationsList.map(({ name }) => [name, checksum(name)]));
  writeFileSync(record, `${JSON.stringify([...releases, { version, migrations, needs: needs() }], undefined, 2)}\n`);
  // A build cannot know the commit that it becomes a part of. Its tag names the same.
  process.env['SOURCE_COMMIT'] = tag;
  run('npm', 'run', '--silent', 'build');
  cpSync('dist/packages', 'kit/released', { recursive: true, filter: (path) => !path.endsWith('.json') });
  const archive = makeArchive(folder);
  mkdirSync('tests/fixtures', { recursive: true });
  copyFileSync(archive, 'tests/fixtures/release-before.tar.gz');
  writeFileSync('tests/fixtures/rights-before.json', `${JSON.stringify({ tables, functions, rows }, undefined, 2)}\n`);
}

function cut(): void {
  refuse();
  const text = notesText(notes());
  const here = process.cwd();
  const given = resolve('release', version);
  const work = mkdtempSync(join(tmpdir(), 'cut-release-'));
  const tree = join(work, 'tree');
  let tagged = false;
  git('worktree', 'add', '--quiet', '--detach', tree);
  try {
    if (existsSync('node_modules')) symlinkSync(resolve('node_modules'), join(tree, 'node_modules'));
    process.chdir(tree);
    make(text, join(work, version));
    git('add', '--all', '--', '.', ':!node_modules');
    git('commit', '--quiet', '--message', `Release ${version}`);
    git('tag', '--annotate', '--cleanup=whitespace', '--message', `Release ${version}\n\n${text}`, tag);
    tagged = true;
    const commit = git('rev-parse', 'HEAD');
    process.chdir(here);
    rmSync(given, { recursive: true, force: true });
    cpSync(join(work, version), given, { recursive: true });
    git('merge', '--quiet', '--ff-only', commit);
  } catch (error) {
    process.chdir(here);
    if (tagged) git('tag', '--delete', tag);
    rmSync(given, { recursive: true, force: true });
    throw error;
  } finally {
    git('worktree', 'remove', '--force', tree);
    rmSync(work, { recursive: true, force: true });
  }
  process.stdout.write(`\n${text}\nRelease ${version} is committed, tagged ${tag}, and lies in release/${version}.\n`);
}

// An interrupt ends the step that runs, and what was begun is taken back as after any other failure.
process.on('SIGINT', () => undefined);
try {
  cut();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
