import type { Options, SearchOptions } from 'minisearch';

/** A place in the documentation that a search finds. */
export type SearchEntry = {
  readonly id: number;
  /** The page, and the section of it unless it is the page as a whole. */
  readonly page: string;
  readonly title: string;
  readonly path: string;
  /** Names that lead here: codes, headers, parameters, paths. */
  readonly names: string;
  readonly text: string;
};

/** A name as it stands in code: a problem code, a header, a parameter, a scope, an operation, an event. */
const name = /[a-z0-9]+(?:[-_./][a-z0-9]+)*/gi;

/**
 * The terms of a text. A name counts whole and by its parts, so that both `link_code_not_redeemable` and “redeemable” find it, and so does
 * each word of `getOrderHistory`.
 */
export function searchTerms(text: string): string[] {
  return [...text.matchAll(name)].flatMap(([whole]) => {
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
  return /^[a-z]{5,}$/.test(lower) ? stemOf(lower) : lower;
}

/** Rough, and the same for what is searched and for what is asked. */
function stemOf(word: string): string {
  return word.replace(/(?<=[a-z]{4})(?:ements?|ions?|als?|ings?|ed|es|s|e)$/, '').replace(/([^aeiouls])\1$/, '$1');
}

const commonWords = new Set(
  'a an and are as at be by can do does for from get has have how i if in is it its me my not of on or that the then this to was what when where which who why will with you your'.split(
    ' ',
  ),
);

/** How the index is made at build time, and read in the browser. */
export const indexOptions: Options<SearchEntry> = {
  fields: ['title', 'page', 'names', 'text'],
  storeFields: ['page', 'title', 'path'],
  tokenize: searchTerms,
  processTerm: comparedTerm,
};

/** Names and titles count for more; the word that is being typed may be a beginning. */
export const searchOptions: SearchOptions = {
  boost: { title: 4, names: 6, page: 2 },
  prefix: (_term, place, terms) => place === terms.length - 1,
};

/** One letter in five may be wrong, except in names. It takes longer, so it is for words that are not there as they are spelled. */
export const misspelled: SearchOptions = {
  ...searchOptions,
  fuzzy: (term) => (term.length > 4 && !/[-_./\d]/.test(term) ? 0.2 : false),
  maxFuzzy: 2,
};
