import { spawnSync } from 'node:child_process';
import { buildUnlessUnchanged } from './unlessUnchanged.mjs';

// Builds everything but the pages into dist, with the kit's sources for the demo. One checker, because several each find out again what they all need.
const steps = [['node_modules/typescript-native/bin/tsc', '-p', 'tsconfig.build.json', '--checkers', '1'], ['scripts/copyAssets.mjs']];
const folders = ['server', 'rest-api', 'workers', 'migrations', 'bench', 'demo', 'kit/src', 'kit/samples', 'docs/receivers'];
await buildUnlessUnchanged({
  what: 'the service',
  sources: [...folders, 'tsconfig.json', 'tsconfig.build.json', 'scripts/copyAssets.mjs', 'package.json', 'package-lock.json'],
  built: 'dist/build.json',
  record: 'dist/server.built',
  build: () => steps.reduce((status, step) => status || (spawnSync(process.execPath, step, { stdio: 'inherit' }).status ?? 1), 0),
});
