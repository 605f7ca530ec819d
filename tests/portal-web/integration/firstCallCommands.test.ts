import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { firstCallCommands } from '../../../portal-web/src/features/integration/firstCallCommands.ts';

test('pasted in the same place, the commands of production leave the sandbox its folder with its settings', async () => {
  const home = await mkdtemp(join(tmpdir(), 'svc-pasted-'));
  try {
    await mkdir(join(home, 'Downloads'));
    for (const environment of ['sandbox', 'production'] as const) {
      const keyName = `${environment}-2026-11`;
      for (const file of ['key', 'pem']) await writeFile(join(home, 'Downloads', `${keyName}.${file}`), keyName);
      const { kit } = firstCallCommands(
        {
          environment,
          slug: 'nordlys-tracker',
          keyName,
          machineApiUrl: 'https://machine.example/v1',
          portalUrl: 'https://portal.example',
          developmentCa: false,
          kitVersion: '0.1.1',
        },
        true,
      );
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
