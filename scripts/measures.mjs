import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

// npm run measures [-- --screenshots FOLDER] [-- --only heights|requests|weights|seconds|access|costs] [-- --picture FILE, which measures nothing]
const { values } = parseArgs({ options: { screenshots: { type: 'string' }, only: { type: 'string' }, picture: { type: 'string' } } });
const env = { ...process.env };
if (values.screenshots) {
  env.SCREENSHOTS = resolve(values.screenshots);
  mkdirSync(env.SCREENSHOTS, { recursive: true });
}
if (values.picture) env.PICTURE = resolve(values.picture);
const flags = ['--import', './tests/support/run/hooks.ts', '--disable-warning=ExperimentalWarning'];
const only = values.only ? ['-t', values.only] : [];
// Each in a process of its own, so that none measures what another one has left in the memory.
const parts = values.picture ? ['picture'] : ['seconds', 'costs', 'edition'];
for (const part of parts) {
  const jest = ['node_modules/jest/bin/jest.js', '--config', 'jest.measures.config.js', `tests/measures/${part}`, ...only];
  const { status } = spawnSync(process.execPath, [...flags, ...jest], { stdio: 'inherit', env });
  process.exitCode = status === 0 ? process.exitCode : (status ?? 1);
}
