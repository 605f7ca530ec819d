import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * Stilted words, in code, comments, names of tests and documents. Each has a plain one: “again”, the role or program that is meant, a passive.
 * The lists of words to avoid, and this file may name them.
 */
const stilted = /\b(?:anew|whoever|heed(?:s|ed)?|nobody[\s*/#-]+can|somebody[\s*/#-]+who)\b/gi;
const exempt = new Set(['docs/guides/glossary.md', 'docs/words.md', 'scripts/checkWords.mjs']);

const roots = [
  'server',
  'rest-api',
  'workers',
  'portal-web',
  'migrations',
  'demo',
  'bench',
  'kit',
  'scripts',
  'tests',
  'docs',
  'operations',
];
const files = roots.flatMap((root) =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:[jt]sx?|mjs|css|html|sql|graphql|ya?ml|md|go|py|sh)$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name)),
);

for (const file of ['README.md', 'schema.graphql', ...files]) {
  if (exempt.has(file) || /(?:^|\/)(?:node_modules|dist)\//.test(file)) continue;
  const text = readFileSync(file, 'utf8');
  for (const { 0: words, index } of text.matchAll(stilted)) {
    console.error(`${file}:${text.slice(0, index).split('\n').length}: “${words}”; say it in plain words.`);
    process.exitCode = 1;
  }
}
