import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const script = fileURLToPath(new URL('../../scripts/buildKit.mjs', import.meta.url));
/** Takes the place of the compiler. */
const compiler = `const { mkdirSync, writeFileSync } = require('node:fs');
for (const folder of ['dist/svc-operator-kit/lib', 'dist/kit-readable/cli']) mkdirSync(folder, { recursive: true });
for (const file of ['index', 'cli/svc']) writeFileSync('dist/kit-readable/' + file + '.js', 'export const name = 1;');
`;

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-build-kit-'));
  const files = {
    'node_modules/typescript-native/bin/tsc': compiler,
    'tsconfig.json': '',
    'package-lock.json': '',
    'scripts/buildKit.mjs': '',
    'scripts/makeKit.mjs': '',
    'kit/README.md': '',
    'kit/LICENSE': '',
    'kit/reference/main.ts': '',
    'kit/vectors/syncs.json': '{}',
  };
  for (const [name, content] of Object.entries(files)) write(name, content);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, content: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), content);
}

/** Builds a version of the kit with this changelog; returns what is listed as served. */
function build(version: string, changelog: string): { version: string; sha512: string; released_on: string; node: string }[] {
  write('kit/package.json', JSON.stringify({ name: 'svc-operator-kit', version, exports: {}, engines: { node: `>=${version}` } }));
  write('kit/CHANGELOG.md', changelog);
  const { status, stderr } = spawnSync(process.execPath, [script], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(readFileSync(join(folder, 'dist/packages/versions.json'), 'utf8')) as ReturnType<typeof build>;
}

/** As `npm run cut-release` does. */
const release = () => cpSync(join(folder, 'dist/packages'), join(folder, 'kit/released'), { recursive: true });

test('a version that was released stays served as it was, and the newest stands first', () => {
  const nine = '## 0.9.0, 2026-11-28\n';
  const [first] = build('0.9.0', nine);
  expect(first).toMatchObject({ version: '0.9.0', released_on: '2026-11-28', node: '>=0.9.0' });
  release();
  const ten = `## 0.10.0, 2026-12-03\n\n${nine}`;
  expect(build('0.10.0', ten)).toEqual([
    expect.objectContaining({ version: '0.10.0', released_on: '2026-12-03', node: '>=0.10.0' }),
    first,
  ]);
  expect(readdirSync(join(folder, 'dist/packages')).sort()).toEqual([
    'svc-operator-kit-0.10.0.tgz',
    'svc-operator-kit-0.9.0.tgz',
    'versions.json',
  ]);
  release();
  // Its sources have changed since, but not its version.
  write('kit/README.md', 'More.');
  const again = build('0.10.0', ten);
  expect(again.map(({ version }) => version)).toEqual(['0.10.0', '0.9.0']);
  expect(readFileSync(join(folder, 'dist/packages/svc-operator-kit-0.10.0.tgz'))).toEqual(
    readFileSync(join(folder, 'kit/released/svc-operator-kit-0.10.0.tgz')),
  );
});

test('a version without a day in the changelog is not built', () => {
  expect(() => build('0.11.0', '## 0.10.0, 2026-12-03\n\n## 0.9.0, 2026-11-28\n')).toThrow('no line “## 0.11.0, DATE”');
});
