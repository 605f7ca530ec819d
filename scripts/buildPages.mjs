import { spawnSync } from 'node:child_process';
import { buildUnlessUnchanged } from './unlessUnchanged.mjs';

// Builds the pages into dist/portal-web, and the documentation with them.
const documentation = [
  'docs/guides',
  'rest-api/contract',
  'server/domain/shared/errorCatalogue.ts',
  'server/portal-http/pages/problemTexts.ts',
];
buildUnlessUnchanged({
  sources: ['portal-web', ...documentation, 'package-lock.json'],
  built: 'dist/portal-web/index.html',
  record: 'dist/portal-web.built',
  build: () => spawnSync('vite', ['build', 'portal-web', '--logLevel', 'warn'], { stdio: 'inherit' }).status,
});
