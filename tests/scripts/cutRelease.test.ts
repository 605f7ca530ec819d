import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Takes the place of the compilers: what a build leaves in `dist`, some of it not for servers. */
const build = `import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const files = ['oi', 'server/main.js', 'server/main.js.map', 'rest-api/a.js', 'workers/a.js', 'migrations/a.js', 'portal-web/index.html', 'docs/a',
  'packages/kit-' + version + '.tgz', 'packages/versions.json', 'demo/smoke/a.js', 'demo/Steps.js', 'demo/Surprise.js', 'demo/main.js', 'bench/a.js'];
for (const file of files) {
  mkdirSync('dist/' + file.split('/').slice(0, -1).join('/'), { recursive: true });
  writeFileSync('dist/' + file, readFileSync('server/program.txt'));
}
writeFileSync('dist/build.json', JSON.stringify({ version, commit: process.env.SOURCE_COMMIT }));
`;
const manifest = {
  name: 'operator-integration-service',
  version: '0.1.0',
  type: 'module',
  engines: { node: '>=24' },
  scripts: { build: 'node build.mjs', sbom: 'npm sbom --package-lock-only --sbom-format=cyclonedx' },
};
const lock = {
  name: manifest.name,
  version: '0.1.0',
  lockfileVersion: 3,
  packages: { '': { name: manifest.name, version: '0.1.0', engines: manifest.engines } },
};

/** Stands in for the service's configuration, which says what each process misses. */
const config = (required: Readonly<Record<string, readonly string[]>>) => `import { ConfigError } from './ConfigError.ts';
const required = ${JSON.stringify(required)};
export function readConfig(role) {
  if (required[role]) throw new ConfigError(required[role].map((name) => name + ': is required in production; it is needed'));
}
`;
const migrations = (...listed: readonly object[]) => `export const migrationsList = ${JSON.stringify(listed)};\n`;
const table = (columns: string) =>
  `create table note (\n  ${columns.replaceAll(', ', ' text,\n  ')} text,\n  constraint note_pkey PRIMARY KEY (id)\n);\n`;

const first: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify(manifest),
  'package-lock.json': JSON.stringify(lock),
  'build.mjs': build,
  '.gitignore': 'dist/\n/release/\nsecrets/\n',
  '.env.example': '# DATABASE_URL=postgres://…  an existing PostgreSQL\n# PROXIES=none\n',
  'CHANGELOG.md': '# Changelog\n\nWhat each release brings.\n',
  'README.md': 'Read this.\n',
  'schema.sql': `${table('id, body, colour')}\n${table('id').replace('note (', 'draft (')}`,
  'docs/operating.md': 'How to operate it.\n',
  'docs/guides/changelog.md': '# Changelog\n\n## May 2020\n\n- **Sync**: it works.\n',
  'operations/haproxy.cfg': 'defaults\n',
  'migrations/releases.json': '[]\n',
  'migrations/migrationsList.ts': migrations({ name: 'baseline/01-all' }),
  'migrations/baseline/01-all.sql': 'create table note (id text);\n',
  'server/program.txt': 'The program.\n',
  'server/config/config.ts': config({ portal: ['DATABASE_URL'], migrate: ['MIGRATION_DATABASE_URL'] }),
  'server/config/ConfigError.ts':
    'export class ConfigError extends Error {\n  constructor(problems) {\n    super();\n    this.problems = problems;\n  }\n}\n',
  'server/database/connection/postgresVersion.ts': 'export const oldestPostgres = 15;\n',
  'server/database/roles/grants.ts': `export const tables = { note: { portal: 'select' } };\nexport const functions = {};\nexport const rows = {};\n`,
};

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-cut-release-'));
  cpSync(join(root, 'scripts/release'), join(folder, 'scripts/release'), { recursive: true });
  cpSync(join(root, 'scripts/cutRelease.ts'), join(folder, 'scripts/cutRelease.ts'));
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Maintainer');
  git('config', 'user.email', 'maintainer@example.com');
  write(first);
  commit('Begin');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const inFolder = (path: string) => join(folder, path);
const read = (path: string) => readFileSync(inFolder(path), 'utf8');

function git(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(inFolder(path)), { recursive: true });
    writeFileSync(inFolder(path), text);
  }
}

function commit(message: string, files: Readonly<Record<string, string>> = {}): void {
  write(files);
  git('add', '--all');
  git('commit', '--quiet', '--message', message);
}

function cut(version: string): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/cutRelease.ts', version], { cwd: folder, encoding: 'utf8' });
  return { status, said: stdout + stderr };
}

/** All that a cut may change. */
const state = () => ({
  commit: git('rev-parse', 'HEAD'),
  files: git('status', '--porcelain'),
  tags: git('tag'),
  worktrees: git('worktree', 'list').split('\n').length,
  given: existsSync(inFolder('release')) ? readdirSync(inFolder('release')) : [],
});

