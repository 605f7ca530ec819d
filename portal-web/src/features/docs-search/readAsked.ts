import { comparedTerm, searchTerms, wordsIn } from './searchOptions.ts';
import { synonyms } from './synonyms.ts';

/** A part of what somebody asks for: a word, or several that mean one thing. */
export type AskedPart = {
  readonly own: string;
  /** What it is called here, if the table of synonyms says so. */
  readonly ours: readonly string[];
  /** The pages that explain it. */
  readonly at: readonly string[];
  /** Whether the reader may still be typing it. */
  readonly isLast: boolean;
};

const stems = (text: string) => wordsIn(text).map((word) => comparedTerm(word) ?? word.toLowerCase());
type Phrase = { readonly words: readonly string[]; readonly ours: string; readonly at: string | undefined };
const phrases: readonly Phrase[] = synonyms.flatMap(({ asked, ours, at }) =>
  [ours, ...asked].map((each) => ({ words: stems(each), ours, at })),
);

/** What is asked for, part by part: the longest phrases of the table of synonyms first, and without the words that stand everywhere. */
export function readAsked(text: string): AskedPart[] {
  const words = wordsIn(text);
  const compared = stems(text);
  const parts: AskedPart[] = [];
  for (let at = 0; at < words.length;) {
    const found = phrases.map((phrase) => ({ ...phrase, length: lengthOf(phrase.words, compared.slice(at)) }));
    const length = Math.max(1, ...found.map((phrase) => phrase.length));
    const meant = found.filter((phrase) => phrase.length === length);
    const whole = overlapping(meant, compared.slice(at), length);
    const own = words.slice(at, at + whole).join(' ');
    at += whole;
    if (meant.length > 0 || comparedTerm(own) !== null)
      parts.push({ own, ours: meant.map(({ ours }) => ours), at: meant.flatMap((each) => each.at ?? []), isLast: at === words.length });
  }
  return parts;
}

/** How many words belong together: a phrase that begins within another one of the same meaning goes on with it, as "page token" does in "next page token". */
function overlapping(meant: readonly Phrase[], words: readonly string[], length: number): number {
  const alike = phrases.filter(({ ours, at }) => meant.some((each) => each.ours === ours && each.at === at));
  const ends = words.slice(1, length).flatMap((_, before) => {
    const rest = words.slice(before + 1);
    return alike.map((phrase) => before + 1 + lengthOf(phrase.words, rest));
  });
  return Math.max(length, ...ends);
}

/** How many words these begin with that are the phrase, 0 if they are not. Words that stand everywhere may be between; the last may be half typed. */
function lengthOf(phrase: readonly string[], words: readonly string[]): number {
  let length = 0;
  for (const part of phrase) {
    while (length > 0 && words[length] !== part && comparedTerm(words[length] ?? '-') === null) length += 1;
    const word = words[length] ?? '';
    length += 1;
    if (word !== part && !(length === words.length && word.length >= 4 && part.startsWith(word))) return 0;
  }
  return length;
}

/** The terms of a text, as they are compared. */
export const termsOf = (text: string): string[] =>
  searchTerms(text)
    .map(comparedTerm)
    .filter((term) => term !== null);

/** Whether a text has every part of what is asked for, in the reader's words or in ours. */
export function fits(text: string, asked: readonly AskedPart[]): boolean {
  const terms = termsOf(text);
  const has = (words: string, half: boolean) =>
    termsOf(words).every((word) => terms.some((term) => term === word || (half && term.startsWith(word))));
  return asked.every(({ own, ours, isLast }) => has(own, isLast) || ours.some((each) => has(each, false)));
}
