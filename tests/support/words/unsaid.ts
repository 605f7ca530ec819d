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

/**
 * As many words in a row, over the ends of lines, as what is missing has: those that have most of its words and pairs of words in common. A whole line
 * would often be the neighbour of the one that is meant, since a sentence goes over several.
 */
function nearest(text: string, says: string): string {
  const wanted = wordsOf(says).map(({ word }) => word);
  const [words, pairs] = [new Set(wanted), new Set(pairsOf(wanted))];
  const found = wordsOf(text);
  const common = (of: readonly string[], among: ReadonlySet<string>) => new Set(of.filter((each) => among.has(each))).size;
  let best = { likeness: 0, common: 0, from: 0, to: 0 };
  for (let at = 0; at + wanted.length <= found.length; at += 1) {
    const here = found.slice(at, at + wanted.length);
    const row = here.map(({ word }) => word);
    const likeness = common(row, words) + 2 * common(pairsOf(row), pairs);
    if (likeness > best.likeness) best = { likeness, common: common(row, words), from: here[0]?.from ?? 0, to: here.at(-1)?.to ?? 0 };
  }
  return best.common * 2 < words.size ? '' : `\nIt says: ${text.slice(best.from, best.to).replaceAll(/\s+/g, ' ')}`;
}

const pairsOf = (words: readonly string[]) => words.slice(1).map((word, place) => `${words[place]} ${word}`);
const wordsOf = (text: string) =>
  [...text.matchAll(/[\p{L}\d]+/gu)].map(({ 0: word, index }) => ({ word: word.toLowerCase(), from: index, to: index + word.length }));