test('a version that is none, and a tree with changes that are not committed, are refused', () => {
  const before = state();
  expect(cut('1.0').said).toContain('Give the version of the release, such as 1.2.0.');
  expect(state()).toEqual(before);
  write({ 'new.txt': 'new' });
  const { status, said } = cut('1.0.0');
  expect([status, said]).toEqual([1, 'A release is what is committed. These files are not:\n?? new.txt\n']);
  expect(existsSync(inFolder('dist'))).toBe(false);
  rmSync(inFolder('new.txt'));
});

test('a step that fails leaves commit, tags, files and folders as they were', () => {
  commit('Break the build', { 'build.mjs': 'process.exit(1);\n' });
  const before = state();
  expect(cut('1.0.0').status).toBe(1);
  expect(state()).toEqual(before);
  // One of the last: somebody's hook refuses the commit.
  commit('Mend the build', { 'build.mjs': build });
  write({ '.git/hooks/pre-commit': '#!/bin/sh\nexit 1\n' });
  spawnSync('chmod', ['+x', inFolder('.git/hooks/pre-commit')]);
  const mended = state();
  expect(cut('1.0.0').status).toBe(1);
  expect(state()).toEqual(mended);
  // The very last one: somebody commits meanwhile, so the branch cannot move on.
  const racing = `${build}import { execFileSync } from 'node:child_process';\nexecFileSync('git', ['-C', ${JSON.stringify(folder)}, 'commit', '--quiet', '--allow-empty', '--no-verify', '--message', 'Meanwhile']);\n`;
  rmSync(inFolder('.git/hooks/pre-commit'));
  commit('Race the build', { 'build.mjs': racing });
  const raced = state();
  expect(cut('1.0.0').status).toBe(1);
  expect(state()).toEqual({ ...raced, commit: git('rev-parse', 'HEAD') });
  expect(git('log', '-1', '--format=%s')).toBe('Meanwhile');
  commit('End the race', { 'build.mjs': build });
});

test('the first release says what it needs, and lists no commits', () => {
  expect(cut('1.0.0')).toMatchObject({ status: 0 });
  expect(git('log', '-1', '--format=%s')).toBe('Release 1.0.0');
  expect(git('status', '--porcelain')).toBe('');
  const day = /^## 1\.0\.0, (\d{4}-\d\d-\d\d)$/m.exec(read('CHANGELOG.md'))?.[1];
  const notes = `### Needs

- PostgreSQL 15 or later
- Node 24 or later, which comes with the packages
- \`oi start portal\` in production: \`DATABASE_URL\`
- \`oi migrate\` in production: \`MIGRATION_DATABASE_URL\`

### Takes

nothing

### Cannot go back

nothing
`;
  expect(read('CHANGELOG.md')).toBe(
    `# Changelog\n\nWhat each release brings.\n\n## 1.0.0, ${day}\n\n${notes}\nThe first release: the portal, the machine API, the workers, \`oi\` that runs them, and the operators’ kit.\n`,
  );
  expect(`${git('tag', '--list', '--format=%(objecttype) %(contents)', 'v1.0.0')}\n`).toBe(`tag Release 1.0.0\n\n${notes}`);
  expect(JSON.parse(read('migrations/releases.json'))).toEqual([
    {
      version: '1.0.0',
      migrations: { 'baseline/01-all': expect.stringMatching(/^[0-9a-f]{64}$/) },
      needs: expect.objectContaining({ postgres: 15 }),
    },
  ]);
  expect(JSON.parse(read('tests/fixtures/rights-before.json'))).toEqual({
    tables: { note: { portal: 'select' } },
    functions: {},
    rows: {},
  });
  expect(readdirSync(inFolder('kit/released'))).toEqual(['kit-1.0.0.tgz']);
});

test('what is given out can be checked, holds what a server needs and nothing else, and is the same from any checkout of the tag', () => {
  const given = inFolder('release/1.0.0');
  const archive = 'operator-integration-service-1.0.0.tar.gz';
  const check = spawnSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: given, encoding: 'utf8' });
  expect(check.stdout).toBe(`${archive}: OK\noperator-integration-service-1.0.0.cdx.json: OK\n`);
  expect(readFileSync(inFolder('tests/fixtures/release-before.tar.gz'))).toEqual(readFileSync(join(given, archive)));
  const { stdout } = spawnSync('tar', ['--list', '--file', join(given, archive)], { encoding: 'utf8' });
  const files = stdout.split('\n').flatMap((path) => (path === '' || path.endsWith('/') ? [] : path.slice(path.indexOf('/') + 1)));
  expect(new Set(stdout.split('\n').map((path) => path.split('/')[0]))).toEqual(new Set(['operator-integration-service-1.0.0', '']));
  const beside = [
    '.env.example',
    'CHANGELOG.md',
    'README.md',
    'docs/guides/changelog.md',
    'docs/operating.md',
    'operations/haproxy.cfg',
    'package-lock.json',
  ];
  const programs = [
    'build.json',
    'oi',
    'migrations/a.js',
    'rest-api/a.js',
    'server/main.js',
    'workers/a.js',
    'demo/smoke/a.js',
    'demo/Steps.js',
  ];
  const served = ['demo/Surprise.js', 'docs/a', 'packages/kit-1.0.0.tgz', 'packages/versions.json', 'portal-web/index.html'];
  expect(files.toSorted()).toEqual([...beside, 'package.json', ...[...programs, ...served].map((path) => `dist/${path}`)].toSorted());
  const bom = JSON.parse(readFileSync(join(given, 'operator-integration-service-1.0.0.cdx.json'), 'utf8')) as Record<string, unknown>;
  expect(bom).toMatchObject({
    bomFormat: 'CycloneDX',
    metadata: { component: { name: 'operator-integration-service', version: '1.0.0' } },
  });

  const again = inFolder('release/again');
  git('worktree', 'add', '--quiet', '--detach', again, 'v1.0.0');
  // What lies in the folders and is in nobody's commit.
  write({ 'release/again/operations/secrets/master.key': 'secret' });
  const env = { ...process.env, SOURCE_COMMIT: 'v1.0.0' };
  for (const script of ['build.mjs', 'scripts/release/makeArchive.ts']) spawnSync(process.execPath, [script, 'out'], { cwd: again, env });
  expect(readFileSync(join(again, 'out/SHA256SUMS'), 'utf8')).toBe(read('release/1.0.0/SHA256SUMS'));
  git('worktree', 'remove', '--force', again);
});

