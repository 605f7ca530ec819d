import type { Options } from 'minisearch';

/** A place in the documentation that a search finds. */
export type SearchEntry = {
  readonly id: number;
  readonly kind: 'guide' | 'aside' | 'operation' | 'event' | 'problem';
  /** The page, and the section of it unless it is the page as a whole. */
  readonly page: string;
  readonly title: string;
  readonly path: string;
  /** What names exactly this place, such as a code, an operation or its path. */
  readonly keys: readonly string[];
  /** Names that stand here: codes, headers, parameters, paths. */
  readonly names: string;
  /** What it is about, in a sentence. */
  readonly lead: string;
  readonly text: string;
  /** How it begins, which is shown below its title. */
  readonly snippet: string;
};

/** A name as it stands in code: a problem code, a header, a parameter, a scope, an operation, an event. */
const name = /[a-z0-9]+(?:[-_./][a-z0-9]+)*/gi;

/** The words and names of a text, each as a whole. */
export function wordsIn(text: string): string[] {
  return [...text.replaceAll('’', "'").replaceAll("'s", '').matchAll(name)].map(([whole]) => whole);
}

/**
 * The terms of a text. A name counts whole and by its parts, so that both `link_code_not_redeemable` and “redeemable” find it, and so does
 * each word of `getOrderHistory`.
 */
export function searchTerms(text: string): string[] {
  return wordsIn(text).flatMap((whole) => {
    const parts = whole.split(/[-_./]|(?<=[a-z])(?=[A-Z])/);
    return parts.length === 1 ? [whole] : [whole, ...parts];
  });
}

/**
 * How a term is compared: without case, and words by their stems, since “revoke”, “revoking” and “revoked” ask for the same. Words that
 * stand everywhere are not compared.
 */
export function comparedTerm(term: string): string | null {
  const lower = term.toLowerCase();
  if (commonWords.has(lower)) return null;
  return /^[a-z]{4,}$/.test(lower) ? stemOf(lower) : lower;
}

/** Rough, and the same for what is searched and for what is asked. */
function stemOf(word: string): string {
  return word
    .replace(/(?<=[a-z]{2})(?:ies|ied|ifications?)$/, (end) => (end.startsWith('if') ? 'ify' : 'y'))
    .replace(/(?<=[a-z]{3})(?<![isu])s$/, '')
    .replace(/(?<=[a-z]{4})(?:ements?|ations?|ions?|als?|ates?|ings?|ed|er|es|s|e)$/, '')
    .replace(/([^aeiouls])\1$/, '$1');
}

const commonWords = new Set(
  `a about all an and any are as at be been by can cannot could did do does doing for from get gets getting had happen happens has have how i if in is it its last long many
  me much my need not of on or our please should show so some tell than that the their them then there these they this to up use using want was we what when where
  which while who why will with work works would you your`.split(/\s+/),
);

/** How the index is made at build time, and read in the browser. */
export const indexOptions: Options<SearchEntry> = {
  fields: ['title', 'page', 'names', 'lead', 'text'],
  storeFields: ['kind', 'page', 'title', 'path', 'keys', 'snippet'],
  tokenize: searchTerms,
  processTerm: comparedTerm,
};
