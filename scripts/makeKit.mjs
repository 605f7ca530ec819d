import { spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';

/** Its programs before they are bundled. */
const readable = 'dist/kit-readable';
const run = (command, ...args) => spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] }).status ?? 1;
const filesIn = (root, ending) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .map((file) => join(root, file));

/** Makes the folder of the operators’ package as npm packs it. Returns an exit code. */
export async function makeKit(folder) {
  for (const each of [folder, readable]) rmSync(each, { recursive: true, force: true });
  const compile = (...options) =>
    run(process.execPath, 'node_modules/typescript-native/bin/tsc', '-p', 'kit/tsconfig.json', '--checkers', '1', ...options);
  // Editors show the comments of the types; the programs need none.
  const compiled =
    compile('--emitDeclarationOnly', '--stripInternal') || compile('--declaration', 'false', '--removeComments', '--outDir', readable);
  if (compiled !== 0) return compiled;
  await writeBrowserEntry();
  const { exports } = JSON.parse(readFileSync('kit/package.json', 'utf8'));
  const entries = Object.values(exports)
    .map((each) => each.default ?? each)
    .filter((file) => file.endsWith('.js'));
  await bundle(folder, ['./lib/browser.js', './lib/cli/svc.js', ...entries]);
  removeUnusedTypes(
    folder,
    entries.map((file) => join(folder, file.replace('.js', '.d.ts'))),
  );
  for (const file of ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE']) copyFileSync(`kit/${file}`, `${folder}/${file}`);
  await packCopies(folder);
  return 0;
}

/** What a browser gets: the names of the library, so that a bundler gets as far as the sentence. */
async function writeBrowserEntry() {
  const names = Object.keys(await import(pathToFileURL(resolve(readable, 'index.js')).href));
  const sentence = 'svc-operator-kit runs in Node only: a browser cannot present the client certificate, and must not have its key.';
  const refuse = `function refuse() { throw new Error('${sentence}'); }`;
  writeFileSync(`${readable}/browser.js`, `${refuse}\nexport const [${names.join(', ')}] = refuse();\n`);
}

/** One file for each entry, and one for what they share. Classes and methods keep their names, so that the trace of an error can be read. */
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
    codeSplitting: { groups: [{ name: 'kit', test: /kit-readable\/(?:certificates|client|contract|sync|webhook)\// }] },
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
    const told = file.endsWith('contract.d.ts') ? types.replaceAll(/^ *\/\*\*.*\*\/\n/gm, '') : types;
    writeFileSync(file, told.replaceAll(/^ +(?! )/gm, ''));
  }
}

/** Packs what `svc new` and `svc vectors` write into one file, the vectors without what follows from the rest. */
async function packCopies(folder) {
  // The key of RFC 8037, which the examples of the AsyncAPI description are signed with, too.
  const d = 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A';
  const textsIn = (root) => readdirSync(root).map((file) => [file, readFileSync(`${root}/${file}`, 'utf8')]);
  const vectors = Object.fromEntries(textsIn('kit/vectors').map(([file, text]) => [file, JSON.parse(text)]));
  for (const [file, whole] of Object.entries(vectors)) {
    if (whole.jwks) vectors[file] = await withoutComputed({ ...whole, signing_key: { ...whole.jwks.keys[0], d } });
    // In hexadecimal, what repeats in them can be seen.
    if (whole.common_name) vectors[file] = { ...whole, vectors: whole.vectors.map(inHexadecimal) };
  }
  const copies = { reference: Object.fromEntries(textsIn('kit/reference')), vectors };
  // Without an extension, npm packs it first. Among the texts, it would spoil how those are compressed.
  writeFileSync(`${folder}/copies`, brotliCompressSync(JSON.stringify(copies)));
}

const inHexadecimal = ({ request, ...vector }) => ({ ...vector, request: Buffer.from(request, 'base64').toString('hex') });

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