test('an earlier version and one that is there are refused', () => {
  expect(cut('0.9.0').said).toContain('The last release is 1.0.0; give a later version.');
  git('tag', 'v1.0.1');
  expect(cut('1.0.1').said).toContain('There is a tag v1.0.1 already.');
  git('tag', '--delete', 'v1.0.1');
});

test('what operators read of a release stands under its month', () => {
  const before = state();
  commit('Tell of statistics', {
    'docs/guides/changelog.md':
      '# Changelog\n\n## June 2020\n\n- New: **statistics**.\n\n## May 2020\n\n- **Sync**: it works.\n- **History** as well.\n',
  });
  expect(cut('1.1.0').said).toContain(
    'docs/guides/changelog.md: operators get this now. Put it under the month of this release:\nJune 2020: New: **statistics**\nMay 2020: **History**\n',
  );
  git('reset', '--quiet', '--hard', before.commit);
  expect(state()).toEqual(before);
});

test('a table or column goes only with a migration that names the oldest release that does without it', () => {
  commit('Drop the colour of notes', { 'schema.sql': `${table('id, body')}\n${table('id').replace('note (', 'draft (')}` });
  const before = state();
  expect(cut('1.1.0').said).toContain('No migration names the oldest release that does without the column `note.colour` (minRelease).');
  expect(state()).toEqual(before);
});

test('the next release tells what is new, what goes and where there is no way back, and its commits by whom they concern', () => {
  commit(
    'Drop drafts\n\nNobody writes them.\n\nTakes: drafts that nobody has sent\nCannot-go-back: to a copy of the database from before',
    {
      'schema.sql': table('id, body'),
      'migrations/migrationsList.ts': migrations({ name: 'baseline/01-all' }, { name: '2026-12-01/drop-drafts', minRelease: '1.0.0' }),
      'migrations/2026-12-01/drop-drafts.sql': 'drop table draft;\n',
    },
  );
  commit('Ask the portal for its address', {
    'server/config/config.ts': config({ portal: ['DATABASE_URL', 'PORTAL_URL'], migrate: ['MIGRATION_DATABASE_URL'] }),
    'server/database/connection/postgresVersion.ts': 'export const oldestPostgres = 16;\n',
    '.env.example': '# DATABASE_URL=postgres://…  an existing PostgreSQL\n# PORTAL_URL=\n',
  });
  commit('Show notes\n\nNeeds: a second disk', {
    'portal-web/src/Notes.tsx': '',
    'rest-api/v1/notes.ts': '',
    'portal-web/src/Note.tsx': '',
  });
  commit('Answer for notes', { 'rest-api/v1/notes.ts': 'more' });
  commit('Test notes', { 'tests/notes.test.ts': '' });
  expect(cut('1.1.0')).toMatchObject({ status: 0 });
  const day = /^## 1\.1\.0, (\d{4}-\d\d-\d\d)$/m.exec(read('CHANGELOG.md'))?.[1];
  const [, section = ''] = /(^## 1\.1\.0, [^]*?)\n^## 1\.0\.0, /m.exec(read('CHANGELOG.md')) ?? [];
  expect(section).toBe(`## 1.1.0, ${day}

### Needs

- PostgreSQL 16 or later
- \`oi start portal\` in production: \`PORTAL_URL\`
- a second disk

### Takes

- the column \`note.colour\`
- the table \`draft\`
- the setting \`PROXIES\`
- drafts that nobody has sent

### Cannot go back

- to a release before 1.0.0, once \`2026-12-01/drop-drafts\` has run
- to a copy of the database from before

### The portal

- Show notes

### The machine API

- Answer for notes

### Operating it

- Drop drafts
- Ask the portal for its address

2 commits change nothing that runs.
`);
  expect(readdirSync(inFolder('release')).toSorted()).toEqual(['1.0.0', '1.1.0']);
});
