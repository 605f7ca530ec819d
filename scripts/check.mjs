import { spawnSync } from 'node:child_process';

/** The steps of `npm run check`. All of them run, even after a failure, so that one call shows everything that is wrong. */
const checks = [
  ['format', 'oxfmt', '--check', '.'],
  ['lint', 'oxlint', '--type-aware'],
  ['types', 'node', 'node_modules/typescript-native/bin/tsc', '-p', 'tsconfig.json'],
  ['types of portal-web', 'node', 'node_modules/typescript-native/bin/tsc', '-p', 'portal-web/tsconfig.json', '--noEmit'],
  [
    'import rules',
    'depcruise',
    '--config',
    '.dependency-cruiser.cjs',
    'server',
    'rest-api',
    'workers',
    'migrations',
    'demo',
    'bench',
    'tests',
    'portal-web/src',
  ],
  ['unused code', 'knip'],
  ['machine contract', 'redocly', 'lint', '--extends=recommended-strict', 'rest-api/contract/openapi.yaml'],
  ['description of the webhooks', 'node', 'scripts/checkAsyncApi.mjs'],
  ['operations of the pages', 'gql.tada', 'check', '--tsconfig', 'portal-web/tsconfig.json'],
  ['citations and links', 'node', 'scripts/checkCitations.mjs'],
  ['size of folders', 'node', 'scripts/checkFolders.mjs'],
  ['schema drift', 'node', 'scripts/checkSchema.mjs'],
  ['statements', 'node', 'scripts/checkStatements.ts'],
];

// Otherwise Redocly looks for updates on the network.
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

let failed = false;
for (const [name, command, ...args] of checks) {
  const started = Date.now();
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', shell: false, env });
  const passed = status === 0;
  failed ||= !passed;
  process.stdout.write(`${passed ? 'ok  ' : 'FAIL'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)\n`);
  if (!passed) process.stdout.write(`${stdout}${stderr}\n`);
}
process.exitCode = failed ? 1 : 0;
