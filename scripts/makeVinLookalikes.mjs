// Makes server/domain/tracking/vinLookalikes.ts from the list of confusable characters of Unicode Technical Standard 39:
//
//   node scripts/makeVinLookalikes.mjs confusables.txt
//
// with the file from https://www.unicode.org/Public/security/<version>/confusables.txt (Unicode License v3).
import { readFileSync, writeFileSync } from 'node:fs';

const target = new URL('../server/domain/tracking/vinLookalikes.ts', import.meta.url);
const [file = 'confusables.txt'] = process.argv.slice(2);
const text = readFileSync(file, 'utf8');
const version = /^# Version: (\S+)/m.exec(text)?.[1];
if (!version) throw new Error('The file does not name its version.');

const characters = (points) =>
  points
    .trim()
    .split(/\s+/)
    .map((point) => String.fromCodePoint(Number.parseInt(point, 16)));

/** What stands for 0 and 1 in the list. A vehicle identification number has no O and no I, so in one, these are meant. */
const digits = { O: '0', o: '0', l: '1', I: '1', i: '1', '|': '1' };
const found = new Map();
for (const line of text.split(/\r?\n/)) {
  const [source = '', prototype] = line.replace(/#.*/, '').split(';');
  if (prototype === undefined) continue;
  const [from, to] = [characters(source), characters(prototype)];
  if (from.length !== 1 || to.length !== 1) continue;
  const letter = digits[to[0]] ?? to[0].toUpperCase();
  // What decomposes into others needs no row of its own, and any decimal digit is one.
  if (!/^[A-HJ-NPR-Z0-9]$/.test(letter) || from[0].normalize('NFKD') !== from[0] || !/[\p{L}\p{Nl}\p{No}]/u.test(from[0])) continue;
  if (from[0].codePointAt(0) < 0x80) continue;
  found.set(letter, [...(found.get(letter) ?? []), from[0]]);
}

const rows = [...found].sort().map(([letter, alike]) => `  ['${letter}', '${alike.sort().join('')}'],`);
writeFileSync(
  target,
  `/**
 * The letters and digits of other scripts that look like one of a vehicle identification number, beyond those that decomposition (NFKD) leads
 * back to it. Made by scripts/makeVinLookalikes.mjs from Unicode's confusables.txt ${version} (Unicode Technical Standard 39, Unicode License v3).
 */
export const vinLookalikes: readonly (readonly [letter: string, alike: string])[] = [
${rows.join('\n')}
];
`,
);
