import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { firstCallCommands } from '../../../portal-web/src/features/integration/firstCallCommands.ts';

const facts = {
  slug: 'nordlys-tracker',
  machineApiUrl: 'https://machine.example/v1',
  portalUrl: 'https://portal.example',
  developmentCa: false,
  kitVersion: '0.1.1',
};

test('with a Node that has no SQLite, the commands say in a sentence what to do, and install nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-pasted-'));
  try {
    const keyName = 'sandbox-2026-11';
    await writeFile(join(folder, `${keyName}.key`), '');
    const { kit } = firstCallCommands({ ...facts, environment: 'sandbox', keyName }, true);
    for (const [node, said] of [
      ['node() { command node --no-experimental-sqlite "$@"; }', 'Install Node 22.13 or later, or choose curl on the page.\n'],
      [
        'node() { command node "$@"; }',
        'npm install --prefix . https://portal.example/kit/svc-operator-kit-0.1.1.tgz\nnpx svc init\nnpx svc sync\n',
      ],
    ] as const) {
      const stub = `${node}; npm() { echo npm "$@"; }; npx() { echo npx "$1" "$2"; }`;
      const { stdout } = await promisify(execFile)('bash', ['-c', `${stub}\n${kit}\ntrue`], { cwd: folder });
      expect(stdout).toBe(said);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('pasted in the folder of the calls before, the commands of the next certificate stay there', async () => {
  const home = await mkdtemp(join(tmpdir(), 'svc-pasted-'));
  try {
    await mkdir(join(home, 'Downloads'));
    let at = home;
    for (const keyName of ['sandbox-2026-11', 'sandbox-2026-11-2']) {
      for (const file of ['key', 'pem']) await writeFile(join(home, 'Downloads', `${keyName}.${file}`), keyName);
      const { curl } = firstCallCommands({ ...facts, environment: 'sandbox', keyName }, true);
      const env = { HOME: home, PATH: process.env['PATH'] };
      const { stdout } = await promisify(execFile)('bash', ['-ec', `curl() { :; }\n${curl}\npwd`], { cwd: at, env });
      at = stdout.trim();
      expect(at).toBe(join(home, 'nordlys-tracker'));
    }
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});

test('pasted in the same place, the commands of production leave the sandbox its folder with its settings', async () => {
  const home = await mkdtemp(join(tmpdir(), 'svc-pasted-'));
  try {
    await mkdir(join(home, 'Downloads'));
    for (const environment of ['sandbox', 'production'] as const) {
      const keyName = `${environment}-2026-11`;
      for (const file of ['key', 'pem']) await writeFile(join(home, 'Downloads', `${keyName}.${file}`), keyName);
      const { kit } = firstCallCommands({ ...facts, environment, keyName }, true);
      // In place of the kit, what writes down what its `init` was told.
      const stub = 'npm() { :; }; npx() { if [ "$2" = init ]; then echo "$@" > svc.json; fi; }';
      await promisify(execFile)('bash', ['-ec', `${stub}\n${kit}`], { cwd: home, env: { HOME: home, PATH: process.env['PATH'] } });
    }
    const settingsIn = (folder: string) => readFile(join(home, folder, 'svc.json'), 'utf8');
    expect(await settingsIn('nordlys-tracker')).toContain('--cert sandbox-2026-11.pem');
    expect(await settingsIn('nordlys-tracker-production')).toContain('--environment production --cert production-2026-11.pem');
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});
