import { spawnSync } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';
import { buildUnlessUnchanged } from './unlessUnchanged.mjs';

// Makes the operators' package as npm installs it: the folder dist/kit, and from it dist/svc-operator-kit-<version>.tgz.
const folder = 'dist/kit';
const run = (command, ...args) => spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] }).status ?? 1;

function build() {
  rmSync(folder, { recursive: true, force: true });
  const compile = (...options) =>
    run(process.execPath, 'node_modules/typescript-native/bin/tsc', '-p', 'kit/tsconfig.json', '--checkers', '1', ...options);
  // Editors show the comments of the types; the programs need none.
  const compiled = compile('--emitDeclarationOnly') || compile('--declaration', 'false', '--removeComments');
  if (compiled !== 0) return compiled;
  for (const file of ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE']) copyFileSync(`kit/${file}`, `${folder}/${file}`);
  return run('npm', 'pack', `./${folder}`, '--pack-destination', 'dist', '--silent');
}

buildUnlessUnchanged({
  sources: ['kit', 'tsconfig.json', 'scripts/buildKit.mjs', 'package-lock.json'],
  built: `${folder}/package.json`,
  record: 'dist/kit.built',
  build,
});
