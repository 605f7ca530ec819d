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
const only = values.picture ? ['tests/measures/picture'] : values.only ? ['-t', values.only] : [];
const jest = ['node_modules/jest/bin/jest.js', '--config', 'jest.measures.config.js', ...only];
process.exitCode = spawnSync(process.execPath, [...flags, ...jest], { stdio: 'inherit', env }).status ?? 1;
