import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

// Several checkers each find out again what they all need: twice the processor time, and no earlier where two checks run at a time.
const typeCheck = ['node', 'node_modules/typescript-native/bin/tsc', '--checkers', '1', '-p'];

/** The steps of `npm run check`. All of them run, even after a failure, so that one call shows everything that is wrong. */
const checks = [
  ['format', 'oxfmt', '--check', '.'],
  ['lint', 'oxlint', '--type-aware'],
  ['types', ...typeCheck, 'tsconfig.json'],
  ['types of portal-web', ...typeCheck, 'portal-web/tsconfig.json', '--noEmit'],
  // Against the oldest Node that it runs on.
  ['types of the kit', ...typeCheck, 'kit/tsconfig.json', '--noEmit'],
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
    'kit',
    'tests',
    'portal-web/src',
  ],
  ['unused code', 'knip'],
  ['machine contract', 'redocly', 'lint', '--extends=recommended-strict', 'rest-api/contract/openapi.yaml'],
  ['description of the webhooks', 'node', 'scripts/checkAsyncApi.mjs'],
  ['operations of the pages', 'gql.tada', 'check', '--tsconfig', 'portal-web/tsconfig.json'],
  ['citations and links', 'node', 'scripts/checkCitations.mjs'],
  ['size of folders', 'node', 'scripts/checkFolders.mjs'],
  ['plain words', 'node', 'scripts/checkWords.mjs'],
  ['schema drift', 'node', 'scripts/checkSchema.mjs'],
  ['contract of the kit', 'node', 'scripts/emitKitTypes.mjs', '--check'],
  ['statements', 'node', 'scripts/checkStatements.ts'],
];

// Otherwise Redocly looks for updates on the network.
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

const run = promisify(execFile);
const waiting = [...checks];
/** Takes one check after the other. Two at a time, because most of them use one core. */
async function work() {
  for (let check = waiting.shift(); check; check = waiting.shift()) {
    const [name, command, ...args] = check;
    const started = Date.now();
    const failure = await run(command, args, { env, maxBuffer: 64 * 1024 * 1024 }).then(
      () => undefined,
      ({ message, stdout = '', stderr = '' }) => stdout + stderr || message,
    );
    process.stdout.write(`${failure === undefined ? 'ok  ' : 'FAIL'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)\n`);
    if (failure === undefined) continue;
    process.exitCode = 1;
    process.stdout.write(`${failure}\n`);
  }
}
await Promise.all([work(), work()]);
