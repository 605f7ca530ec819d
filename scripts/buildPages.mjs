import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { buildUnlessUnchanged } from './unlessUnchanged.mjs';

// Builds the pages into dist/portal-web, and the documentation with them.
// Commands name the version of the kit.
const documentation = [
  'kit/package.json',
  'docs/guides',
  'rest-api/contract',
  'server/domain/shared/errorCatalogue.ts',
  'server/domain/shared/text',
  'server/portal-http/pages/problemTexts.ts',
];
// What the pages read of the domain; the import rules name the same.
const facts = globSync([
  'server/domain/**/*Facts.ts',
  'server/domain/integration/profile/profileFields.ts',
  'server/domain/notification/topicWords.ts',
  'server/domain/notification/words/{productionPath,attentionKinds,mailSubjects,consequences}.ts',
]);
await buildUnlessUnchanged({
  what: 'the pages',
  sources: ['portal-web', ...documentation, ...facts, 'package.json', 'package-lock.json'],
  built: 'dist/portal-web/index.html',
  record: 'dist/portal-web.built',
  build: () => spawnSync('vite', ['build', 'portal-web', '--logLevel', 'warn'], { stdio: 'inherit' }).status,
});
