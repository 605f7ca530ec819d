import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Its programs as they were before what only people need was taken out, to count their lines. */
const readable = 'dist/kit-readable';
const run = (command, ...args) => spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] }).status ?? 1;
const filesIn = (root, ending) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .map((file) => join(root, file));

/** The text itself would be a sixteenth of the package. */
const notice = `Licensed under the Apache License, Version 2.0 (the "License"); you may not use these files except in compliance with the License.
You may obtain a copy of the License at https://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the License for the specific language governing permissions and limitations.
`;

/** Makes the folder of the operators’ package as npm packs it. Returns an exit code. */
export async function makeKit(folder) {
  for (const each of [folder, readable]) rmSync(each, { recursive: true, force: true });
  const compile = (...options) =>
    run(process.execPath, 'node_modules/typescript-native/bin/tsc', '-p', 'kit/tsconfig.json', '--checkers', '1', ...options);
  // Editors show the comments of the types; the programs need none.
  const compiled = compile('--emitDeclarationOnly') || compile('--declaration', 'false', '--removeComments', '--outDir', readable);
  if (compiled !== 0) return compiled;
  const { exports } = JSON.parse(readFileSync('kit/package.json', 'utf8'));
  const entries = Object.values(exports).filter((each) => each.types);
  await bundle(folder, ['./lib/browser.js', './lib/cli/svc.js', ...entries.map((each) => each.default)]);
  removeUnusedTypes(
    folder,
    entries.map(({ types }) => join(folder, types)),
  );
  for (const file of ['package.json', 'README.md', 'CHANGELOG.md']) copyFileSync(`kit/${file}`, `${folder}/${file}`);
  writeFileSync(`${folder}/LICENSE`, notice);
  cpSync('kit/reference', `${folder}/reference`, { recursive: true });
  await packVectors(folder);
  return 0;
}

/** One file for each entry, and what they share. Classes and methods keep their names, so that the trace of an error can be read. */
async function bundle(folder, entries) {
  const { rolldown } = await import('rolldown');
  const names = entries.map((entry) => /^\.\/lib\/(.*)\.js$/.exec(entry)[1]);
  const made = await rolldown({
    input: Object.fromEntries(names.map((name) => [name, `${readable}/${name}.js`])),
    platform: 'node',
    // The version of Node is looked at before anything else, whatever is imported.
    treeshake: { moduleSideEffects: true },
  });
  await made.write({
    dir: `${folder}/lib`,
    // What the command line loads later finds the package's files from where it is itself.
    chunkFileNames: ({ isDynamicEntry }) => (isDynamicEntry ? 'cli/[name].js' : 'shared/[name].js'),
    minify: {
      compress: true,
      mangle: { toplevel: true, keepNames: { class: true, function: false } },
      codegen: { removeWhitespace: true },
    },
  });
}

/** Removes the types that no entry of the package leads to, such as those of the command line, the words about the contract, and sentences. */
function removeUnusedTypes(folder, entries) {
  const used = new Set();
  const follow = (file) => {
    if (used.has(file)) return;
    used.add(file);
    for (const [, to] of readFileSync(file, 'utf8').matchAll(/(?:from |import |import\()'(\.[^']+)\.ts'/g))
      follow(`${join(file, '..', to)}.d.ts`);
  };
  for (const entry of entries) follow(entry);
  for (const file of filesIn(`${folder}/lib`, '.d.ts')) {
    if (!used.has(file)) {
      rmSync(file);
      continue;
    }
    // Whole sentences, such as the next steps, are in the programs already.
    const types = readFileSync(file, 'utf8').replaceAll(/^( +readonly \w+): '[^']+ [^']+';$/gm, '$1: string;');
    // What each field means is in the reference, and would be a thirtieth of the package.
    writeFileSync(file, file.endsWith('contract.d.ts') ? types.replaceAll(/^ *\/\*\*.*\*\/\n/gm, '') : types);
  }
}

/** Leaves out of the vectors what follows from the rest, for `svc vectors` to fill in again. */
async function packVectors(folder) {
  // The key of RFC 8037, which the examples of the AsyncAPI description are signed with, too.
  const d = 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A';
  mkdirSync(`${folder}/vectors`);
  for (const file of readdirSync('kit/vectors')) {
    const whole = JSON.parse(readFileSync(`kit/vectors/${file}`, 'utf8'));
    const packed = file === 'deliveries.json' ? await withoutComputed({ ...whole, signing_key: { ...whole.jwks.keys[0], d } }) : whole;
    writeFileSync(`${folder}/vectors/${file}`, JSON.stringify(packed));
  }
}

async function withoutComputed(whole) {
  const { completeDeliveries: complete } = await import(pathToFileURL(resolve(readable, 'cli/completeDeliveries.js')).href);
  const vectors = whole.vectors.map((given) => {
    const vector = inRuns(given);
    const without = (names) => ({ ...vector, headers: { ...vector.headers, ...Object.fromEntries(names.map((name) => [name, null])) } });
    const candidates = [['Content-Digest', 'Signature'], ['Content-Digest'], ['Signature']];
    const present = candidates.filter((names) => names.every((name) => name in vector.headers)).map(without);
    return present.find((each) => JSON.stringify(complete({ ...whole, vectors: [each] }).vectors[0]) === JSON.stringify(given)) ?? vector;
  });
  return { ...whole, vectors };
}

/** A long body in which something repeats a hundred times, as its pieces. */
function inRuns(vector) {
  const text = Buffer.from(vector.body_base64 ?? '', 'base64').toString('latin1');
  if (text.length < 5_000) return vector;
  const runs = [];
  let at = 0;
  for (const { 0: repeated, 1: piece, index } of text.matchAll(/(.{1,6}?)\1{99,}/gs)) {
    runs.push(text.slice(at, index), [piece, repeated.length / piece.length]);
    at = index + repeated.length;
  }
  runs.push(text.slice(at));
  return Object.fromEntries(Object.entries(vector).map(([name, value]) => (name === 'body_base64' ? ['body_runs', runs] : [name, value])));
}
