import { spawn } from 'node:child_process';

/*
 * Builds product, pages and kit beside each other, of which none reads what another makes. Arguments are passed on: with --unless-unchanged, each
 * is built only if its sources have changed.
 */
const scripts = ['buildServer', 'buildPages', 'buildKit'].map((name) => `scripts/${name}.mjs`);
const endOf = (script) =>
  new Promise((resolve) =>
    spawn(process.execPath, [script, ...process.argv.slice(2)], { stdio: 'inherit' }).once('exit', (code) => resolve(code ?? 1)),
  );
const codes = await Promise.all(scripts.map(endOf));
process.exitCode = codes.find((code) => code !== 0) ?? 0;
