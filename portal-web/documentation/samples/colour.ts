import type { Language, Piece, Sample } from '../../src/features/reference/referenceTypes.ts';

const slashes = /\/\/[^\n]*/;
const hash = /#[^\n]*/;

const comments: Readonly<Record<Language, RegExp>> = { curl: hash, python: hash, typescript: slashes, go: slashes, java: slashes };

const keywords: Readonly<Record<Language, string>> = {
  curl: 'curl',
  typescript: 'import from const new await',
  python: 'import',
  go: 'package import func if nil defer',
  java: 'import public class static void throws new null char',
};

/** A quoted text. A slash of an address within one is no comment, so texts are looked for first. */
const text = /"(?:[^"\\]|\\.)*"|'[^']*'|`[^`]*`/;

/** Divides code into pieces by what they are, so that a page colours them with classes alone. */
export function colour(language: Language, code: string): Sample {
  const words = keywords[language].split(' ').join('|');
  const pattern = new RegExp(`(?<string>${text.source})|(?<comment>${comments[language].source})|(?<keyword>\\b(?:${words})\\b)`, 'g');
  const pieces: Piece[] = [];
  let place = 0;
  for (const found of code.matchAll(pattern)) {
    const kind = (['string', 'comment', 'keyword'] as const).find((each) => found.groups?.[each] !== undefined) ?? '';
    pieces.push(...withSlots('', code.slice(place, found.index)), ...withSlots(kind, found[0]));
    place = found.index + found[0].length;
  }
  return [...pieces, ...withSlots('', code.slice(place))];
}

function withSlots(kind: Piece[0], code: string): Piece[] {
  return code.split(/\{\{(\w+)\}\}/).flatMap((part, number): Piece[] => (part === '' ? [] : [[number % 2 === 1 ? 'value' : kind, part]]));
}
