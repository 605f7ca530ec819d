import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const script = fileURLToPath(new URL('../../scripts/buildPages.mjs', import.meta.url));
/** Takes the place of Vite: counts how often it is called, and fails on demand. */
const vite = `#!/bin/sh
echo "$@" >> built.log
test ! -e broken || exit 3
mkdir -p dist/portal-web && echo page > dist/portal-web/index.html
`;

const sources = [
  'portal-web/src/main.tsx',
  'docs/guides/quickstart.md',
  'kit/package.json',
  'rest-api/contract/openapi.yaml',
  'server/domain/shared/errorCatalogue.ts',
  'server/domain/shared/text/escapeHtml.ts',
  'server/portal-http/pages/problemTexts.ts',
  'server/domain/integration/profile/profileFields.ts',
  'server/domain/notification/words/productionPath.ts',
  'package.json',
  'package-lock.json',
];

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-pages-'));
  for (const name of [...sources, 'bin/vite', 'README.md']) mkdirSync(dirname(join(folder, name)), { recursive: true });
  for (const name of [...sources, 'README.md']) change(name);
  writeFileSync(join(folder, 'bin/vite'), vite, { mode: 0o755 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const change = (name: string) => appendFileSync(join(folder, name), 'more\n');

/** Runs the script; returns how often it has built the pages, and its exit code. */
function run(...args: string[]): { builds: number; status: number | null } {
  const log = join(folder, 'built.log');
  rmSync(log, { force: true });
  const env = { ...process.env, PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH'] ?? ''}` };
  const { status } = spawnSync(process.execPath, [script, ...args], { cwd: folder, env });
  return { builds: existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n').length : 0, status };
}

test('a developer who runs tests waits for the pages only when their sources, the documentation or a library has changed since they were built', () => {
  expect(run('--unless-unchanged')).toEqual({ builds: 1, status: 0 });
  expect(run('--unless-unchanged')).toEqual({ builds: 0, status: 0 });
  for (const name of [...sources, 'portal-web/src/new.tsx']) {
    change(name);
    expect([name, run('--unless-unchanged').builds]).toEqual([name, 1]);
    expect([name, run('--unless-unchanged').builds]).toEqual([name, 0]);
  }
  change('README.md');
  expect(run('--unless-unchanged').builds).toBe(0);
});

test('pages that somebody has removed, built by hand or failed to build are built again, and a plain build always builds', () => {
  rmSync(join(folder, 'dist/portal-web'), { recursive: true });
  expect(run('--unless-unchanged').builds).toBe(1);
  rmSync(join(folder, 'dist/portal-web'), { recursive: true });
  spawnSync(join(folder, 'bin/vite'), { cwd: folder });
  expect(run('--unless-unchanged').builds).toBe(1);
  change('broken');
  change('portal-web/src/main.tsx');
  expect(run('--unless-unchanged')).toEqual({ builds: 1, status: 3 });
  expect(run('--unless-unchanged')).toEqual({ builds: 1, status: 3 });
  rmSync(join(folder, 'broken'));
  expect(run('--unless-unchanged')).toEqual({ builds: 1, status: 0 });
  expect(run()).toEqual({ builds: 1, status: 0 });
});
