import { readFileSync } from 'node:fs';

const specification = 'docs/specification.md';

/** The part of the specification under a heading, such as `### Emails`, up to the next one. */
export function specifiedUnder(heading: string): string {
  return readFileSync(specification, 'utf8').split(`\n${heading}\n`)[1]?.split(/\n#+ /)[0] ?? '';
}

/**
 * What is to be written where a document, or a section of the specification (its heading), does not say these words; nothing if it does. Line
 * breaks make no difference.
 */
export function unsaid(place: string, says: string): string[] {
  const isSection = place.startsWith('#');
  const text = isSection ? specifiedUnder(place) : readFileSync(place, 'utf8');
  if (text.replaceAll(/\s+/g, ' ').includes(says)) return [];
  const where = isSection ? `${specification}, “${place}”,` : place;
  return [`${where} has to say: ${says}${nearest(text, says)}`];
}

/** The line that has most words in common with what is missing. */
function nearest(text: string, says: string): string {
  const words = new Set(wordsOf(says));
  const pairs = new Set(pairsOf(says));
  const common = (line: string) => new Set(wordsOf(line).filter((word) => words.has(word))).size;
  // A long line has many words of any sentence, but not beside each other.
  const likeness = (line: string) => common(line) + 2 * new Set(pairsOf(line).filter((pair) => pairs.has(pair))).size;
  const [line = ''] = text.split('\n').toSorted((a, b) => likeness(b) - likeness(a));
  return common(line) * 2 < words.size ? '' : `\nIt says: ${line.trim()}`;
}

const pairsOf = (text: string) => wordsOf(text).map((word, index, all) => `${word} ${all[index + 1] ?? ''}`);
const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
