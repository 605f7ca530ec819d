import { spawnSync } from 'node:child_process';
import { buildUnlessUnchanged } from './unlessUnchanged.mjs';

// Builds the pages into dist/portal-web.
buildUnlessUnchanged({
  sources: ['portal-web', 'docs/guides', 'package-lock.json'],
  built: 'dist/portal-web/index.html',
  record: 'dist/portal-web.built',
  build: () => spawnSync('vite', ['build', 'portal-web', '--logLevel', 'warn'], { stdio: 'inherit' }).status,
});
